// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "model/network/network_model.h"
#include "model/scenario/catalogue.h"
#include "model/workload/traffic.h"

#include <array>
#include <cstdint>
#include <vector>

namespace clusterbeat {

/// Groups that carry traffic.
enum class Carrier : std::uint8_t { Tensor, Context, ExpertInside, ExpertAcross, ExpertTensor, Data, ExpertData, Replicas, ExpertReplicas };
inline constexpr std::size_t kCarriers = 9;
[[nodiscard]] Dimension dimensionOf(Carrier carrier);

/// Bytes that a rank sends in one iteration, over equal bins of it.
struct TrafficSource {
    Dimension dimension = Dimension::Tensor;
    double bytes = 0.0;
    std::vector<double> bins; ///< sums to bytes
};

/// All sources of an iteration, derived from the trace. Collectives of passes are spread over their operation, whose
/// layers follow each other faster than a bin; gathers, reductions and transfers over their own time.
class LinkTraffic final {
public:
    LinkTraffic(const IterationResult &result, const CostConstants &constants, const NetworkModel &network, std::int32_t bins);

    [[nodiscard]] const std::vector<TrafficSource> &sources() const { return m_sources; }
    /// Of the ranks of a stage of a replica; kNone = nothing.
    [[nodiscard]] std::int32_t sourceOf(Carrier carrier, std::int32_t stage, std::int32_t replica) const;
    /// Activations or gradients to another stage; kNone = nothing.
    [[nodiscard]] std::int32_t transferSource(std::int32_t stage, std::int32_t to, std::int32_t replica) const;
    /// Stages that a stage sends to.
    [[nodiscard]] const std::vector<std::int32_t> &destinationsOf(std::int32_t stage) const { return m_destinations[static_cast<std::size_t>(stage)]; }

private:
    void addPasses(std::int32_t stage, std::int32_t cls);
    void addSync(std::int32_t stage, std::int32_t cls);
    void addTransfers(std::int32_t stage, std::int32_t cls);
    TrafficSource &carried(Carrier carrier, std::int32_t stage, std::int32_t cls);
    void spread(TrafficSource &source, TimeNs begin, TimeNs end, double bytes) const;

    const IterationResult &m_result;
    std::int32_t m_bins;
    std::vector<ChunkTraffic> m_chunks;                     ///< [stage * chunks + chunk]
    std::vector<TrafficSource> m_sources;
    std::vector<std::int32_t> m_ofCarrier;                  ///< [(stage * classes + class) * kCarriers + carrier]
    std::vector<std::vector<std::int32_t>> m_destinations;  ///< by stage
    std::vector<std::vector<std::int32_t>> m_transfers;     ///< [stage * classes + class][number of the destination]
};

} // namespace clusterbeat
