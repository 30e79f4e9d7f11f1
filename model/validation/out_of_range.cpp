// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/validation/out_of_range.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace clusterbeat {
namespace {

// The estimate is 4 % off in the mean, so "97 % full" begins at 93 %. FSDP 1 holds 7 % more than FSDP 2 for the same run
// (Liang et al. 2024, TorchTitan, section 2): the allocator keeps what other streams have used.
constexpr double kMemoryLimit = 0.93, kMemoryLimitFsdp1 = 0.87;
constexpr std::int64_t kEarlyMonths = 3;
constexpr double kShortLayerS = 1e-3;
constexpr double kMuchExposed = 0.2;
constexpr std::int64_t kLargeJob = 1024;
constexpr double kEagerFactor = 1.5;
// A cause is named when it could account for at least half of the difference.
constexpr double kHalf = 0.5;

std::string joined(const std::vector<std::string> &words)
{
    std::string text;
    for (const std::string &word : words) text += (text.empty() ? "" : ", ") + word;
    return text;
}

/// The same model trained the same way on the same GPUs, whatever the software.
bool sameConfiguration(const Scenario &a, const Scenario &b)
{
    return *a.model == *b.model && *a.training == *b.training && *a.layout == *b.layout && *a.cluster == *b.cluster;
}

} // namespace

std::string_view rangeReasonKey(RangeReason reason)
{
    constexpr std::array<std::string_view, kRangeReasonCount> kKeys{
        "memory_limit",    "token_drop",  "early_software", "release_spread", "fetch_order", "few_micro_batches", "short_kernels",
        "exposed_network", "large_scale", "assumed_knob",   "eager_kernels",  "aggregate",   "unexplained"};
    return kKeys[static_cast<std::size_t>(reason)];
}

double toleranceOfTier(std::string_view tier) { return tier == "A" || tier == "B" ? 0.10 : 0.25; }

std::vector<RowReason> reasonsOutOfRange(const RowFacts &facts)
{
    std::vector<RowReason> reasons;
    if (std::fabs(facts.error) <= toleranceOfTier(facts.tier)) return reasons;
    const bool slower = facts.error < 0.0;              // than predicted
    const auto add = [&](bool holds, RangeReason reason, std::vector<Argument> arguments = {}) {
        if (holds) reasons.push_back({reason, std::move(arguments)});
    };
    add(slower && facts.memoryShare >= (facts.heldByStreams ? kMemoryLimitFsdp1 : kMemoryLimit), RangeReason::MemoryLimit, {facts.memoryShare});
    add(facts.tokenDrop, RangeReason::TokenDrop);
    if (facts.monthsSinceFirstRelease)
        add(slower && *facts.monthsSinceFirstRelease <= kEarlyMonths, RangeReason::EarlySoftware, {*facts.monthsSinceFirstRelease});
    add(facts.releases > 1 && facts.releaseSpread >= kHalf * std::fabs(facts.error), RangeReason::ReleaseSpread,
        {facts.releaseSpread, facts.releases});
    add(slower && facts.unknownFetchOrder, RangeReason::FetchOrder);
    add(facts.microBatches <= 2 || facts.microBatches < 2 * facts.stages, RangeReason::FewMicroBatches,
        {facts.microBatches, facts.stages});
    add(!facts.launchesHidden && facts.layerForwardS > 0.0 && facts.layerForwardS < kShortLayerS, RangeReason::ShortKernels,
        {facts.layerForwardS});
    add(slower && facts.exposedShare >= kMuchExposed, RangeReason::ExposedNetwork, {facts.exposedShare});
    add(slower && facts.gpus >= kLargeJob, RangeReason::LargeScale, {facts.gpus});
    add(!facts.assumed.empty(), RangeReason::AssumedKnob, {joined(facts.assumed)});
    add(facts.elementwiseFactor >= kEagerFactor, RangeReason::EagerKernels, {facts.elementwiseFactor});
    add(facts.tier != "A" && facts.tier != "B", RangeReason::Aggregate);
    add(reasons.empty(), RangeReason::Unexplained);
    return reasons;
}

std::vector<RowContext> contextOfRows(const std::vector<MeasuredRow> &rows, const std::vector<MeasuredRow> &table)
{
    std::map<std::string, std::int64_t> firstRelease;
    for (const MeasuredRow &row : table) {
        if (row.releaseMonth == 0) continue;
        const auto [entry, added] = firstRelease.try_emplace(row.gpuName, row.releaseMonth);
        if (!added) entry->second = std::min(entry->second, row.releaseMonth);
    }
    std::vector<RowContext> contexts(rows.size());
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const MeasuredRow &row = rows[i];
        RowContext &context = contexts[i];
        const auto first = firstRelease.find(row.gpuName);
        if (row.releaseMonth != 0 && first != firstRelease.end())
            context.monthsSinceFirstRelease = row.releaseMonth - first->second;
        if (row.refused || !row.iterationS) continue;
        double least = *row.iterationS, most = *row.iterationS;
        for (const MeasuredRow &other : table) {
            const bool comparable = other.id != row.id && !other.refused && other.iterationS;
            if (!comparable || !sameConfiguration(row.scenario, other.scenario)) continue;
            least = std::min(least, *other.iterationS);
            most = std::max(most, *other.iterationS);
            ++context.releases;
        }
        if (least > 0.0) context.releaseSpread = most / least - 1.0;
    }
    return contexts;
}

RowFacts factsOf(const MeasuredRow &row, const RowContext &context, const IterationResult &result, double error)
{
    const ResolvedScenario &scenario = *result.scenario;
    const auto seconds = [&](Category category) { return result.metrics.breakdownS[static_cast<std::size_t>(category)]; };
    RowFacts facts;
    facts.tier = row.tier;
    facts.error = error;
    if (result.memory.capacity > 0)
        facts.memoryShare = static_cast<double>(result.memory.peak.total()) / static_cast<double>(result.memory.capacity);
    facts.tokenDrop = scenario.software.tokenDrop && scenario.model.moe.has_value();
    facts.heldByStreams = scenario.degrees.zeroStage >= 3 && scenario.software.fsdp == FsdpFlavour::Fsdp1;
    facts.unknownFetchOrder = scenario.degrees.zeroStage >= 3 && scenario.software.fsdp == FsdpFlavour::DeepSpeed;
    facts.monthsSinceFirstRelease = context.monthsSinceFirstRelease;
    facts.releaseSpread = context.releaseSpread;
    facts.releases = context.releases;
    facts.microBatches = scenario.microBatches;
    facts.stages = scenario.degrees.pipeline;
    facts.gpus = scenario.degrees.ranks();
    const double layers = static_cast<double>(scenario.model.layers) / static_cast<double>(std::max<std::int64_t>(facts.stages, 1));
    const double runs = layers * static_cast<double>(scenario.microBatches);
    if (runs > 0.0) facts.layerForwardS = seconds(Category::Forward) / runs;
    facts.launchesHidden = scenario.software.cudaGraphs == CudaGraphs::Full;
    const double exposed = seconds(Category::ExposedTp) + seconds(Category::ExposedCp) + seconds(Category::ExposedEp) +
                           seconds(Category::ExposedPp) + seconds(Category::ExposedDp);
    if (result.metrics.iterationS > 0.0) facts.exposedShare = exposed / result.metrics.iterationS;
    facts.elementwiseFactor = scenario.software.elementwiseFactor;
    facts.assumed = row.assumed;
    return facts;
}

} // namespace clusterbeat
