// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/cluster/blueprint_index.h"

#include "model/base/ids.h"
#include "model/cluster/expansion.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::int64_t kMostInstances = std::int64_t{1} << 40; // saturation, far above every limit
constexpr std::int64_t kMostDrawn = 4096;                      // nodes, and links: a drawing has dozens
// GPUs, NICs, switches and containers together; the largest Clos of 262,144 GPUs has about 700,000.
constexpr std::int64_t kMostDevices = 8 * kMostGpus;
constexpr std::int64_t kMostEnds = 64'000'000;                 // instances at both ends of all links, each looked at once
constexpr std::size_t kDeepest = 32;                           // containers inside each other: site, pod, rack, server
using NodeNumbers = std::map<std::string_view, std::int32_t>;

std::string pointerOf(const char *list, std::size_t number, const char *key)
{
    return std::string("/cluster/blueprint/") + list + "/" + std::to_string(number) + "/" + key;
}

Error errorAt(ErrorCode code, std::string pointer, std::vector<Argument> arguments)
{
    Error error;
    error.code = code;
    error.place.pointer = std::move(pointer);
    error.arguments = std::move(arguments);
    return error;
}

bool isIdentifier(std::string_view id)
{
    return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
    });
}

std::optional<Error> checkNodes(const Blueprint &blueprint, NodeNumbers &numbers)
{
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i) {
        const BlueprintNode &node = blueprint.nodes[i];
        if (!isIdentifier(node.id))
            return errorAt(ErrorCode::WrongType, pointerOf("nodes", i, "id"), {node.id, std::string("[a-z0-9-]+")});
        if (!numbers.emplace(node.id, static_cast<std::int32_t>(i)).second)
            return errorAt(ErrorCode::DuplicateKey, pointerOf("nodes", i, "id"), {node.id});
        if (node.count < 1)
            return errorAt(ErrorCode::OutOfRange, pointerOf("nodes", i, "count"),
                           {node.count, std::int64_t{1}, kMostInstances});
        if (node.limit < 0)
            return errorAt(ErrorCode::OutOfRange, pointerOf("nodes", i, "limit"),
                           {node.limit, std::int64_t{0}, kMostInstances});
    }
    return std::nullopt;
}

/// Of a chain of parents that has no end, or none within kDeepest.
Error tooDeep(const Blueprint &blueprint, const BlueprintIndex &index, std::size_t node)
{
    std::size_t steps = 0;
    std::int32_t at = index.parent[node];
    while (at != kNone && steps <= blueprint.nodes.size()) {
        at = index.parent[static_cast<std::size_t>(at)];
        ++steps;
    }
    const BlueprintNode &drawn = blueprint.nodes[node];
    if (at == kNone)
        return errorAt(ErrorCode::OutOfRange, pointerOf("nodes", node, "parent"),
                       {static_cast<std::int64_t>(steps), std::int64_t{1}, static_cast<std::int64_t>(kDeepest)});
    return errorAt(ErrorCode::Contradiction, pointerOf("nodes", node, "parent"),
                   {std::string("id"), drawn.id, std::string("parent"), drawn.parent});
}

std::optional<Error> findParents(const Blueprint &blueprint, const NodeNumbers &numbers, BlueprintIndex &index)
{
    index.parent.assign(blueprint.nodes.size(), kNone);
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i) {
        const BlueprintNode &node = blueprint.nodes[i];
        if (node.parent.empty()) continue;
        const auto found = numbers.find(node.parent);
        if (found == numbers.end())
            return errorAt(ErrorCode::UnknownName, pointerOf("nodes", i, "parent"),
                           {node.parent, std::string("node"), std::string()});
        if (!isContainer(blueprint.nodes[static_cast<std::size_t>(found->second)].kind))
            return errorAt(ErrorCode::Contradiction, pointerOf("nodes", i, "parent"),
                           {std::string("id"), node.id, std::string("parent"), node.parent});
        index.parent[i] = found->second;
    }
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i) {
        // A chain longer than the number of nodes has come round.
        std::size_t steps = 0;
        const std::size_t most = std::min(blueprint.nodes.size(), kDeepest);
        for (std::int32_t at = index.parent[i]; at != kNone; at = index.parent[static_cast<std::size_t>(at)])
            if (++steps > most) return tooDeep(blueprint, index, i);
    }
    return std::nullopt;
}

/// Number of a node's instances: parents' number times count, at most its limit. Recursion depth = nesting depth.
std::int64_t countInstances(const Blueprint &blueprint, BlueprintIndex &index, std::int32_t number)
{
    if (number == kNone) return 1;
    const auto i = static_cast<std::size_t>(number);
    if (index.instances[i] > 0) return index.instances[i];
    const std::int64_t parents = countInstances(blueprint, index, index.parent[i]);
    const BlueprintNode &node = blueprint.nodes[i];
    std::int64_t total = node.count > kMostInstances / parents ? kMostInstances : parents * node.count;
    if (node.limit > 0) total = std::min(total, node.limit);
    index.instances[i] = total;
    return total;
}

