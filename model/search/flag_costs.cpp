// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/flag_costs.h"

#include "model/scenario/enum_names.h"
#include "model/scenario/scenario_json.h"
#include "model/search/variant_costs.h"

#include <array>
#include <string_view>

namespace clusterbeat
{
namespace
{

using Values = std::vector<std::string>;

std::string quoted(std::string_view text)
{
    return '"' + std::string(text) + '"';
}

template <typename Names> Values valuesOf(const Names &names)
{
    Values values;
    for (const auto &[name, value] : names)
        values.push_back(quoted(name));
    return values;
}

template <std::size_t n> Values valuesOf(const std::array<std::string_view, n> &names)
{
    Values values;
    for (const std::string_view name : names)
        values.push_back(quoted(name));
    return values;
}

std::string ofBool(bool value)
{
    return value ? "true" : "false";
}

bool isLowPrecision(const ResolvedScenario &s)
{
    return s.training.precision == Precision::Fp8 || s.training.precision == Precision::Fp4;
}
bool hasExperts(const ResolvedScenario &s)
{
    return s.model.moe.has_value();
}
bool always(const ResolvedScenario &)
{
    return true;
}

/// A flag: where the file says it, whether it means something, its value in force and all its values.
struct Flag {
    const char *pointer;
    bool (*applies)(const ResolvedScenario &);
    std::string (*value)(const ResolvedScenario &);
    Values (*values)();
};

Values bools()
{
    return {"false", "true"};
}

// From the inside of the GPU outwards: kernels, host, precision, experts, collectives.
constexpr Flag kFlags[] = {
    {"/software/attention_kernel", always,
     [](const ResolvedScenario &s) { return quoted(nameOf(kAttentionKernelNames, s.software.attentionKernel)); },
     [] { return valuesOf(kAttentionKernelNames); }},
    {"/software/cuda_graphs", always,
     [](const ResolvedScenario &s) { return quoted(nameOf(kCudaGraphsNames, s.software.cudaGraphs)); },
     [] { return valuesOf(kCudaGraphsNames); }},
    {"/software/fp8_recipe", isLowPrecision, [](const ResolvedScenario &s) { return quoted(s.software.fp8Recipe); },
     [] { return valuesOf(kFp8RecipeNames); }},
    {"/software/moe_dispatcher", hasExperts,
     [](const ResolvedScenario &s) { return quoted(s.software.moeDispatcher); },
     [] { return valuesOf(kMoeDispatcherNames); }},
    {"/software/expert_overlap",
     [](const ResolvedScenario &s) { return hasExperts(s) && s.degrees.expert > 1; },
     [](const ResolvedScenario &s) { return ofBool(s.software.expertOverlap); }, bools},
    {"/software/token_drop", hasExperts, [](const ResolvedScenario &s) { return ofBool(s.software.tokenDrop); },
     bools},
    {"/software/expert_activation_fused", hasExperts,
     [](const ResolvedScenario &s) { return ofBool(s.software.expertActivationFused); }, bools},
    {"/software/grouped_matmul_fused", hasExperts,
     [](const ResolvedScenario &s) { return ofBool(s.software.groupedMatmulFused); }, bools},
    {"/software/tensor_overlap", [](const ResolvedScenario &s) { return s.degrees.tensor > 1; },
     [](const ResolvedScenario &s) { return ofBool(s.software.tensorOverlap); }, bools},
    {"/software/nvls",
     [](const ResolvedScenario &s) { return s.degrees.tensor * s.degrees.context * s.degrees.data > 1; },
     [](const ResolvedScenario &s) { return ofBool(s.software.nvls); }, bools},
    {"/software/pat", [](const ResolvedScenario &s) { return s.degrees.context * s.degrees.data > 1; },
     [](const ResolvedScenario &s) { return ofBool(s.software.pat); }, bools},
    {"/layout/overlap/data", [](const ResolvedScenario &s) { return s.degrees.context * s.degrees.data > 1; },
     [](const ResolvedScenario &s) { return ofBool(s.software.dataOverlap); }, bools},
    {"/layout/overlap/pipeline", [](const ResolvedScenario &s) { return s.degrees.pipeline > 1; },
     [](const ResolvedScenario &s) { return ofBool(s.software.pipelineOverlap); }, bools},
    {"/software/fsdp", [](const ResolvedScenario &s) { return s.degrees.zeroStage == 3; },
     [](const ResolvedScenario &s) { return quoted(nameOf(kFsdpNames, s.software.fsdp)); },
     [] { return valuesOf(kFsdpNames); }},
    {"/training/gradient_bytes", always,
     [](const ResolvedScenario &s) { return std::to_string(s.software.gradientBytes); },
     [] { return Values{"2", "4"}; }},
};

/// Only the section that was edited is new, so that what depends on the others stays in the cache.
Scenario withSectionOf(const Scenario &scenario, const Scenario &edited, std::string_view pointer)
{
    Scenario result = scenario;
    if (pointer.starts_with("/software/")) result.software = edited.software;
    if (pointer.starts_with("/layout/")) result.layout = edited.layout;
    if (pointer.starts_with("/training/")) result.training = edited.training;
    return result;
}

} // namespace

FlagCosts flagCosts(const Scenario &scenario, const Catalogue &catalogue, const std::stop_token &stop,
                    const std::function<void(int)> &permille)
{
    FlagCosts costs;
    VariantSimulator simulator(catalogue, stop);
    const SimulationOutcome now = simulator.start(scenario);
    costs.error = now.error;
    costs.cancelled = now.cancelled;
    if (!now.result) return costs;
    const ResolvedScenario &resolved = *now.result->scenario;
    const std::string text = writeScenario(scenario);
    int done = 0;
    for (const Flag &flag : kFlags) {
        if (permille) permille(1000 * done++ / static_cast<int>(std::size(kFlags)));
        if (!flag.applies(resolved)) continue;
        FlagCost cost{flag.pointer, flag.value(resolved), {}};
        for (const std::string &value : flag.values()) {
            if (value == cost.json) continue;
            const auto edited = readScenario(text, catalogue, {{flag.pointer, value}});
            auto alternative = edited.ok() ? simulator.with(value, withSectionOf(scenario, edited.value(), flag.pointer))
                                           : refusedAlternative(value, edited.error());
            if (!alternative) {
                costs.cancelled = true;
                return costs;
            }
            cost.alternatives.push_back(std::move(*alternative));
        }
        costs.flags.push_back(std::move(cost));
    }
    if (permille) permille(1000);
    return costs;
}

} // namespace clusterbeat
