// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/index.h"
#include "model/base/random.h"
#include "model/network/fabric.h"

#include <algorithm>

namespace clusterbeat {

std::int32_t Fabric::routeOfFlow(GpuIndex from, GpuIndex to)
{
    const std::int32_t begin = m_access[at(from)].vertex, end = m_access[at(to)].vertex;
    const std::int32_t even = routeBetween(begin, end);
    if (!m_ecmp.hash || m_routes[at(even)].links.empty()) return even;
    const std::uint64_t flow = (static_cast<std::uint64_t>(from) << 32) | static_cast<std::uint64_t>(to);
    const auto [found, isNew] = m_routeOfFlow.emplace(flow, static_cast<std::int32_t>(m_routes.size()));
    if (isNew) m_routes.push_back(hashed(m_routes[at(even)], begin, end, flow));
    return found->second;
}

/// Where a link leads.
std::int32_t Fabric::endOf(std::int32_t link) const
{
    const std::size_t pair = at(link) / 2 - at(m_gpus);
    return link % 2 == 0 ? m_upper[pair] : m_lower[pair];
}

/// Every switch draws for each of its links and takes the smallest: an exponential over the link's share, so links are
/// taken in proportion (weighted rendezvous hashing), and without a link only those draws change that it had won.
Route Fabric::hashed(const Route &even, std::int32_t from, std::int32_t to, std::uint64_t flow) const
{
    struct Way {
        std::int32_t begin = 0;
        LinkUse use;
    };
    std::vector<Way> ways;
    for (const LinkUse &use : even.links) ways.push_back({endOf(use.link ^ 1), use});
    std::sort(ways.begin(), ways.end(), [](const Way &a, const Way &b) { return a.begin != b.begin ? a.begin < b.begin : a.use.link < b.use.link; });
    std::vector<std::int32_t> taken;
    for (std::int32_t path = 0; path < m_ecmp.paths; ++path) {
        const std::uint64_t stream = randomStream({m_ecmp.seed, flow, static_cast<std::uint64_t>(path)});
        for (std::int32_t vertex = from; vertex != to;) {
            auto way = std::lower_bound(ways.begin(), ways.end(), vertex, [](const Way &each, std::int32_t v) { return each.begin < v; });
            std::int32_t chosen = kNone;
            double smallest = 0.0;
            for (; way != ways.end() && way->begin == vertex; ++way) {
                const double draw = randomExponential(stream, static_cast<std::uint64_t>(way->use.link)) / way->use.weight;
                if (chosen != kNone && draw >= smallest) continue;
                chosen = way->use.link;
                smallest = draw;
            }
            taken.push_back(chosen);
            vertex = endOf(chosen);
        }
    }
    std::sort(taken.begin(), taken.end());
    Route route;
    route.exists = true;
    for (std::size_t i = 0; i < taken.size();) {
        std::size_t end = i;
        while (end < taken.size() && taken[end] == taken[i]) ++end;
        take(taken[i], static_cast<double>(end - i) / m_ecmp.paths, route);
        i = end;
    }
    return route;
}

} // namespace clusterbeat