std::optional<Error> checkSizes(const Blueprint &blueprint, BlueprintIndex &index)
{
    index.instances.assign(blueprint.nodes.size(), 0);
    std::int64_t gpus = 0;
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i) {
        const std::int64_t total = countInstances(blueprint, index, static_cast<std::int32_t>(i));
        if (blueprint.nodes[i].kind != NodeKind::Gpu) continue;
        gpus += total;
        if (gpus > kMostGpus) return errorAt(ErrorCode::TooManyGpus, pointerOf("nodes", i, "count"), {gpus, kMostGpus});
    }
    // Switches, NICs and racks: as many as GPUs several times over is still a cluster, more is a slip of the pen.
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i)
        if (index.instances[i] > 4 * kMostGpus)
            return errorAt(ErrorCode::OutOfRange, pointerOf("nodes", i, "count"),
                           {index.instances[i], std::int64_t{1}, 4 * kMostGpus});
    std::int64_t all = 0;
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i) {
        all += index.instances[i];
        if (all > kMostDevices)
            return errorAt(ErrorCode::OutOfRange, pointerOf("nodes", i, "count"), {all, std::int64_t{1}, kMostDevices});
    }
    if (gpus == 0)
        return errorAt(ErrorCode::OutOfRange, "/cluster/blueprint/nodes",
                       {std::int64_t{0}, std::int64_t{1}, kMostGpus});
    return std::nullopt;
}

std::int32_t depthOf(const BlueprintIndex &index, std::int32_t node)
{
    std::int32_t depth = 0;
    for (; node != kNone; node = index.parent[static_cast<std::size_t>(node)])
        ++depth;
    return depth;
}

std::int32_t deepestCommonContainer(const BlueprintIndex &index, std::int32_t a, std::int32_t b)
{
    const auto up = [&](std::int32_t node) { return index.parent[static_cast<std::size_t>(node)]; };
    a = up(a);
    b = up(b);
    std::int32_t depthA = depthOf(index, a), depthB = depthOf(index, b);
    for (; depthA > depthB; --depthA)
        a = up(a);
    for (; depthB > depthA; --depthB)
        b = up(b);
    while (a != b) {
        a = up(a);
        b = up(b);
    }
    return a;
}

std::optional<Error> checkLinkNumbers(const BlueprintLink &link, std::size_t number)
{
    const auto bad = [](double value, bool zeroAllowed) {
        return !std::isfinite(value) || value < 0.0 || value > 1e9 || (value == 0.0 && !zeroAllowed);
    };
    const std::pair<const char *, double> numbers[] = {
        {"cables", link.cables}, {"gbps", link.gbps}, {"latency_s", link.latencyS}};
    for (const auto &[key, value] : numbers)
        if (bad(value, std::string_view(key) == "latency_s"))
            return errorAt(ErrorCode::OutOfRange, pointerOf("links", number, key), {value, 0.0, 1e9});
    return std::nullopt;
}

std::optional<Error> checkLinks(const Blueprint &blueprint, const NodeNumbers &numbers, BlueprintIndex &index)
{
    std::map<std::string_view, std::size_t> ids;
    std::int64_t instances = 0;
    for (std::size_t i = 0; i < blueprint.links.size(); ++i) {
        const BlueprintLink &link = blueprint.links[i];
        if (!isIdentifier(link.id))
            return errorAt(ErrorCode::WrongType, pointerOf("links", i, "id"), {link.id, std::string("[a-z0-9-]+")});
        if (!ids.emplace(link.id, i).second)
            return errorAt(ErrorCode::DuplicateKey, pointerOf("links", i, "id"), {link.id});
        BlueprintIndex::Link ends;
        for (const bool first : {true, false}) {
            const std::string &name = first ? link.from : link.to;
            const char *key = first ? "from" : "to";
            const auto found = numbers.find(name);
            if (found == numbers.end())
                return errorAt(ErrorCode::UnknownName, pointerOf("links", i, key),
                               {name, std::string("node"), std::string()});
            if (isContainer(blueprint.nodes[static_cast<std::size_t>(found->second)].kind))
                return errorAt(ErrorCode::Contradiction, pointerOf("links", i, key),
                               {std::string("id"), link.id, std::string(key), name});
            (first ? ends.from : ends.to) = found->second;
        }
        if (ends.from == ends.to && link.pattern != LinkPattern::All)
            return errorAt(ErrorCode::Contradiction, pointerOf("links", i, "to"),
                           {std::string("from"), link.from, std::string("to"), link.to});
        if (auto error = checkLinkNumbers(link, i)) return error;
        instances += index.instances[static_cast<std::size_t>(ends.from)] + index.instances[static_cast<std::size_t>(ends.to)];
        if (instances > kMostEnds)
            return errorAt(ErrorCode::OutOfRange, "/cluster/blueprint/links/" + std::to_string(i), {instances, std::int64_t{1}, kMostEnds});
        ends.common = deepestCommonContainer(index, ends.from, ends.to);
        index.links.push_back(ends);
    }
    return std::nullopt;
}

std::int32_t findSite(const Blueprint &blueprint, const BlueprintIndex &index)
{
    std::int32_t top = kNone;
    for (std::size_t i = 0; i < blueprint.nodes.size(); ++i) {
        if (index.parent[i] != kNone) continue;
        if (top != kNone) return kNone;
        top = static_cast<std::int32_t>(i);
    }
    if (top == kNone) return kNone;
    const BlueprintNode &node = blueprint.nodes[static_cast<std::size_t>(top)];
    return node.kind == NodeKind::Site && node.count == 1 ? top : kNone;
}

} // namespace

Result<BlueprintIndex> indexBlueprint(const Blueprint &blueprint)
{
    BlueprintIndex index;
    NodeNumbers numbers;
    const auto drawn = static_cast<std::int64_t>(std::max(blueprint.nodes.size(), blueprint.links.size()));
    if (drawn > kMostDrawn)
        return errorAt(ErrorCode::OutOfRange, "/cluster/blueprint", {drawn, std::int64_t{1}, kMostDrawn});
    if (auto error = checkNodes(blueprint, numbers)) return *error;
    if (auto error = findParents(blueprint, numbers, index)) return *error;
    if (auto error = checkSizes(blueprint, index)) return *error;
    if (auto error = checkLinks(blueprint, numbers, index)) return *error;
    index.site = findSite(blueprint, index);
    return index;
}

} // namespace clusterbeat
