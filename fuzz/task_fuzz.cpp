// Any bytes as a task file: its form, its keys and its patterns. No other file is opened.
#include <cstdint>
#include <string_view>

#include "accepts_or_refuses.hpp"
#include "own/model_spec.hpp"
#include "own/name_pattern.hpp"
#include "own/own_task_file.hpp"

namespace {

using namespace polystep;

class Parsed final : public OwnKind {
 public:
  explicit Parsed(ModelSpec spec) : spec_(std::move(spec)) {}
  std::vector<std::string> files() const override { return {spec_.file}; }
  ProblemFacts facts() const override { return {}; }
  OwnProblem make(const OwnTables&, const std::filesystem::path&) const override { return {}; }

 private:
  ModelSpec spec_;
};

// The section [model] as the program reads it, and its patterns over a few names.
std::unique_ptr<OwnKind> read_model(const TaskSection& root) {
  ModelSpec spec = parse_model_spec(root);
  for (const SlotRule& rule : spec.predicted)
    for (const char* name : {"demand_1", "x", "a*b?c", ""})
      if (const auto stars = match_pattern(rule.pattern, name))
        if (fill_pattern(rule.pattern, *stars).size() != std::string_view(name).size()) std::abort();
  return std::make_unique<Parsed>(std::move(spec));
}

const std::vector<OwnKindEntry> kKinds = {{"model", read_model}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  accepts_or_refuses([&] { parse_own_task(text, "input.toml", kKinds).files(); });
  return 0;
}
