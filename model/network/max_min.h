// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace clusterbeat {

/// A flow at rate x takes weight * x of the link's capacity.
struct LinkUse {
    std::int32_t link = 0;
    double weight = 1.0;
};

/// Flows as rows of (link, weight); a row names a link at most once.
struct FlowTable {
    std::vector<std::size_t> rowEnd; ///< flow f uses uses[rowEnd[f-1] .. rowEnd[f])
    std::vector<LinkUse> uses;

    void use(std::int32_t link, double weight) { uses.push_back({link, weight}); }
    /// Ends the row begun by the last use() calls.
    void endFlow() { rowEnd.push_back(uses.size()); }
    [[nodiscard]] std::size_t size() const { return rowEnd.size(); }
    [[nodiscard]] std::size_t begin(std::size_t flow) const { return flow == 0 ? 0 : rowEnd[flow - 1]; }
};

struct MaxMinRates {
    std::vector<double> rates;          ///< by flow, in the unit of the capacities; infinite without links
    std::vector<std::int32_t> limiting; ///< by flow: the lowest-numbered saturated link on it, or kNone
};

/// Max-min fair rates by progressive filling (Bertsekas & Gallager, Data Networks, 1992, section 6.5.2): all rates
/// rise together; when a link is full, the flows through it stop; the others go on.
/// Links within 1e-9 of the same level fill at once. Capacities >= 0, weights > 0. O(uses * log links).
[[nodiscard]] MaxMinRates maxMinRates(const FlowTable &flows, const std::vector<double> &capacities);

} // namespace clusterbeat
