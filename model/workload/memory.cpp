// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/memory.h"

#include "model/workload/activation_memory.h"
#include "model/workload/context_exchange.h"
#include "model/workload/host_link.h"
#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat
{
namespace
{

// Adam in mixed precision: fp32 master weights and two fp32 moments (Rajbhandari et al. 2020, section 3.1).
constexpr double kOptimizerBytes = 12.0;
constexpr double kParameterBytes = 2.0;
// Offloaded activations in the GPU: the layer at work and the one on its way.
constexpr double kCopyBuffers = 2.0;

double real(std::int64_t value)
{
    return static_cast<double>(value);
}
Bytes toBytes(double bytes)
{
    return static_cast<Bytes>(std::llround(std::clamp(bytes, 0.0, 1e18)));
}

/// Bytes of one chunk on one GPU.
struct ChunkBytes {
    double parameters = 0.0;
    double gradients = 0.0;                                 ///< the whole chunk's buffer
    double activations = 0.0;                               ///< of one micro-batch, forward to backward
    double recomputing = 0.0;                               ///< more, while a recomputed layer's backward runs
    double largestCopied = 0.0;                             ///< of the layers whose activations stay in the host
    double gathered = 0.0;                                  ///< ZeRO-3: the layer at work and the next, whole
    double twoLayersGradients = 0.0;                        ///< of the largest layer and its neighbour
    HeldParameters weights;                                 ///< count
    double shardedGradients = 0.0, shardedParameters = 0.0; ///< this rank's shard
};

// fp16 training unscales gradients into fp32 ones before the step; bf16 stacks keep what they accumulate, and the
// 16-bit gradient beside it when the accumulation is not fused into the weight gradient.
double gradientBytesInMemory(const ResolvedScenario &scenario)
{
    if (scenario.training.precision == Precision::Fp16) return 4.0;
    const bool both = scenario.software.accumulationBytesPerParameter > 0.0;
    return real(gradientBytes(scenario)) + (both ? 2.0 : 0.0);
}

ChunkBytes chunkBytes(const ResolvedScenario &scenario, std::int64_t stage, std::int64_t chunk)
{
    const Degrees &degrees = scenario.degrees;
    ChunkBytes bytes;
    bytes.weights = chunkParameters(scenario, stage, chunk).held();
    bytes.parameters = kParameterBytes * bytes.weights.total();
    bytes.gradients = gradientBytesInMemory(scenario) * bytes.weights.total();
    const double shard = optimizerParameters(scenario, bytes.weights);
    bytes.shardedParameters = kParameterBytes * shard;
    bytes.shardedGradients = gradientBytesInMemory(scenario) * shard;
    std::int64_t firstInStage = 0;
    for (std::int64_t earlier = 0; earlier < chunk; ++earlier)
        firstInStage += degrees.chunkLayers(stage, earlier);
    const std::int64_t firstLayer = firstLayerOfChunk(degrees, stage, chunk);
    double largestLayer = 0.0;
    for (std::int64_t i = 0; i < degrees.chunkLayers(stage, chunk); ++i) {
        const double kept = layerActivationBytes(scenario, firstLayer + i, firstInStage + i);
        const bool inHost = keepsActivationsInHost(scenario, firstInStage + i);
        if (inHost)
            bytes.largestCopied = std::max(bytes.largestCopied, kept);
        else
            bytes.activations += kept;
        if (recomputeOf(scenario, firstInStage + i) != LayerRecompute::None)
            bytes.recomputing = std::max(bytes.recomputing, fullLayerActivationBytes(scenario, firstLayer + i) - kept);
        const LayerParameters p = layerParameters(scenario.model, firstLayer + i);
        largestLayer = std::max(largestLayer, heldParameters(scenario, p).total());
    }
    if (isFirstChunk(degrees, stage, chunk)) bytes.activations += embeddingActivationBytes(scenario);
    const double modules = real(scenario.model.mtpLayers);
    if (isLastChunk(degrees, stage, chunk)) bytes.activations += (1.0 + modules) * headActivationBytes(scenario);
    if (modules > 0.0 && isPredictionChunk(degrees, stage, chunk)) {
        const std::int64_t after = firstInStage + degrees.chunkLayers(stage, chunk);
        bytes.activations += modules * layerActivationBytes(scenario, predictionLayer(scenario.model), after);
    }
    if (degrees.zeroStage == 3) bytes.gathered = 2.0 * kParameterBytes * largestLayer;
    bytes.twoLayersGradients = 2.0 * gradientBytesInMemory(scenario) * largestLayer;
    return bytes;
}

/// Counts what is alive while a stage's operations run in order.
class StageWalk
{
public:
    StageWalk(const ResolvedScenario &scenario, const CostConstants &constants, std::int64_t stage)
        : m_scenario(scenario), m_constants(constants)
    {
        double optimizer = 0.0;
        for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
            m_chunks.push_back(chunkBytes(scenario, stage, chunk));
            optimizer += kOptimizerBytes * optimizerParameters(scenario, m_chunks.back().weights);
            m_gathered = std::max(m_gathered, m_chunks.back().gathered);
            m_twoLayersGradients = std::max(m_twoLayersGradients, m_chunks.back().twoLayersGradients);
            m_copied = std::max(m_copied, kCopyBuffers * m_chunks.back().largestCopied);
            const bool parametersSharded = scenario.degrees.zeroStage == 3;
            const bool gradientsSharded = scenario.degrees.zeroStage >= 2;
            m_parameters += parametersSharded ? m_chunks.back().shardedParameters : m_chunks.back().parameters;
            m_gradients += gradientsSharded ? m_chunks.back().shardedGradients : m_chunks.back().gradients;
        }
        m_optimizer = scenario.training.optimizerOffload ? 0.0 : optimizer;
        m_live.assign(m_chunks.size(), 0);
    }

    /// The parts at the end of a forward, or during a backward, when its activations and buffers are still there.
    MemoryParts step(const ScheduledOperation &operation)
    {
        const std::size_t chunk = static_cast<std::size_t>(operation.chunk);
        const bool forward = operation.kind == OperationKind::Forward;
        // The weight gradient, alone or with the input's, is the last that needs the activations.
        const bool last = operation.kind == OperationKind::Backward || operation.kind == OperationKind::WeightGradient;
        if (forward) ++m_live[chunk];
        if (last) accumulate(operation.chunk);
        const MemoryParts parts = now(forward ? 0.0 : m_chunks[chunk].recomputing);
        if (last) --m_live[chunk];
        return parts;
    }
    /// The parts between operations.
    [[nodiscard]] MemoryParts atRest() const { return now(0.0); }

private:
    // A chunk's gradient is whole from the first backward of a run of micro-batches; the run's end starts its
    // reduction into the shard, beside which the next run accumulates when communication overlaps.
    void accumulate(std::int32_t chunk)
    {
        if (chunk == m_accumulating) return;
        m_reducing = m_scenario.degrees.overlapData ? m_accumulating : kNone;
        m_accumulating = chunk;
    }
    [[nodiscard]] double gradientOf(std::int32_t chunk) const
    {
        return chunk == kNone ? 0.0 : m_chunks[static_cast<std::size_t>(chunk)].gradients;
    }
    [[nodiscard]] MemoryParts now(double transient) const
    {
        double activations = transient + m_copied;
        const double buffers = m_constants.bufferBytes + m_gathered + contextBufferBytes(m_scenario);
        for (std::size_t chunk = 0; chunk < m_chunks.size(); ++chunk)
            activations += m_chunks[chunk].activations * real(m_live[chunk]);
        MemoryParts parts;
        parts.parameters = toBytes(m_parameters);
        parts.gradients = toBytes(m_gradients + gradientBuffers());
        parts.optimizer = toBytes(m_optimizer);
        parts.activations = toBytes(activations * (1.0 + m_constants.fragmentation));
        parts.buffers = toBytes(buffers);
        return parts;
    }
    // ZeRO-3, and ZeRO-2 with one chunk a rank, reduce layer by layer as every backward goes: two layers' gradients at a
    // time. ZeRO-2 with several chunks accumulates a run of micro-batches before it reduces.
    [[nodiscard]] double gradientBuffers() const
    {
        const double accumulating = gradientOf(m_accumulating) + gradientOf(m_reducing);
        if (m_scenario.degrees.zeroStage < 2) return 0.0;
        return reducesEveryBackward(m_scenario) ? std::min(accumulating, m_twoLayersGradients) : accumulating;
    }

    const ResolvedScenario &m_scenario;
    const CostConstants &m_constants;
    std::vector<ChunkBytes> m_chunks;
    double m_parameters = 0.0, m_gradients = 0.0, m_optimizer = 0.0, m_gathered = 0.0, m_copied = 0.0;
    double m_twoLayersGradients = 0.0;
    std::int32_t m_accumulating = kNone, m_reducing = kNone; ///< chunks
    std::vector<std::int64_t> m_live;
};

} // namespace

