// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/plan.h"
#include "model/workload/layer_cost.h"

#include <deque>

namespace clusterbeat {

/// Layers of one kind cost the same; a model has few kinds (window or not, experts or not, recomputed or not, offloaded or not).
class LayerCache {
public:
    LayerCache(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network);
    /// `indexInStage` counts over the stage's chunks: it decides recompute and offload.
    const LayerSegments &at(std::int64_t layer, std::int64_t indexInStage);

private:
    struct Entry {
        double share;
        bool experts;
        LayerRecompute recompute;
        bool inHost;
        LayerSegments segments;
    };
    const ResolvedScenario &m_scenario;
    const CostConstants &m_constants;
    const NetworkModel &m_network;
    std::deque<Entry> m_entries; ///< references stay
};

/// Which part of the backward pass an operation does.
enum class BackwardPart : std::uint8_t { Whole, InputGradient, WeightGradient };

/// Segments of one chunk's operations for one micro-batch, in execution order: layer by layer compute, exposed
/// communication and host time, embedding and output layer at the model's ends. Each duration is rounded to the clock
/// once; nothing takes no segment, so an empty chunk has an empty shape.
class ChunkShapes {
public:
    /// `growth` multiplies compute: the slowest of many GPUs sets the pace.
    ChunkShapes(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                LayerCache &layers, std::int64_t stage, std::int64_t chunk, double growth);

    [[nodiscard]] std::int64_t layers() const { return m_count; }
    /// Compute of one pass's layers and output layer that nothing on these wires runs behind yet; seconds.
    [[nodiscard]] double forwardRoom(Wires wires) const;
    [[nodiscard]] double backwardRoom(Wires wires, BackwardPart part) const;
    [[nodiscard]] OperationShape forward() const;
    /// `reduceExposed`: seconds of a gradient reduction that ends the operation.
    [[nodiscard]] OperationShape backward(BackwardPart part, double reduceExposed = 0.0) const;

private:
    [[nodiscard]] const LayerSegments &layer(std::int64_t index) const;
    [[nodiscard]] const LayerSegments &predictionModule() const;

    const ResolvedScenario &m_scenario;
    const CostConstants &m_constants;
    LayerCache &m_layers;
    ShardCollectives m_vocabulary;   ///< FSDP of embedding or output layer
    std::int64_t m_firstLayer = 0;   ///< in the model
    std::int64_t m_firstInStage = 0; ///< counted over the stage's chunks
    std::int64_t m_count = 0;
    bool m_first = false, m_last = false, m_predicts = false;
    double m_growth = 1.0;
};

} // namespace clusterbeat
