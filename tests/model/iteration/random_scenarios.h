// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/random.h"
#include "model/scenario/scenario.h"

#include <array>
#include <string>

namespace clusterbeat {

/// Draws of one seed.
class Draws {
public:
    explicit Draws(std::uint64_t seed) : m_stream(randomStream({seed, 0, 77})) {}
    [[nodiscard]] std::int64_t whole(std::int64_t low, std::int64_t high)
    {
        return low + static_cast<std::int64_t>(randomBits(m_stream, m_counter++) % static_cast<std::uint64_t>(high - low + 1));
    }
    [[nodiscard]] bool once(std::int64_t in) { return whole(1, in) == 1; }
    [[nodiscard]] double real(double low, double high) { return low + (high - low) * randomUniform(m_stream, m_counter++); }
    template <typename Value, std::size_t N>
    [[nodiscard]] Value of(const std::array<Value, N> &values)
    {
        return values[static_cast<std::size_t>(whole(0, N - 1))];
    }

private:
    std::uint64_t m_stream, m_counter = 0;
};

inline ModelSection randomModel(Draws &draw)
{
    ModelSection model;
    model.layers = draw.whole(2, 9);
    model.hidden = draw.of(std::array<std::int64_t, 2>{1024, 2048});
    model.heads = 16;
    model.kvHeads = draw.of(std::array<std::int64_t, 2>{8, 16});
    model.vocab = 32000;
    model.parallelBlock = draw.once(6);
    model.tiedEmbeddings = draw.once(4);
    if (draw.once(2)) model.moe = MoeShape{8, 2, draw.whole(0, 1), 512, draw.whole(0, 1), draw.once(4) ? 2 : 1};
    return model;
}

/// GPUs of the layout are at most 64.
inline LayoutSection randomLayout(Draws &draw, bool experts)
{
    LayoutSection layout;
    const std::array<std::int64_t, 3> degrees{1, 2, 4};
    layout.tensor = draw.of(degrees);
    layout.pipeline = draw.of(degrees);
    layout.context = draw.once(3) ? 2 : 1;
    layout.data = draw.of(degrees);
    while (layout.tensor * layout.pipeline * layout.context * *layout.data > 64) layout.tensor /= 2;
    if (experts) layout.expert = draw.of(std::array<std::int64_t, 4>{1, 2, 4, 8});
    if (experts) layout.expertTensor = draw.once(4) ? 2 : 1;
    layout.zeroStage = draw.whole(0, 3);
    const std::array<ScheduleKind, 9> schedules{ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Interleaved,
                                                ScheduleKind::ZbH1,  ScheduleKind::ZbH2,     ScheduleKind::ZbV,
                                                ScheduleKind::ZbAuto, ScheduleKind::DualPipe, ScheduleKind::DualPipeV};
    if (layout.pipeline > 1) layout.schedule = draw.of(schedules);
    if (layout.schedule == ScheduleKind::Interleaved) layout.virtualPipeline = 2;
    if (draw.once(3)) layout.sequenceParallel = false;
    if (draw.once(3)) layout.contextExchange = ContextExchange::Ring;
    if (draw.once(3)) layout.order = std::array{Dimension::Data, Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline};
    if (draw.once(2)) layout.overlapData = draw.once(2);
    if (draw.once(3)) layout.overlapPipeline = draw.once(2);
    return layout;
}

inline TrainingSection randomTraining(Draws &draw, std::int64_t data)
{
    TrainingSection training;
    training.sequenceLength = 1024;
    training.globalBatch = data * 2 * draw.whole(1, 6);
    training.recompute = Recompute{draw.of(std::array{RecomputeMode::None, RecomputeMode::Selective, RecomputeMode::Full}), 0, {}};
    if (draw.once(3)) training.optimizerSync = false;
    if (draw.once(5)) training.reduceEvery = ReduceEvery::MicroBatch;
    if (draw.once(3)) training.documents = DocumentLengths{300.0, 100.0, true};
    return training;
}

/// Times suit iterations of some milliseconds. `network`: there are links between servers.
inline Perturbation randomPerturbation(Draws &draw, PerturbationKind kind, std::int64_t ranks, bool network)
{
    Perturbation p;
    p.kind = kind;
    p.seed = draw.whole(0, 1000);
    const bool everywhere = kind != PerturbationKind::SlowGpu && !concernsLinks(kind) && draw.once(2);
    if (!everywhere) p.target = "rank:" + std::to_string(draw.whole(0, ranks - 1));
    p.speed = draw.real(0.3, 1.0);
    p.sigma = draw.real(0.0, 0.3);
    p.distribution = draw.of(std::array{JitterDistribution::Normal, JitterDistribution::Lognormal, JitterDistribution::Exponential});
    p.link.domain = network && draw.once(2) ? LinkDomain::Nic : LinkDomain::NvLink;
    if (kind == PerturbationKind::DegradedLink) p.link.capacity = draw.real(0.05, 1.0);
    if (kind == PerturbationKind::DegradedLink && draw.once(3)) p.link.extraLatencyS = draw.real(0.0, 1e-4);
    if (kind == PerturbationKind::CompetingTraffic) p.link.share = draw.real(0.0, 0.9);
    if (kind == PerturbationKind::GcPause) p.timing.pauseS = draw.real(0.0, 1e-3);
    if (kind == PerturbationKind::GcPause) p.timing.everyS = p.timing.pauseS + draw.real(1e-3, 1e-2);
    p.timing.aligned = draw.once(3);
    if (kind == PerturbationKind::SlowData) p.timing.waitS = draw.real(0.0, 5e-3);
    if (kind == PerturbationKind::SlowData && draw.once(2)) p.timing.waitSigmaS = p.timing.waitS / 2.0;
    p.timing.prefetch = draw.whole(0, 3);
    if (kind == PerturbationKind::Checkpoint) p.timing.stallS = draw.real(0.0, 5e-3);
    if (kind == PerturbationKind::WarmUp) (draw.once(2) ? p.timing.operations : p.timing.microBatches) = draw.whole(0, 5);
    return p;
}

/// What each kind has without effect.
inline PerturbationList nominalPerturbations()
{
    PerturbationList list;
    const auto add = [&](PerturbationKind kind, const char *target) -> Perturbation & {
        list.emplace_back().kind = kind;
        list.back().target = target;
        list.back().link.domain = LinkDomain::NvLink;
        return list.back();
    };
    add(PerturbationKind::SlowGpu, "rank:0");
    add(PerturbationKind::Jitter, "");
    add(PerturbationKind::DegradedLink, "rank:0");
    add(PerturbationKind::CompetingTraffic, "rank:0").link.share = 0.0;
    add(PerturbationKind::GcPause, "").timing.everyS = 1.0;
    add(PerturbationKind::DocumentImbalance, "");
    add(PerturbationKind::SlowData, "");
    add(PerturbationKind::WarmUp, "").timing.operations = 3;
    add(PerturbationKind::DeadLink, "rank:0").enabled = false;
    add(PerturbationKind::Checkpoint, "").timing.stallS = 0.0;
    return list;
}

/// A small scenario of any kind; not every one is valid. Unperturbed.
inline Scenario randomScenario(std::uint64_t seed)
{
    Draws draw(seed);
    Scenario scenario;
    const ModelSection model = randomModel(draw);
    const LayoutSection layout = randomLayout(draw, model.moe.has_value());
    ClusterSection cluster;
    cluster.templateName = "clos-rail";
    cluster.gpus = (layout.tensor * layout.pipeline * layout.context * *layout.data + 7) / 8 * 8;
    cluster.serversPerRack = draw.whole(1, 2);
    cluster.racksPerPod = draw.whole(1, 2);
    if (draw.once(2)) cluster.coreOversubscription = 4.0;
    SoftwareSection software;
    software.profile = draw.of(std::array{"nemo24", "megatron22", "torchtitan", "mbridge"});
    if (draw.once(3)) software.expertOverlap = draw.once(2);
    scenario.training = std::make_shared<const TrainingSection>(randomTraining(draw, *layout.data));
    scenario.model = std::make_shared<const ModelSection>(model);
    scenario.layout = std::make_shared<const LayoutSection>(layout);
    scenario.cluster = std::make_shared<const ClusterSection>(cluster);
    scenario.software = std::make_shared<const SoftwareSection>(software);
    return scenario;
}

inline std::int64_t ranksOf(const Scenario &scenario)
{
    return scenario.layout->tensor * scenario.layout->pipeline * scenario.layout->context * *scenario.layout->data;
}

/// With one to four perturbations; every kind is the first one in turn.
inline Scenario perturbedScenario(std::uint64_t seed)
{
    Draws draw(seed + 1'000'000);
    Scenario scenario = randomScenario(seed);
    PerturbationList list;
    constexpr std::int64_t kKinds = static_cast<std::int64_t>(PerturbationKind::WarmUp) + 1;
    const std::int64_t count = draw.whole(1, 4), ranks = ranksOf(scenario);
    const bool network = ranks > 8;    // one server has no cables
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t kind = i == 0 ? static_cast<std::int64_t>(seed) % kKinds : draw.whole(0, kKinds - 1);
        if (kind == static_cast<std::int64_t>(PerturbationKind::SlowStorage))
            list.push_back(randomPerturbation(draw, PerturbationKind::Checkpoint, ranks, network));
        list.push_back(randomPerturbation(draw, static_cast<PerturbationKind>(kind), ranks, network));
    }
    scenario.perturbations = std::make_shared<const PerturbationList>(std::move(list));
    return scenario;
}

inline Scenario with(Scenario scenario, const PerturbationList &more)
{
    PerturbationList list = *scenario.perturbations;
    list.insert(list.end(), more.begin(), more.end());
    scenario.perturbations = std::make_shared<const PerturbationList>(std::move(list));
    return scenario;
}

} // namespace clusterbeat
