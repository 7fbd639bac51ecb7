// Directions of the inputs along which the means of classes differ, however little variance they have.
//
// A principal component is found by its variance; a direction that tells targets apart may have hardly more
// than noise. Class means average the noise away. They are compared in a metric that counts each spike by its
// variance within classes, so that directions where all rows vary a lot say less (linear discriminants for
// noise that is alike everywhere but in the spikes). How many directions are real is told by the same figures
// for shuffled targets.
//
// Directions follow the noise of the rows they were found on, so that these rows look far better predicted
// than fresh ones. Therefore every row gets its scores from directions found without its own tenth of the
// instances.
#pragma once

#include <cstddef>
#include <vector>

#include "methods/inputs/principal_inputs.hpp"
#include "methods/inputs/table_rows.hpp"
#include "methods/inputs/target_classes.hpp"
#include "polystep/team.hpp"

namespace polystep {

struct ClassMeanInputs {
  std::size_t count = 0;
  std::vector<double> directions;  // [count × columns], that fresh rows are multiplied by
  std::vector<double> scores;      // [count × rows], each from directions that the row had no part in
  std::vector<double> strength;    // [classes], of all directions, strongest first
  double chance = 0;               // what the strength of a real direction must exceed
};

ClassMeanInputs find_class_means(const TableRows& table, const TargetClasses& classes,
                                 const PrincipalInputs& spikes, Team& team);

}  // namespace polystep
