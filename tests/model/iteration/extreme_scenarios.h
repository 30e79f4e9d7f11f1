// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "tests/model/iteration/random_scenarios.h"

namespace clusterbeat {

inline ModelSection extremeModel(Draws &draw)
{
    ModelSection model;
    model.layers = draw.of(std::array<std::int64_t, 3>{4, 8, 12});
    model.hidden = draw.of(std::array<std::int64_t, 3>{1024, 4096, 8192});
    model.heads = 32;
    model.kvHeads = draw.of(std::array<std::int64_t, 2>{16, 32});
    model.vocab = 32000;
    model.parallelBlock = draw.once(6);
    model.tiedEmbeddings = draw.once(4);
    if (draw.once(2)) model.moe = MoeShape{32, draw.of(std::array<std::int64_t, 2>{2, 8}), draw.whole(0, 1), model.hidden / 2, draw.whole(0, 1), 1};
    return model;
}

/// Groups of up to 16 and 32 ranks over servers of 8, at most 128 GPUs.
inline LayoutSection extremeLayout(Draws &draw, bool experts)
{
    LayoutSection layout;
    switch (draw.whole(0, 3)) {
    case 0: layout.tensor = draw.of(std::array<std::int64_t, 4>{4, 8, 16, 32}); break;
    case 1: layout.context = draw.of(std::array<std::int64_t, 3>{4, 8, 16}); break;
    case 2: layout.tensor = 2; layout.context = 4; break;
    default: break;
    }
    if (draw.once(2)) layout.pipeline = draw.of(std::array<std::int64_t, 3>{2, 4, 8});
    const std::int64_t group = layout.tensor * layout.pipeline * layout.context;
    layout.data = std::max<std::int64_t>(1, draw.of(std::array<std::int64_t, 3>{16, 32, 128}) / group);
    if (experts) layout.expert = std::min<std::int64_t>(16, layout.tensor * layout.context * *layout.data);
    layout.zeroStage = draw.whole(0, 3);
    const std::array schedules{ScheduleKind::GPipe, ScheduleKind::OneFOneB,  ScheduleKind::Interleaved, ScheduleKind::ZbH1,
                               ScheduleKind::ZbV,   ScheduleKind::DualPipe, ScheduleKind::DualPipeV};
    if (layout.pipeline > 1) layout.schedule = draw.of(schedules);
    if (layout.schedule == ScheduleKind::Interleaved) layout.virtualPipeline = 2;
    if (layout.pipeline == 8 && layout.schedule != ScheduleKind::OneFOneB) layout.pipeline = 4;
    layout.sequenceParallel = !draw.once(4);
    if (draw.once(2)) layout.contextExchange = ContextExchange::Ring;
    if (draw.once(4)) layout.order = std::array{Dimension::Data, Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline};
    layout.overlapData = !draw.once(4);
    layout.overlapPipeline = !draw.once(4);
    return layout;
}

/// Networks that are far too slow or far too fast for the compute, and groups that cross what they should not.
inline Scenario extremeScenario(std::uint64_t seed)
{
    Draws draw(seed + 5'000'000);
    Scenario scenario;
    const ModelSection model = extremeModel(draw);
    const LayoutSection layout = extremeLayout(draw, model.moe.has_value());
    ClusterSection cluster;
    cluster.templateName = "clos-rail";
    cluster.gpus = (layout.tensor * layout.pipeline * layout.context * *layout.data + 7) / 8 * 8;
    cluster.nicGbpsPerGpu = draw.of(std::array{10.0, 10.0, 100.0, 400.0, 3200.0});
    cluster.serversPerRack = draw.whole(1, 2);
    cluster.racksPerPod = draw.whole(1, 4);
    if (draw.once(2)) cluster.coreOversubscription = 4.0;
    SoftwareSection software;
    software.profile = draw.of(std::array{"nemo24", "megatron22", "torchtitan", "mbridge", "megascale", "mosaic", "ideal"});
    if (draw.once(2)) software.expertOverlap = draw.once(2);
    if (draw.once(2)) software.tensorOverlap = draw.once(2);
    TrainingSection training;
    training.sequenceLength = draw.of(std::array<std::int64_t, 3>{1024, 4096, 32768});
    training.globalBatch = *layout.data * draw.of(std::array<std::int64_t, 3>{8, 16, 32});
    training.recompute = Recompute{draw.of(std::array{RecomputeMode::None, RecomputeMode::Selective, RecomputeMode::Full}), 0, {}};
    if (draw.once(6)) training.reduceEvery = ReduceEvery::MicroBatch;
    scenario.training = std::make_shared<const TrainingSection>(training);
    scenario.model = std::make_shared<const ModelSection>(model);
    scenario.layout = std::make_shared<const LayoutSection>(layout);
    scenario.cluster = std::make_shared<const ClusterSection>(cluster);
    scenario.software = std::make_shared<const SoftwareSection>(software);
    return scenario;
}

} // namespace clusterbeat