std::vector<StageMemory> stageMemory(const ResolvedScenario &scenario, const CostConstants &constants,
                                     const PipelineSchedule &schedule, bool everyOperation)
{
    std::vector<StageMemory> result;
    for (std::size_t stage = 0; stage < schedule.order.size(); ++stage) {
        StageMemory memory;
        if (schedule.order[stage].empty()) {
            result.push_back(memory);
            continue;
        }
        StageWalk walk(scenario, constants, static_cast<std::int64_t>(stage));
        memory.idle = walk.atRest();
        if (everyOperation) memory.operations.reserve(schedule.order[stage].size());
        for (std::size_t i = 0; i < schedule.order[stage].size(); ++i) {
            const MemoryParts parts = walk.step(schedule.order[stage][i]);
            if (everyOperation) memory.operations.push_back({parts, walk.atRest()});
            if (i > 0 && parts.total() <= memory.peak.total()) continue;
            memory.peak = parts;
            memory.operation = static_cast<std::int32_t>(i);
        }
        result.push_back(std::move(memory));
    }
    return result;
}

Bytes usableMemory(const Accelerator &accelerator, const CostConstants &constants)
{
    return toBytes(accelerator.hbmGb * kBytesPerGib - constants.contextBytes);
}

} // namespace clusterbeat
