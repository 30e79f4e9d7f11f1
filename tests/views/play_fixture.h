// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/cluster/expansion.h"
#include "model/cluster/templates.h"
#include "model/iteration/iteration_result.h"
#include "model/iteration/pulse.h"

#include <memory>
#include <utility>

namespace clusterbeat::fixture {

struct Shape {
    std::int64_t gpus = 16384, tensor = 8, pipeline = 16, data = 128, chunks = 8, microBatches = 16;
    std::int64_t serversPerRack = 2, racksPerPod = 192;
    bool dataBeforePipeline = false;
    GpuIndex slowGpu = kNone;
    double speed = 0.7;
};

inline Blueprint blueprintOf(const Shape &shape)
{
    ClusterParameters parameters;
    parameters.gpus = shape.gpus;
    parameters.serversPerRack = shape.serversPerRack;
    parameters.racksPerPod = shape.racksPerPod;
    parameters.coreOversubscription = 7.0;
    return blueprintFromTemplate(parameters).value();
}

/// A clos-rail cluster with a placement; order tensor, pipeline, data or tensor, data, pipeline.
inline std::pair<std::shared_ptr<const Expansion>, std::shared_ptr<const Placement>> clusterOf(const Shape &shape)
{
    auto expansion = expand(blueprintOf(shape)).value();
    Degrees degrees;
    degrees.tensor = shape.tensor;
    degrees.pipeline = shape.pipeline;
    degrees.data = shape.data;
    degrees.virtualPipeline = shape.chunks;
    degrees.order = shape.dataBeforePipeline
                        ? std::array{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Data, Dimension::Pipeline}
                        : std::array{Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    auto placement = std::make_shared<const Placement>(place(degrees, *expansion, 8, 8));
    return {expansion, placement};
}

/// Interleaved 1F1B with hand-made durations: a chunk's forward is 9 ms of compute and 2 ms of exposed tensor
/// collectives in two layers' worth of pieces, its backward twice that.
inline std::shared_ptr<IterationResult> resultOf(const Shape &shape)
{
    auto result = std::make_shared<IterationResult>();
    std::tie(result->expansion, result->placement) = clusterOf(shape);
    auto scenario = std::make_shared<ResolvedScenario>();
    scenario->cluster.coreOversubscription = 7.0;
    scenario->blueprint = blueprintOf(shape);
    result->scenario = scenario;
    const auto stages = static_cast<std::int32_t>(shape.pipeline), chunks = static_cast<std::int32_t>(shape.chunks);
    const auto kind = chunks > 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB;
    IterationPlan plan;
    plan.schedule = makeSchedule(kind, stages, chunks, static_cast<std::int32_t>(shape.microBatches));
    plan.replicas = static_cast<std::int32_t>(shape.data);
    plan.groupSize = static_cast<std::int32_t>(shape.tensor);
    constexpr TimeNs ms = 1'000'000;
    OperationShape forward, backward;
    for (int i = 0; i < 4; ++i) {
        forward.segments.push_back({Category::ExposedTp, ms / 2});
        forward.segments.push_back({Category::Forward, 9 * ms / 4});
        backward.segments.push_back({Category::ExposedTp, ms / 2});
        backward.segments.push_back({Category::Backward, 18 * ms / 4});
    }
    const std::vector<OperationShape> forwards(static_cast<std::size_t>(chunks), forward), backwards(static_cast<std::size_t>(chunks), backward);
    plan.forward.assign(static_cast<std::size_t>(stages), forwards);
    plan.backward.assign(static_cast<std::size_t>(stages), backwards);
    plan.sync.assign(static_cast<std::size_t>(stages), std::vector<ChunkSync>(static_cast<std::size_t>(chunks), {12 * ms, 30 * ms}));
    plan.optimizer.assign(static_cast<std::size_t>(stages), 20 * ms);
    plan.hostAtStart.assign(static_cast<std::size_t>(stages), 4 * ms);
    plan.transfer.assign(static_cast<std::size_t>(stages) * static_cast<std::size_t>(shape.data), ms / 2);
    if (shape.slowGpu != kNone) {
        const RankIndex rank = result->placement->rankOfGpu[static_cast<std::size_t>(shape.slowGpu)];
        const RankCoordinates c = result->placement->coordinates[static_cast<std::size_t>(rank)];
        plan.slowness.assign(static_cast<std::size_t>(plan.ranks()), 1.0);
        plan.slowness[plan.position(c.pipeline, c.data, c.member)] = 1.0 / shape.speed;
        result->slowest = {rank, shape.slowGpu, Slowest::Reason::SlowGpu, shape.speed, {}};
    }
    result->run = runPlan(std::move(plan));
    result->pulse = pulseBins(result->run, kPulseBins);
    result->replicaShares = replicaBins(result->run, kReplicaBins);
    return result;
}

} // namespace clusterbeat::fixture
