// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/max_min.h"

#include "model/base/index.h"
#include "model/base/ids.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

namespace clusterbeat {
namespace {

struct LinkState {
    double room = 0.0;       // capacity that flows at rest leave
    double weight = 0.0;     // of the flows that still rise
    std::int32_t rising = 0; // number of them: exact, where subtracted weights are not
    std::size_t end = 0;     // of its column
    [[nodiscard]] double level() const { return std::max(room, 0.0) / weight; }
};

class Filling final {
public:
    Filling(const FlowTable &flows, const std::vector<double> &capacities)
        : m_flows(flows), m_links(capacities.size()), m_result()
    {
        m_result.rates.assign(flows.size(), std::numeric_limits<double>::infinity());
        m_result.limiting.assign(flows.size(), kNone);
        for (std::size_t i = 0; i < capacities.size(); ++i)
            m_links[i].room = capacities[i];
        for (const LinkUse &use : flows.uses) {
            m_links[at(use.link)].weight += use.weight;
            ++m_links[at(use.link)].rising;
        }
        fillColumns();
    }

    MaxMinRates run()
    {
        fillFirst();
        // A link's level never falls when flows stop, so an entry may be old but never too high.
        for (std::size_t i = 0; i < m_links.size(); ++i)
            if (m_links[i].rising > 0) m_heap.emplace_back(m_links[i].level(), static_cast<std::int32_t>(i));
        std::make_heap(m_heap.begin(), m_heap.end(), std::greater<>());
        std::vector<std::int32_t> full;
        while (!m_heap.empty()) {
            const double level = popFull(full);
            std::sort(full.begin(), full.end());
            for (const std::int32_t link : full)
                stopFlowsOf(link, level);
        }
        return std::move(m_result);
    }

private:
    using Entry = std::pair<double, std::int32_t>;
    static constexpr double kSameLevel = 1e-9;

    /// The first level by plain search: on a regular network most links fill here, and need no heap.
    void fillFirst()
    {
        double level = std::numeric_limits<double>::infinity();
        for (const LinkState &link : m_links)
            if (link.rising > 0) level = std::min(level, link.level());
        std::vector<std::int32_t> full;
        for (std::size_t i = 0; i < m_links.size(); ++i)
            if (m_links[i].rising > 0 && m_links[i].level() <= level * (1.0 + kSameLevel))
                full.push_back(static_cast<std::int32_t>(i));
        for (const std::int32_t link : full)
            stopFlowsOf(link, level);
    }

    /// Takes the links that fill next off the heap and returns their level; none are left when `full` is empty.
    double popFull(std::vector<std::int32_t> &full)
    {
        full.clear();
        double level = 0.0;
        while (!m_heap.empty() && (full.empty() || m_heap.front().first <= level * (1.0 + kSameLevel))) {
            std::pop_heap(m_heap.begin(), m_heap.end(), std::greater<>());
            const Entry entry = m_heap.back();
            m_heap.pop_back();
            const LinkState &link = m_links[at(entry.second)];
            if (link.rising == 0) continue;
            const double now = link.level();
            if (now > entry.first * (1.0 + kSameLevel)) {
                m_heap.emplace_back(now, entry.second);
                std::push_heap(m_heap.begin(), m_heap.end(), std::greater<>());
                continue;
            }
            if (full.empty()) level = now;
            full.push_back(entry.second);
        }
        return level;
    }

    void fillColumns()
    {
        std::size_t total = 0;
        for (LinkState &link : m_links) {
            link.end = total;
            total += at(link.rising);
        }
        m_column.resize(total);
        for (std::size_t flow = 0; flow < m_flows.size(); ++flow)
            for (std::size_t u = m_flows.begin(flow); u < m_flows.rowEnd[flow]; ++u)
                m_column[m_links[at(m_flows.uses[u].link)].end++] = static_cast<std::int32_t>(flow);
    }

    void stopFlowsOf(std::int32_t link, double level)
    {
        const std::size_t begin = link == 0 ? 0 : m_links[at(link) - 1].end;
        for (std::size_t i = begin; i < m_links[at(link)].end; ++i) {
            const auto flow = static_cast<std::size_t>(m_column[i]);
            if (m_result.limiting[flow] != kNone) continue;
            m_result.rates[flow] = level;
            m_result.limiting[flow] = link;
            for (std::size_t u = m_flows.begin(flow); u < m_flows.rowEnd[flow]; ++u) {
                const LinkUse &use = m_flows.uses[u];
                LinkState &other = m_links[at(use.link)];
                other.room -= use.weight * level;
                other.weight -= use.weight;
                --other.rising;
            }
        }
    }

    const FlowTable &m_flows;
    std::vector<LinkState> m_links;
    std::vector<std::int32_t> m_column; // flows of link 0, of link 1, …
    std::vector<Entry> m_heap;
    MaxMinRates m_result;
};

} // namespace

MaxMinRates maxMinRates(const FlowTable &flows, const std::vector<double> &capacities)
{
    return Filling(flows, capacities).run();
}

} // namespace clusterbeat
