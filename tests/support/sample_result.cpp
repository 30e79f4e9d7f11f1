// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"

#include "model/iteration/attribution.h"

namespace clusterbeat {
namespace {

std::size_t at(std::int32_t i) { return static_cast<std::size_t>(i); }

std::shared_ptr<const Expansion> sampleExpansion(const SampleOptions &options)
{
    ClusterParameters cluster;
    cluster.gpus = static_cast<std::int64_t>(options.stages) * options.replicas * options.tensor;
    cluster.gpusPerServer = cluster.scaleupDomain = cluster.gpusUsedPerDomain = options.tensor;
    cluster.serversPerRack = options.serversPerRack;
    cluster.racksPerPod = options.racksPerPod;
    return expand(blueprintFromTemplate(cluster).value()).value();
}

std::shared_ptr<const Placement> samplePlacement(const SampleOptions &options, const Expansion &expansion)
{
    Degrees degrees;
    degrees.tensor = options.tensor, degrees.pipeline = options.stages, degrees.data = options.replicas;
    degrees.order = {Dimension::Tensor, Dimension::Context, Dimension::Expert, Dimension::Pipeline, Dimension::Data};
    return std::make_shared<const Placement>(place(degrees, expansion, options.tensor, options.tensor));
}

IterationPlan samplePlan(const SampleOptions &options)
{
    IterationPlan plan;
    plan.schedule = makeSchedule(options.chunks > 1 ? ScheduleKind::Interleaved : ScheduleKind::OneFOneB, options.stages, options.chunks,
                                 options.microBatches);
    plan.replicas = options.replicas;
    plan.groupSize = options.tensor;
    const TimeNs half = toNs(options.tensorS / 2.0);
    const OperationShape forward{{{Category::ExposedTp, half}, {Category::Forward, toNs(options.forwardS)}, {Category::ExposedTp, half}}};
    const OperationShape backward{{{Category::ExposedTp, half}, {Category::Backward, toNs(options.backwardS)}, {Category::ExposedTp, half}}};
    plan.forward.assign(at(options.stages), std::vector<OperationShape>(at(options.chunks), forward));
    plan.backward.assign(at(options.stages), std::vector<OperationShape>(at(options.chunks), backward));
    plan.sync.assign(at(options.stages), std::vector<ChunkSync>(at(options.chunks), {toNs(options.reduceS / 2.0), toNs(options.reduceS)}));
    plan.optimizer.assign(at(options.stages), toNs(options.optimizerS));
    plan.hostAtStart.assign(at(options.stages), toNs(0.002));
    plan.transfer.assign(at(options.stages * options.replicas), toNs(0.0004));
    if (options.slow) {
        plan.slowness.assign(static_cast<std::size_t>(plan.ranks()), 1.0);
        plan.slowness[plan.position(options.slow->stage, options.slow->replica, options.slow->member)] = 1.0 / options.slow->speed;
    }
    return plan;
}

void fillMetrics(IterationResult &result, const SampleOptions &options)
{
    Metrics &metrics = result.metrics;
    metrics.iterationS = toSeconds(result.iteration());
    metrics.breakdownS = meanBreakdown(result.run);
    metrics.gpus = metrics.clusterGpus = result.expansion->gpuCount;
    const auto &training = result.scenario->training;
    metrics.tokensPerS = static_cast<double>(training.globalBatch * training.sequenceLength) / metrics.iterationS;
    metrics.mfu = 0.41 * toSeconds(result.unperturbedIteration) / metrics.iterationS;
    metrics.usdPerIteration = metrics.iterationS * static_cast<double>(metrics.clusterGpus) * result.scenario->prices.gpuHourUsd / 3600.0;
    metrics.usdPerMillionTokens = metrics.usdPerIteration * 1e6 / static_cast<double>(training.globalBatch * training.sequenceLength);
    metrics.goodput = 0.903;
    metrics.operations = result.run.plan.ranks() * 2 * options.chunks * options.microBatches;
}

} // namespace

std::shared_ptr<const IterationResult> sampleResult(const SampleOptions &options)
{
    auto result = std::make_shared<IterationResult>();
    auto scenario = std::make_shared<ResolvedScenario>();
    scenario->microBatches = options.microBatches;
    scenario->training.globalBatch = 2048;
    scenario->training.sequenceLength = 8192;
    scenario->accelerator.name = "H100-SXM5-80GB";
    scenario->accelerator.tdpW = 700.0;
    scenario->degrees.tensor = options.tensor;
    scenario->degrees.pipeline = options.stages;
    scenario->degrees.virtualPipeline = options.chunks;
    scenario->degrees.data = options.replicas;
    result->expansion = sampleExpansion(options);
    result->placement = samplePlacement(options, *result->expansion);
    result->run = runPlan(samplePlan(options));
    result->unperturbedIteration = result->run.unperturbed().iteration;
    if (options.slow) {
        Perturbation slow;
        slow.speed = options.slow->speed;
        scenario->perturbations.push_back(slow);
        const RankIndex rank = result->placement->rankOfPosition[result->run.plan.position(options.slow->stage, options.slow->replica, options.slow->member)];
        result->slowest = {rank, result->placement->gpuOfRank[at(rank)], Slowest::Reason::SlowGpu, options.slow->speed, {}};
    }
    result->scenario = scenario;
    fillMetrics(*result, options);
    Run twin{result->run.plan, result->run.unperturbed(), nullptr};
    twin.plan.slowness.clear();
    result->unperturbedBreakdownS = meanBreakdown(twin);
    result->pulse = pulseBins(result->run, kPulseBins);
    for (std::int32_t bin = 0; bin < result->pulse.bins; ++bin) {
        const float busy = result->pulse.at(bin, Category::Forward) + result->pulse.at(bin, Category::Backward) + result->pulse.at(bin, Category::Optimizer);
        result->powerW.push_back(static_cast<float>(result->expansion->gpuCount) * 1.2F * (575.0F + 700.0F * (0.35F + 0.6F * busy)));
    }
    result->replicaShares = replicaBins(result->run, kReplicaBins);
    auto byStage = std::make_shared<std::vector<StageMemory>>();
    const PipelineSchedule &schedule = result->run.plan.schedule;
    for (const std::int32_t most : peakLiveActivations(schedule)) {
        StageMemory stage;
        stage.idle = {12'400'000'000, 6'300'000'000, 19'800'000'000, 0, 2'800'000'000};
        stage.peak = stage.idle;
        stage.peak.activations = 21'100'000'000;
        std::int64_t live = 0;
        for (const ScheduledOperation &operation : schedule.order[byStage->size()]) {
            OperationMemory memory{stage.idle, stage.idle};
            const bool forward = operation.kind == OperationKind::Forward;
            if (forward) ++live;
            memory.during.activations = stage.peak.activations * live / most;
            if (!forward) --live;
            memory.after.activations = stage.peak.activations * live / most;
            stage.operations.push_back(memory);
        }
        byStage->push_back(std::move(stage));
    }
    result->memory.byStage = byStage;
    result->memory.peak = byStage->front().peak;
    result->memory.capacity = 84'400'000'000;
    result->why = whyThisLong(result->run);
    return result;
}

SampleOptions largeSample()
{
    SampleOptions options;
    options.stages = 16, options.chunks = 8, options.microBatches = 16, options.replicas = 128, options.tensor = 8;
    options.forwardS = 0.0109, options.backwardS = 0.0228, options.tensorS = 0.0034, options.reduceS = 0.045, options.optimizerS = 0.036;
    return options;
}

} // namespace clusterbeat
