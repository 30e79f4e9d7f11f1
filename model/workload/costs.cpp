// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/costs.h"

#include "model/base/math.h"
#include "model/workload/communication_report.h"
#include "model/workload/layer_cost.h"
#include "model/workload/parameters.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

// A full-iteration CUDA graph leaves this share of the iteration's fixed host time (calibration of 2026-11).
constexpr double kFullGraphIterationShare = 0.3;

/// Appends segments, each rounded to the clock once; nothing takes no segment.
class ShapeBuilder {
public:
    explicit ShapeBuilder(double growth) : m_growth(growth) {}
    void add(Category category, double seconds)
    {
        const TimeNs ns = toNs(scalesWithSpeed(category) ? seconds * m_growth : seconds);
        if (ns > 0) m_shape.segments.push_back({category, ns});
    }
    [[nodiscard]] OperationShape take() { return std::move(m_shape); }

private:
    double m_growth;
    OperationShape m_shape;
};

/// Layers of one kind cost the same; a model has few kinds (window or not, recomputed or not).
class LayerCache {
public:
    LayerCache(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
        : m_scenario(scenario), m_constants(constants), m_network(network)
    {
    }
    const LayerSegments &at(std::int64_t layer, LayerRecompute recompute)
    {
        const double share = attentionShare(m_scenario.model, layer, static_cast<double>(m_scenario.training.sequenceLength),
                                            m_scenario.training.causalAttention);
        for (const Entry &entry : m_entries)
            if (entry.share == share && entry.recompute == recompute) return entry.segments;
        m_entries.push_back({share, recompute, layerSegments(m_scenario, m_constants, m_network, layer, recompute)});
        return m_entries.back().segments;
    }

private:
    struct Entry {
        double share;
        LayerRecompute recompute;
        LayerSegments segments;
    };
    const ResolvedScenario &m_scenario;
    const CostConstants &m_constants;
    const NetworkModel &m_network;
    std::vector<Entry> m_entries;
};

// Communication behind compute slows it; shared out over the two blocks by their compute.
double stretch(double contention, const BlockSeconds &attention, const BlockSeconds &mlp)
{
    const double compute = attention.compute() + mlp.compute();
    return compute > 0.0 ? 1.0 + contention / compute : 1.0;
}

void addForwardPass(ShapeBuilder &shape, Category category, const BlockCollectives &tensor, bool parallel, double attention, double mlp)
{
    shape.add(Category::ExposedTp, tensor.before);
    shape.add(category, attention);
    if (!parallel) {
        shape.add(Category::ExposedTp, tensor.after);
        shape.add(Category::ExposedTp, tensor.before);
    }
    shape.add(category, mlp);
    shape.add(Category::ExposedTp, tensor.after);
}

void addForwardLayer(ShapeBuilder &shape, const LayerSegments &layer)
{
    const double slower = stretch(layer.contentionForward, layer.blocks.attentionForward, layer.blocks.mlpForward);
    shape.add(Category::ExposedDp, layer.shardForward);
    addForwardPass(shape, Category::Forward, layer.tensor.forward, layer.parallelBlock,
                   layer.blocks.attentionForward.compute() * slower, layer.blocks.mlpForward.compute() * slower);
    shape.add(Category::Host, layer.hostForward);
}

void addBackwardLayer(ShapeBuilder &shape, const LayerSegments &layer)
{
    const double slower = stretch(layer.contentionBackward, layer.blocks.attentionBackward, layer.blocks.mlpBackward);
    shape.add(Category::ExposedDp, layer.shardBackward);
    if (layer.recomputesCollectives) {
        addForwardPass(shape, Category::Recompute, layer.tensor.forward, layer.parallelBlock, layer.recomputeAttention,
                       layer.recomputeMlp);
    } else {
        shape.add(Category::Recompute, layer.recomputeAttention);
        shape.add(Category::Recompute, layer.recomputeMlp);
    }
    addForwardPass(shape, Category::Backward, layer.tensor.backward, layer.parallelBlock,
                   layer.blocks.mlpBackward.compute() * slower, layer.blocks.attentionBackward.compute() * slower);
    shape.add(Category::Host, layer.hostBackward);
}

struct ChunkContext {
    std::int64_t stage = 0, chunk = 0;
    std::int64_t firstLayer = 0;      ///< in the model
    std::int64_t firstInStage = 0;    ///< counted over the stage's chunks
    std::int64_t layers = 0;
    bool first = false, last = false;
    double growth = 1.0;
};

ChunkContext contextOf(const ResolvedScenario &scenario, std::int64_t stage, std::int64_t chunk, double growth)
{
    const Degrees &degrees = scenario.degrees;
    ChunkContext context;
    context.stage = stage;
    context.chunk = chunk;
    context.firstLayer = firstLayerOfChunk(degrees, stage, chunk);
    for (std::int64_t earlier = 0; earlier < chunk; ++earlier) context.firstInStage += degrees.chunkLayers(stage, earlier);
    context.layers = degrees.chunkLayers(stage, chunk);
    context.first = isFirstChunk(stage, chunk);
    context.last = isLastChunk(degrees, stage, chunk);
    context.growth = growth;
    return context;
}

// FSDP of embedding and output layer: half a gather shows in the forward, the reduction in the backward.
ShardCollectives vocabularySharding(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
{
    return shardCollectives(scenario, constants, network,
                            vocabularyParameters(scenario.model) / static_cast<double>(scenario.degrees.tensor));
}

OperationShape forwardShape(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                            LayerCache &layers, const ChunkContext &context)
{
    ShapeBuilder shape(context.growth);
    const ShardCollectives vocabulary = vocabularySharding(scenario, constants, network);
    if (context.first) {
        shape.add(Category::ExposedDp, 0.5 * vocabulary.gather);
        shape.add(Category::Forward, embeddingSeconds(scenario, constants).forward);
    }
    for (std::int64_t i = 0; i < context.layers; ++i)
        addForwardLayer(shape, layers.at(context.firstLayer + i, recomputeOf(scenario, context.firstInStage + i)));
    if (context.last) {
        shape.add(Category::ExposedDp, 0.5 * vocabulary.gather);
        shape.add(Category::Forward, headSeconds(scenario, constants).forward);
    }
    return shape.take();
}

OperationShape backwardShape(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                             LayerCache &layers, const ChunkContext &context, double reduceExposed)
{
    ShapeBuilder shape(context.growth);
    const ShardCollectives vocabulary = vocabularySharding(scenario, constants, network);
    if (context.last) {
        shape.add(Category::Backward, headSeconds(scenario, constants).backward);
        shape.add(Category::ExposedDp, vocabulary.reduce);
    }
    for (std::int64_t i = context.layers - 1; i >= 0; --i)
        addBackwardLayer(shape, layers.at(context.firstLayer + i, recomputeOf(scenario, context.firstInStage + i)));
    if (context.first) {
        shape.add(Category::Backward, embeddingSeconds(scenario, constants).backward);
        shape.add(Category::ExposedDp, vocabulary.reduce);
    }
    shape.add(Category::ExposedDp, reduceExposed);
    return shape.take();
}

// The slowest of G GPUs sets the pace; the expected maximum of G normal draws grows as sqrt(2 ln G). Normalised to
// the 8 GPUs of one server, where the constants were fitted; smaller jobs gain nothing.
double growthAtScale(const ResolvedScenario &scenario, const CostConstants &constants)
{
    const double gpus = static_cast<double>(scenario.degrees.ranks());
    if (gpus <= 8.0) return 1.0;
    return 1.0 + constants.jitterGrowth * std::max(0.0, std::sqrt(2.0 * exactLog(gpus)) - 2.04);
}

// Reducing after every micro-batch shows what does not fit behind one backward; the last one runs as the chunk's own.
double reduceExposedPerMicroBatch(const ResolvedScenario &scenario, double reduceSeconds, double backwardSeconds)
{
    if (scenario.training.reduceEvery.value_or(ReduceEvery::ChunkEnd) != ReduceEvery::MicroBatch) return 0.0;
    if (scenario.degrees.zeroStage == 3) return 0.0;   // FSDP reduces by layer
    return scenario.degrees.overlapData ? std::max(0.0, reduceSeconds - backwardSeconds) : reduceSeconds;
}

// Buckets of one layer each: communication runs behind the chunk's own pass but for the first or last bucket, as far
// as the calibrated usable share of that window goes.
ChunkSync chunkSync(const SyncSeconds &seconds, double layers, double forward, double backward, const CostConstants &constants)
{
    ChunkSync sync;
    sync.parameterGather = toNs(seconds.gather);
    sync.gradientReduce = toNs(seconds.reduce);
    if (layers < 2.0) return sync;
    const double others = (layers - 1.0) / layers;
    const double window = std::min(constants.dataOverlapWindow, others);
    sync.gatherLead = toNs(std::min(window * forward, others * seconds.gather));
    sync.reduceLead = toNs(std::min(window * backward, others * seconds.reduce));
    return sync;
}

// Adam reads and writes its states once (30 bytes a parameter of the own shard; FSDP1 in unfused kernels twice that)
// and every local gradient once for the norm.
double optimizerSeconds(const ResolvedScenario &scenario, const CostConstants &constants, double parameters)
{
    const double shard = parameters / optimizerShards(scenario);
    const double local = scenario.degrees.zeroStage == 3 ? shard : parameters;
    const double passes = scenario.software.fsdp == FsdpFlavour::Fsdp1 && scenario.degrees.zeroStage == 3 ? 2.0 : 1.0;
    const double bytes = constants.optimizerBytesPerParameter * passes * shard + 4.0 * local;
    return bytes / (scenario.accelerator.hbmTbytesPerS * 1e12 * constants.hbmEfficiency);
}

// Activations at a stage boundary, 2·n·h bytes, leave a rank's GPUs 1/t each: split by sequence parallelism, or by
// scatter before and gather over NVLink after the transfer (Narayanan et al. 2021, section 4.1).
std::vector<TimeNs> transferTimes(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
{
    const Degrees &degrees = scenario.degrees;
    std::vector<TimeNs> times(static_cast<std::size_t>(degrees.pipeline * degrees.data), 0);
    if (degrees.pipeline == 1) return times;
    const double bytes = boundaryBytes(scenario);
    const double gather =
        degrees.sequenceParallel || degrees.tensor == 1 ? 0.0 : tensorCollectives(scenario, constants, network).single;
    for (std::size_t i = 0; i < times.size() && i < network.pipeline.size(); ++i) {
        const TransferPath &path = network.pipeline[i];
        times[i] = path.bytesPerS > 0.0 ? toNs(bytes / path.bytesPerS + path.latencyS + gather) : 0;
    }
    return times;
}

void addStage(WorkloadCosts &costs, const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
              LayerCache &layers, std::int64_t stage)
{
    const double growth = growthAtScale(scenario, constants);
    std::vector<OperationShape> forward, backward;
    std::vector<ChunkSync> sync;
    double parameters = 0.0;
    for (std::int64_t chunk = 0; chunk < scenario.degrees.virtualPipeline; ++chunk) {
        const ChunkContext context = contextOf(scenario, stage, chunk, growth);
        const double held = chunkParameters(scenario, stage, chunk).total();
        parameters += held;
        const SyncSeconds seconds = chunkSyncSeconds(scenario, constants, network, held);
        forward.push_back(forwardShape(scenario, constants, network, layers, context));
        OperationShape shape = backwardShape(scenario, constants, network, layers, context, 0.0);
        const double exposed = reduceExposedPerMicroBatch(scenario, seconds.reduce, toSeconds(shape.total()));
        if (exposed > 0.0) shape = backwardShape(scenario, constants, network, layers, context, exposed);
        backward.push_back(std::move(shape));
        sync.push_back(chunkSync(seconds, static_cast<double>(context.layers), toSeconds(forward.back().total()),
                                 toSeconds(backward.back().total()), constants));
    }
    costs.forward.push_back(std::move(forward));
    costs.backward.push_back(std::move(backward));
    costs.sync.push_back(std::move(sync));
    costs.optimizer.push_back(toNs(optimizerSeconds(scenario, constants, parameters)));
    const bool graph = scenario.software.cudaGraphs == CudaGraphs::Full;
    costs.hostAtStart.push_back(toNs(constants.iterationHostS * (graph ? kFullGraphIterationShare : 1.0)));
}

LayerSeconds secondsOf(const BlockSeconds &attention, const BlockSeconds &mlp)
{
    LayerSeconds s;
    s.matmul = attention.matmul + mlp.matmul;
    s.attention = attention.attention + mlp.attention;
    s.elementwise = attention.elementwise + mlp.elementwise + attention.accumulation + mlp.accumulation;
    s.cast = attention.cast + mlp.cast;
    return s;
}

} // namespace

WorkloadCosts workloadCosts(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
{
    WorkloadCosts costs;
    LayerCache layers(scenario, constants, network);
    for (std::int64_t stage = 0; stage < scenario.degrees.pipeline; ++stage)
        addStage(costs, scenario, constants, network, layers, stage);
    costs.transfer = transferTimes(scenario, constants, network);
    costs.communication = communicationReports(scenario, constants, network, costs.transfer);
    return costs;
}

LayerCost layerCost(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
{
    const LayerSegments segments = layerSegments(scenario, constants, network, 0, recomputeOf(scenario, 0));
    const double blocks = segments.parallelBlock ? 1.0 : 2.0;
    const double exposedForward = blocks * (segments.tensor.forward.before + segments.tensor.forward.after);
    LayerCost cost;
    cost.forward = secondsOf(segments.blocks.attentionForward, segments.blocks.mlpForward);
    cost.forward.tensorExposed = exposedForward;
    cost.forward.host = segments.hostForward;
    cost.forward.contention = segments.contentionForward;
    cost.forward.sharding = segments.shardForward;
    cost.backward = secondsOf(segments.blocks.attentionBackward, segments.blocks.mlpBackward);
    cost.backward.tensorExposed = blocks * (segments.tensor.backward.before + segments.tensor.backward.after);
    cost.backward.host = segments.hostBackward;
    cost.backward.contention = segments.contentionBackward;
    cost.backward.sharding = segments.shardBackward;
    cost.backward.recompute = segments.recomputeAttention + segments.recomputeMlp + (segments.recomputesCollectives ? exposedForward : 0.0);
    const HeadSeconds head = headSeconds(scenario, constants);
    cost.headForward = head.forward;
    cost.headBackward = head.backward;
    return cost;
}

} // namespace clusterbeat
