// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/workload/operation_shapes.h"

#include "model/workload/host_link.h"
#include "model/workload/parameters.h"
#include "model/workload/recompute.h"
#include "model/workload/sharding.h"

#include <algorithm>
#include <utility>

namespace clusterbeat
{
namespace
{

class ShapeBuilder
{
public:
    explicit ShapeBuilder(double growth) : m_growth(growth) {}
    /// `attention`: the part of compute that grows with the documents' lengths.
    void add(Category category, double seconds, double attention = 0.0)
    {
        const TimeNs ns = toNs(scalesWithSpeed(category) ? seconds * m_growth : seconds);
        if (ns > 0) m_shape.segments.push_back({category, ns, std::min(ns, toNs(attention * m_growth))});
    }
    [[nodiscard]] OperationShape take() { return std::move(m_shape); }

private:
    double m_growth;
    OperationShape m_shape;
};

// Communication behind compute slows it; shared out over the two blocks by their compute.
double stretch(double contention, double compute)
{
    return compute > 0.0 ? 1.0 + contention / compute : 1.0;
}

/// Compute of one half of a layer (and the part of it that documents lengthen) and what waits around it.
struct Half {
    double compute = 0.0, context = 0.0, attention = 0.0;
    BlockCollectives expert, tensor;
};

Half attentionHalf(double compute, double attention, double context, const BlockCollectives &tensor)
{
    return {compute, context, attention, {}, tensor};
}

// Routed experts alone need no tensor-parallel collectives.
Half mlpHalf(double compute, const LayerSegments &layer, const PassCommunication &pass)
{
    const bool bare = !layer.parallelBlock && layer.tensorBlocks < 2.0;
    return {compute, 0.0, 0.0, pass.expert, bare ? BlockCollectives{} : pass.tensor};
}

void addHalf(ShapeBuilder &shape, Category category, const Half &half)
{
    shape.add(Category::ExposedCp, half.context);
    shape.add(Category::ExposedEp, half.expert.before);
    shape.add(category, half.compute, half.attention);
    shape.add(Category::ExposedEp, half.expert.after);
}

// One half after the other; in a parallel block both between the first's collectives.
void addPass(ShapeBuilder &shape, Category category, bool parallel, const Half &first, const Half &second)
{
    shape.add(Category::ExposedTp, first.tensor.before);
    addHalf(shape, category, first);
    if (!parallel) {
        shape.add(Category::ExposedTp, first.tensor.after);
        shape.add(Category::ExposedTp, second.tensor.before);
    }
    addHalf(shape, category, second);
    shape.add(Category::ExposedTp, second.tensor.after);
}

void addForwardLayer(ShapeBuilder &shape, const LayerSegments &layer)
{
    const double attention = layer.blocks.attentionForward.compute();
    const double mlp = layer.blocks.mlpForward.compute();
    const double slower = stretch(layer.contentionForward, attention + mlp);
    shape.add(Category::ExposedDp, layer.shardForward);
    addPass(shape, Category::Forward, layer.parallelBlock,
            attentionHalf(attention * slower, layer.documentForward * slower, layer.forward.context, layer.forward.tensor),
            mlpHalf(mlp * slower, layer, layer.forward));
    shape.add(Category::Host, layer.hostForward + layer.copyForward);
}

void addRecompute(ShapeBuilder &shape, const LayerSegments &layer)
{
    if (layer.repeats.all) {
        addPass(shape, Category::Recompute, layer.parallelBlock,
                attentionHalf(layer.recomputeAttention, layer.documentForward, layer.repeated.context, layer.repeated.tensor),
                mlpHalf(layer.recomputeMlp, layer, layer.repeated));
        return;
    }
    const BlockCollectives tensor = layer.repeats.mlpTensor ? layer.repeated.tensor : BlockCollectives{};
    const BlockCollectives &expert = layer.repeated.expert;
    shape.add(Category::Recompute, layer.recomputeAttention);
    shape.add(Category::ExposedTp, tensor.before);
    addHalf(shape, Category::Recompute, {layer.recomputeMlp, 0.0, 0.0, expert, {}});
    shape.add(Category::ExposedTp, tensor.after);
}

// The part of a layer's backward that waits for nothing but its own activations: weight gradients. They hide the
// tensor-parallel collectives, so the contention and a share of the host time are theirs too.
void addWeightGradient(ShapeBuilder &shape, const LayerSegments &layer)
{
    const double mlp = layer.blocks.mlpBackward.weightGradient();
    const double attention = layer.blocks.attentionBackward.weightGradient();
    const double slower = stretch(layer.contentionBackward, mlp + attention);
    shape.add(Category::WeightGradient, mlp * slower);
    shape.add(Category::WeightGradient, attention * slower);
    shape.add(Category::Host, layer.hostBackward * (mlp + attention) / layer.backwardGpu());
}

void addInputGradient(ShapeBuilder &shape, const LayerSegments &layer)
{
    const double mlp = layer.blocks.mlpBackward.weightGradient();
    const double attention = layer.blocks.attentionBackward.weightGradient();
    shape.add(Category::ExposedDp, layer.shardBackward);
    shape.add(Category::Host, layer.copyBackward);
    addRecompute(shape, layer);
    addPass(shape, Category::Backward, layer.parallelBlock,
            mlpHalf(layer.blocks.mlpBackward.compute() - mlp, layer, layer.backward),
            attentionHalf(layer.blocks.attentionBackward.compute() - attention, layer.documentBackward,
                          layer.backward.context, layer.backward.tensor));
    shape.add(Category::Host, layer.hostBackward * (1.0 - (mlp + attention) / layer.backwardGpu()));
}

void addWholeBackward(ShapeBuilder &shape, const LayerSegments &layer)
{
    const double mlp = layer.blocks.mlpBackward.compute();
    const double attention = layer.blocks.attentionBackward.compute();
    const double slower = stretch(layer.contentionBackward, mlp + attention);
    shape.add(Category::ExposedDp, layer.shardBackward);
    shape.add(Category::Host, layer.copyBackward);
    addRecompute(shape, layer);
    addPass(shape, Category::Backward, layer.parallelBlock, mlpHalf(mlp * slower, layer, layer.backward),
            attentionHalf(attention * slower, layer.documentBackward * slower, layer.backward.context,
                          layer.backward.tensor));
    shape.add(Category::Host, layer.hostBackward);
}

void addBackwardLayer(ShapeBuilder &shape, const LayerSegments &layer, BackwardPart part)
{
    switch (part) {
    case BackwardPart::Whole:
        addWholeBackward(shape, layer);
        break;
    case BackwardPart::InputGradient:
        addInputGradient(shape, layer);
        break;
    case BackwardPart::WeightGradient:
        addWeightGradient(shape, layer);
        break;
    }
}

void addVocabularyBackward(ShapeBuilder &shape, const HeadSeconds &seconds, double reduce, BackwardPart part)
{
    if (part == BackwardPart::Whole) shape.add(Category::Backward, seconds.backward());
    if (part == BackwardPart::InputGradient) shape.add(Category::Backward, seconds.inputGradient);
    if (part == BackwardPart::WeightGradient) shape.add(Category::WeightGradient, seconds.weightGradient);
    if (part != BackwardPart::InputGradient) shape.add(Category::ExposedDp, reduce);
}

// A layer's copy to the host runs behind its own forward, the copy back behind the backward of the layer after it,
// which takes as long; what does not fit behind them shows.
void addActivationCopies(LayerSegments &segments, double seconds)
{
    segments.copyForward = std::max(0.0, seconds - segments.forwardGpu() - segments.hostForward);
    segments.copyBackward = std::max(0.0, seconds - segments.backwardGpu() - segments.hostBackward);
}

} // namespace

LayerCache::LayerCache(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network)
    : m_scenario(scenario), m_constants(constants), m_network(network)
{
}

const LayerSegments &LayerCache::at(std::int64_t layer, std::int64_t indexInStage)
{
    const LayerRecompute recompute = recomputeOf(m_scenario, indexInStage);
    const bool inHost = keepsActivationsInHost(m_scenario, indexInStage);
    const double share =
        attentionShare(m_scenario.model, layer, static_cast<double>(m_scenario.training.sequenceLength),
                       m_scenario.training.causalAttention);
    const bool experts = isMoeLayer(m_scenario.model, layer);
    for (const Entry &entry : m_entries)
        if (entry.share == share && entry.experts == experts && entry.recompute == recompute &&
            entry.inHost == inHost)
            return entry.segments;
    LayerSegments segments = layerSegments(m_scenario, m_constants, m_network, layer, recompute);
    if (inHost) addActivationCopies(segments, activationCopySeconds(m_scenario, layer, indexInStage));
    m_entries.push_back({share, experts, recompute, inHost, std::move(segments)});
    return m_entries.back().segments;
}

ChunkShapes::ChunkShapes(const ResolvedScenario &scenario, const CostConstants &constants, const NetworkModel &network,
                         LayerCache &layers, std::int64_t stage, std::int64_t chunk, double growth)
    : m_scenario(scenario), m_constants(constants), m_layers(layers), m_growth(growth)
{
    const Degrees &degrees = scenario.degrees;
    m_vocabulary = shardCollectives(scenario, constants, network,
                                    {vocabularyParameters(scenario.model) / static_cast<double>(degrees.tensor), 0.0});
    m_firstLayer = firstLayerOfChunk(degrees, stage, chunk);
    for (std::int64_t earlier = 0; earlier < chunk; ++earlier)
        m_firstInStage += degrees.chunkLayers(stage, earlier);
    m_count = degrees.chunkLayers(stage, chunk);
    m_first = isFirstChunk(degrees, stage, chunk);
    m_last = isLastChunk(degrees, stage, chunk);
    m_predicts = isPredictionChunk(degrees, stage, chunk);
}

const LayerSegments &ChunkShapes::layer(std::int64_t index) const
{
    return m_layers.at(m_firstLayer + index, m_firstInStage + index);
}

const LayerSegments &ChunkShapes::predictionModule() const
{
    return m_layers.at(predictionLayer(m_scenario.model), m_firstInStage + m_count);
}

double ChunkShapes::forwardRoom(Wires wires) const
{
    double room = m_last ? headSeconds(m_scenario, m_constants).forward : 0.0;
    for (std::int64_t i = 0; i < m_count; ++i)
        room += layer(i).forwardRoom.left(wires);
    return room;
}

double ChunkShapes::backwardRoom(Wires wires, BackwardPart part) const
{
    const HeadSeconds head = headSeconds(m_scenario, m_constants);
    const bool weights = part == BackwardPart::WeightGradient;
    double room = m_last ? (weights ? head.weightGradient : head.backward()) : 0.0;
    for (std::int64_t i = 0; i < m_count; ++i) {
        const LayerSegments &segments = layer(i);
        const double left = segments.backwardRoom.left(wires);
        const LayerBlocks &blocks = segments.blocks;
        const double weight = blocks.attentionBackward.weightGradient() + blocks.mlpBackward.weightGradient();
        room += weights ? std::min(left, weight) : left + segments.repeatedRoom.left(wires);
    }
    return room;
}

// A multi-token prediction module is one more layer, and one more pass through the output layer behind the head.
// FSDP of embedding and output layer: half a gather shows in the forward, the reduction in the backward.
OperationShape ChunkShapes::forward() const
{
    ShapeBuilder shape(m_growth);
    if (m_first) {
        shape.add(Category::ExposedDp, 0.5 * m_vocabulary.gather);
        shape.add(Category::Forward, embeddingSeconds(m_scenario, m_constants).forward);
    }
    for (std::int64_t i = 0; i < m_count; ++i)
        addForwardLayer(shape, layer(i));
    if (m_last) {
        shape.add(Category::ExposedDp, 0.5 * m_vocabulary.gather);
        shape.add(Category::Forward, headSeconds(m_scenario, m_constants).forward);
    }
    for (std::int64_t i = 0; i < m_scenario.model.mtpLayers; ++i) {
        if (m_predicts) addForwardLayer(shape, predictionModule());
        if (m_last) shape.add(Category::Forward, headSeconds(m_scenario, m_constants).forward);
    }
    return shape.take();
}

OperationShape ChunkShapes::backward(BackwardPart part, double reduceExposed) const
{
    ShapeBuilder shape(m_growth);
    for (std::int64_t i = 0; i < m_scenario.model.mtpLayers; ++i) {
        if (m_last) addVocabularyBackward(shape, headSeconds(m_scenario, m_constants), 0.0, part);
        if (m_predicts) addBackwardLayer(shape, predictionModule(), part);
    }
    if (m_last) addVocabularyBackward(shape, headSeconds(m_scenario, m_constants), m_vocabulary.reduce, part);
    for (std::int64_t i = m_count - 1; i >= 0; --i)
        addBackwardLayer(shape, layer(i), part);
    if (m_first) addVocabularyBackward(shape, embeddingSeconds(m_scenario, m_constants), m_vocabulary.reduce, part);
    shape.add(Category::ExposedDp, reduceExposed);
    return shape.take();
}

} // namespace clusterbeat
