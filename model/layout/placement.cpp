// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/placement.h"

#include "model/base/index.h"
#include "model/base/random.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>

namespace clusterbeat {
namespace {

/// GPUs in the order in which ranks fill them.
std::vector<GpuIndex> fillingOrder(const Expansion &expansion, std::int64_t used, std::int64_t domainSize)
{
    std::vector<GpuIndex> first, skipped;
    first.reserve(at(expansion.gpuCount));
    std::vector<std::int64_t> seen(at(expansion.domainCount), 0);
    for (GpuIndex gpu = 0; gpu < expansion.gpuCount; ++gpu) {
        std::int64_t &number = seen[at(expansion.domainOfGpu[at(gpu)])];
        (used < 1 || domainSize < 1 || number % domainSize < used ? first : skipped).push_back(gpu);
        ++number;
    }
    first.insert(first.end(), skipped.begin(), skipped.end());
    return first;
}

std::vector<RankCoordinates> rankCoordinates(const Degrees &degrees)
{
    std::vector<RankCoordinates> coordinates(at(degrees.ranks()));
    std::int64_t stride = 1;
    for (const Dimension dimension : degrees.order) {
        std::int64_t size = 1;
        std::int32_t RankCoordinates::*member = nullptr;
        switch (dimension) {
        case Dimension::Tensor:
            size = degrees.tensor;
            member = &RankCoordinates::tensor;
            break;
        case Dimension::Context:
            size = degrees.context;
            member = &RankCoordinates::context;
            break;
        case Dimension::Pipeline:
            size = degrees.pipeline;
            member = &RankCoordinates::pipeline;
            break;
        case Dimension::Data:
            size = degrees.data;
            member = &RankCoordinates::data;
            break;
        case Dimension::Expert: continue; // folds over tensor, context and data: no coordinate of its own
        }
        for (std::size_t rank = 0; rank < coordinates.size(); ++rank)
            coordinates[rank].*member = static_cast<std::int32_t>(static_cast<std::int64_t>(rank) / stride % size);
        stride *= size;
    }
    for (RankCoordinates &c : coordinates)
        c.member = c.tensor + static_cast<std::int32_t>(degrees.tensor) * c.context;
    return coordinates;
}

struct Query {
    std::optional<std::int64_t> rank, stage, replica, random, seed;
};

/// "key:number" words apart by blanks, each key once; nullopt when the text is not of this form.
std::optional<Query> parseQuery(std::string_view text)
{
    Query query;
    while (true) {
        text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
        if (text.empty()) return query;
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(word.size());
        const std::size_t colon = word.find(':');
        if (colon == std::string_view::npos) return std::nullopt;
        const std::string_view key = word.substr(0, colon), digits = word.substr(colon + 1);
        std::optional<std::int64_t> *slot = key == "rank"      ? &query.rank
                                            : key == "stage"   ? &query.stage
                                            : key == "replica" ? &query.replica
                                            : key == "random"  ? &query.random
                                            : key == "seed"    ? &query.seed
                                                               : nullptr;
        std::int64_t number = 0;
        const auto [end, code] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (!slot || slot->has_value() || code != std::errc() || end != digits.data() + digits.size() || number < 0)
            return std::nullopt;
        *slot = number;
    }
}

std::optional<std::vector<GpuIndex>> gpusOfStage(const Placement &placement, const Query &query)
{
    if (query.rank || query.random || query.seed) return std::nullopt;
    if (query.stage.value_or(0) >= placement.pipeline || query.replica.value_or(0) >= placement.data)
        return std::nullopt;
    std::vector<GpuIndex> found;
    for (std::size_t rank = 0; rank < placement.coordinates.size(); ++rank) {
        const RankCoordinates &c = placement.coordinates[rank];
        if (query.stage.value_or(c.pipeline) == c.pipeline && query.replica.value_or(c.data) == c.data &&
            placement.gpuOfRank[rank] != kNone)
            found.push_back(placement.gpuOfRank[rank]);
    }
    return found;
}

/// Partial Fisher-Yates shuffle over the GPUs that have a rank.
std::optional<std::vector<GpuIndex>> randomGpus(const Placement &placement, std::int64_t count, std::int64_t seed)
{
    std::vector<GpuIndex> candidates;
    for (std::size_t gpu = 0; gpu < placement.rankOfGpu.size(); ++gpu)
        if (placement.rankOfGpu[gpu] != kNone) candidates.push_back(static_cast<GpuIndex>(gpu));
    const auto available = static_cast<std::int64_t>(candidates.size());
    if (count < 1 || count > available) return std::nullopt;
    constexpr std::uint64_t kPurpose = 0x7461726765740001; // "target": a stream that no other draw shares
    const std::uint64_t stream = randomStream({static_cast<std::uint64_t>(seed), 0, kPurpose});
    for (std::int64_t i = 0; i < count; ++i) {
        const double u = randomUniform(stream, static_cast<std::uint64_t>(i));
        const std::int64_t j = i + static_cast<std::int64_t>(u * static_cast<double>(available - i));
        std::swap(candidates[at(i)], candidates[at(j)]);
    }
    candidates.resize(at(count));
    return candidates;
}

std::optional<std::vector<GpuIndex>> gpusOfQuery(const Placement &placement, const Query &query)
{
    if (query.rank) {
        if (query.stage || query.replica || query.random || query.seed) return std::nullopt;
        if (*query.rank >= static_cast<std::int64_t>(placement.gpuOfRank.size())) return std::nullopt;
        const GpuIndex gpu = placement.gpuOfRank[at(*query.rank)];
        if (gpu == kNone) return std::nullopt;
        return std::vector<GpuIndex>{gpu};
    }
    if (query.random) {
        if (query.stage || query.replica) return std::nullopt;
        return randomGpus(placement, *query.random, query.seed.value_or(0));
    }
    if (query.stage || query.replica) return gpusOfStage(placement, query);
    return std::nullopt;
}

} // namespace

RankIndex Placement::rankAt(std::int32_t stage, std::int32_t replica, std::int32_t member) const
{
    return rankOfPosition[(at(stage) * at(data) + at(replica)) * at(groupSize()) + at(member)];
}

Placement place(const Degrees &degrees, const Expansion &expansion, std::int64_t gpusUsedPerDomain,
                std::int64_t domainSize)
{
    Placement placement;
    placement.tensor = static_cast<std::int32_t>(degrees.tensor);
    placement.context = static_cast<std::int32_t>(degrees.context);
    placement.pipeline = static_cast<std::int32_t>(degrees.pipeline);
    placement.data = static_cast<std::int32_t>(degrees.data);
    placement.coordinates = rankCoordinates(degrees);

    const std::size_t ranks = placement.coordinates.size();
    const std::vector<GpuIndex> order = fillingOrder(expansion, gpusUsedPerDomain, domainSize);
    placement.rankOfGpu.assign(at(expansion.gpuCount), kNone);
    placement.gpuOfRank.assign(ranks, kNone);
    for (std::size_t rank = 0; rank < std::min(ranks, order.size()); ++rank) {
        placement.gpuOfRank[rank] = order[rank];
        placement.rankOfGpu[at(order[rank])] = static_cast<RankIndex>(rank);
    }
    placement.rankOfPosition.assign(ranks, kNone);
    for (std::size_t rank = 0; rank < ranks; ++rank) {
        const RankCoordinates &c = placement.coordinates[rank];
        const std::size_t position =
            (at(c.pipeline) * at(placement.data) + at(c.data)) * at(placement.groupSize()) + at(c.member);
        placement.rankOfPosition[position] = static_cast<RankIndex>(rank);
    }
    return placement;
}

Result<std::vector<GpuIndex>> gpusOfTarget(const Expansion &expansion, const Placement &placement,
                                           std::string_view target)
{
    if (target.find(':') == std::string_view::npos) return gpusAtPath(expansion, target);
    if (const auto query = parseQuery(target))
        if (auto found = gpusOfQuery(placement, *query)) {
            std::sort(found->begin(), found->end());
            return *std::move(found);
        }
    Error error;
    error.code = ErrorCode::UnknownTarget;
    error.arguments = {std::string(target)};
    return error;
}

} // namespace clusterbeat
