// The words and figures of comparison tables, shared by their Markdown and HTML forms.
#pragma once

#include <string>
#include <vector>

#include "statistics/comparison.hpp"

namespace polystep {

// Column headings of a problem's regrets: its settings, and "pooled" where there are several.
std::vector<std::string> regret_headings(const ProblemComparison& table);

std::string our_figure(const Summary& ours, const ProblemComparison& table);  // "0.1529 ± 0.0003"
std::string published_figure(const PublishedValue& published, const ProblemComparison& table);
std::string grouped(double count);           // "8,570,880"
std::string p_figure(double p);              // "0.002", "<0.001"
std::string verdict(const ComparisonTest&);  // who is better, if that is clear

// What the figures of a table are, in one or two sentences.
std::string regret_caption(const ProblemComparison& table);
std::string tests_caption(const ProblemComparison& table);

// Solves that failed: the figure of a row in a column that tables have where some share is above 0, and what
// it means for the row in one sentence, empty where it means nothing.
constexpr const char* kFailedHeading = "failed decisions; references";
bool has_failures(const ProblemComparison& table);
std::string failed_figure(const ComparisonRow& row);  // "2 %; 0.5 %"
std::string no_verdict_note(const ComparisonRow& row, const ProblemComparison& table);

// How published runs differ from this program's defaults, where they do; else empty.
std::string protocol_note(const ProblemComparison& table);
// For problems whose predictions enter constraints.
bool has_feasibility(const ProblemComparison& table);
std::string feasibility_caption();
std::string feasibility_figure(const ComparisonCell& cell);
std::string published_feasibility_figure(const PublishedFeasibility& published);

}  // namespace polystep
