// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/plan_builder.h"

#include "model/base/math.h"
#include "model/base/saturated.h"
#include "model/iteration/host_pauses.h"
#include "model/iteration/jitter.h"
#include "model/layout/target_finder.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

namespace clusterbeat {
namespace {

std::size_t positionOf(const IterationPlan &plan, const Placement &placement, RankIndex rank)
{
    const RankCoordinates &c = placement.coordinates[static_cast<std::size_t>(rank)];
    return plan.position(c.pipeline, c.data, c.member);
}

constexpr double kMostSlowness = 1e4;
/// No draw of a double's uniform is further out.
constexpr double kMostNormal = 9.0;
constexpr double kMostExponential = 37.0;

void addSlowGpu(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions)
{
    if (plan.slowness.empty()) plan.slowness.assign(static_cast<std::size_t>(plan.ranks()), 1.0);
    for (const std::size_t position : positions) {
        // Several perturbations of one GPU multiply, down to the lowest speed that one of them may have.
        double &slowness = plan.slowness[position];
        slowness = std::min(slowness / perturbation.speed, kMostSlowness);
    }
}

/// How many members the groups with any of the positions have of them.
std::vector<std::size_t> membersAffected(const IterationPlan &plan, const std::vector<std::size_t> &positions)
{
    std::map<std::size_t, std::size_t> ofGroup;
    for (const std::size_t position : positions)
        ++ofGroup[position / static_cast<std::size_t>(plan.groupSize)];
    std::set<std::size_t> counts;
    for (const auto &[group, count] : ofGroup)
        counts.insert(count);
    return {counts.begin(), counts.end()};
}

void addJitter(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions)
{
    IterationPlan::Jitter jitter{perturbation.sigma, static_cast<std::uint64_t>(perturbation.seed), {}, perturbation.distribution};
    std::vector<std::size_t> counts{static_cast<std::size_t>(plan.groupSize)};
    if (static_cast<std::int64_t>(positions.size()) < plan.ranks()) {
        jitter.affected.assign(static_cast<std::size_t>(plan.ranks()), 0);
        for (const std::size_t position : positions)
            jitter.affected[position] = 1;
        counts = membersAffected(plan, positions);
    }
    const auto alike = std::find_if(plan.jitter.begin(), plan.jitter.end(), [&](const IterationPlan::Jitter &other) {
        return other.sigma == jitter.sigma && other.distribution == jitter.distribution && other.tables->knows(counts);
    });
    jitter.tables = alike != plan.jitter.end() ? alike->tables : std::make_shared<const JitterTables>(jitter, counts);
    plan.jitter.push_back(std::move(jitter));
}

// Searched orders are made for the times of a chunk in the middle of the model.
ScheduleHints scheduleHints(const ResolvedScenario &scenario, const WorkloadCosts &costs)
{
    ScheduleHints hints;
    hints.activationLimit = scenario.degrees.activationLimit;
    hints.microBatchGroup = static_cast<std::int32_t>(scenario.degrees.microBatchGroup);
    if (costs.inputGradient.empty()) return hints;
    const std::size_t middle = costs.forward.size() / 2;
    hints.forwardNs = costs.forward[middle].front().total();
    hints.inputGradientNs = costs.inputGradient[middle].front().total();
    hints.weightGradientNs = costs.weightGradient[middle].front().total();
    if (!costs.transfer.empty()) hints.transferNs = costs.transfer.front();
    return hints;
}

} // namespace

IterationPlan buildPlan(const ResolvedScenario &scenario, const WorkloadCosts &costs)
{
    const Degrees &degrees = scenario.degrees;
    IterationPlan plan;
    plan.schedule = degrees.custom ? *degrees.custom
                                   : makeSchedule(degrees.schedule, static_cast<std::int32_t>(degrees.pipeline),
                                                  static_cast<std::int32_t>(degrees.virtualPipeline),
                                                  static_cast<std::int32_t>(scenario.microBatches), scheduleHints(scenario, costs));
    plan.replicas = static_cast<std::int32_t>(degrees.data);
    plan.groupSize = static_cast<std::int32_t>(degrees.groupSize());
    plan.forward = costs.forward;
    plan.backward = costs.backward;
    plan.inputGradient = costs.inputGradient;
    plan.weightGradient = costs.weightGradient;
    plan.sync = costs.sync;
    plan.optimizer = costs.optimizer;
    plan.hostAtStart = costs.hostAtStart;
    plan.transfer = costs.transfer;
    plan.optimizerSync = scenario.training.optimizerSync.value_or(true);
    plan.overlapData = degrees.overlapData;
    plan.overlapPipeline = degrees.overlapPipeline;
    return plan;
}

namespace {

/// No draw is longer: an inverse normal of a double's uniform stays within 9, its exponential within 37.
double longestDraw(const IterationPlan::Jitter &jitter)
{
    switch (jitter.distribution) {
    case JitterDistribution::Lognormal: return exactExp(kMostNormal * std::sqrt(exactLog(1.0 + jitter.sigma * jitter.sigma)));
    case JitterDistribution::Exponential: return 1.0 + kMostExponential * jitter.sigma;
    case JitterDistribution::Normal: break;
    }
    return 1.0 + kMostNormal * jitter.sigma;
}

/// Of an operation over all replicas.
double longestShapeNs(const IterationPlan &plan, std::int32_t stage, const ScheduledOperation &operation, double documents)
{
    const auto lengthOf = [&](const OperationShape &shape) {
        return static_cast<double>(shape.total()) + static_cast<double>(shape.attention()) * (documents - 1.0);
    };
    double longest = lengthOf(plan.shapeOf(stage, operation));
    for (std::int32_t replica = 0; plan.links && replica < plan.replicas; ++replica)
        if (plan.delayedShapes(stage, replica)) longest = std::max(longest, lengthOf(plan.shapeOf(stage, replica, operation)));
    return longest;
}

/// How much longer compute can get: of the GPU that most affects.
double longestFactor(const IterationPlan &plan)
{
    double all = 1.0;
    std::vector<double> own = plan.slowness;
    const auto multiply = [&](double factor, const std::vector<std::uint8_t> &affected) {
        if (affected.empty()) {
            all *= factor;
            return;
        }
        own.resize(affected.size(), 1.0);
        for (std::size_t position = 0; position < affected.size(); ++position)
            if (affected[position] != 0) own[position] *= factor;
    };
    for (const IterationPlan::Jitter &jitter : plan.jitter)
        multiply(longestDraw(jitter), jitter.affected);
    for (const IterationPlan::WarmUp &warmUp : plan.warmUp)
        multiply(warmUp.slowness, warmUp.affected);
    return all * (own.empty() ? 1.0 : *std::max_element(own.begin(), own.end()));
}

double longestAttention(const IterationPlan &plan)
{
    double factor = 1.0;
    for (const std::vector<double> &replica : plan.attention)
        for (const double each : replica)
            factor = std::max(factor, each);
    return factor;
}

/// The longest stalls of one rank, all replicas' data loading after one another not counted twice.
double longestStalls(const IterationPlan &plan)
{
    double pauses = 0.0, loading = 0.0;
    for (const std::vector<IterationPlan::Pause> &list : plan.pauses) {
        double sum = 0.0;
        for (const IterationPlan::Pause &pause : list)
            sum += static_cast<double>(pause.ns);
        pauses = std::max(pauses, sum);
    }
    for (const IterationPlan::DataLoading &data : plan.data) {
        double sum = 0.0;
        for (const TimeNs ns : data.load)
            sum += static_cast<double>(ns);
        loading = std::max(loading, sum);
    }
    const double checkpoint = plan.checkpoint.empty() ? 0.0 : static_cast<double>(*std::max_element(plan.checkpoint.begin(), plan.checkpoint.end()));
    return pauses * plan.stages() * plan.groupSize + loading * plan.schedule.chunks + checkpoint;
}

} // namespace

double longestPassesSeconds(const WorkloadCosts &costs, std::int64_t microBatches)
{
    double ns = 0.0;
    for (const auto *shapes : {&costs.forward, &costs.backward})
        for (const std::vector<OperationShape> &stage : *shapes)
            for (const OperationShape &shape : stage)
                ns += static_cast<double>(shape.total());
    return ns * static_cast<double>(microBatches) / 1e9;
}

double longestSummableSeconds(std::int64_t ranks)
{
    return static_cast<double>(kMostTimeNs) / 1e9 / static_cast<double>(ranks);
}

double longestSeconds(const IterationPlan &plan)
{
    const double slowest = longestFactor(plan), documents = longestAttention(plan);
    double ns = longestStalls(plan);
    TimeNs transfer = 0;
    for (const std::vector<TimeNs> *times : {&plan.transfer, plan.links ? &plan.links->transfer : &plan.transfer})
        for (const TimeNs t : *times)
            transfer = std::max(transfer, t);
    for (std::int32_t stage = 0; stage < plan.stages(); ++stage) {
        const auto s = static_cast<std::size_t>(stage);
        std::vector<double> longest(4 * static_cast<std::size_t>(plan.schedule.chunks), -1.0);    // by chunk and kind
        for (const ScheduledOperation &operation : plan.schedule.order[s]) {
            double &shapeNs = longest[4 * static_cast<std::size_t>(operation.chunk) + static_cast<std::size_t>(operation.kind)];
            if (shapeNs < 0.0) shapeNs = longestShapeNs(plan, stage, operation, documents);
            ns += (static_cast<double>(transfer) + shapeNs) * slowest;
        }
        for (std::int32_t chunk = 0; chunk < static_cast<std::int32_t>(plan.sync[s].size()); ++chunk) {
            const ChunkSync sync = plan.syncOf(stage, chunk);
            ns += static_cast<double>(sync.parameterGather) + static_cast<double>(sync.gradientReduce);
        }
        ns += (static_cast<double>(plan.optimizer[s]) + static_cast<double>(plan.hostAtStart[s])) * slowest;
    }
    return ns / 1e9;
}

namespace {

void addPerturbation(IterationPlan &plan, const Perturbation &perturbation, const std::vector<std::size_t> &positions, const PerturbationBase &base)
{
    switch (perturbation.kind) {
    case PerturbationKind::SlowGpu: return addSlowGpu(plan, perturbation, positions);
    case PerturbationKind::Jitter: return addJitter(plan, perturbation, positions);
    case PerturbationKind::DocumentImbalance: return addDocuments(plan, perturbation, positions, base.training);
    case PerturbationKind::SlowData: return addSlowData(plan, perturbation, positions);
    case PerturbationKind::Checkpoint: return addCheckpoint(plan, perturbation, positions, base.campaign);
    case PerturbationKind::WarmUp: return addWarmUp(plan, perturbation, positions);
    default: return; // pauses are placed together, SlowStorage comes after all checkpoints, links are no matter of a GPU's pace
    }
}

/// About 4 ns: a second's worth.
constexpr double kMostWork = 268'435'456.0;
constexpr double kMostPauses = 16'777'216.0;        // kept; 256 MB
constexpr double kMostFlags = 33'554'432.0;         // of GPUs that jitters and warm-ups affect, one byte each
constexpr double kDrawSteps = 60.0;                 // a lognormal draw
constexpr double kFactorSteps = 6.0;                // a factor of one operation
constexpr double kTableSteps = 60'000.0;            // JitterTables

/// Draws of one micro-batch's documents; a heavy tail has many short ones beside it.
double documentsDrawn(const TrainingSection &training, const Perturbation &perturbation)
{
    if (!perturbation.timing.drawDocuments || !training.documents) return 1.0;
    const double mean = training.documents->mean, spread = training.documents->sigma / mean;
    const double usual = std::max(1.0, mean / std::sqrt(1.0 + spread * spread));
    return static_cast<double>(std::min<std::int64_t>(training.microBatch, 256)) * static_cast<double>(training.sequenceLength) / usual;
}

/// Steps of one perturbation without those of its target.
double workOf(const IterationPlan &plan, const Perturbation &perturbation, std::size_t positions, const TrainingSection &training)
{
    double operations = 0.0;
    for (const auto &order : plan.schedule.order)
        operations += static_cast<double>(order.size()) / plan.stages();
    const double gpus = static_cast<double>(positions), each = gpus;
    const double microBatches = static_cast<double>(plan.replicas) * plan.schedule.microBatches;
    switch (perturbation.kind) {
    case PerturbationKind::WarmUp: return each + operations * gpus;
    // One draw a group; a second jitter makes it one a GPU, also of the first.
    case PerturbationKind::Jitter:
        if (plan.jitter.empty()) return each + kTableSteps + kFactorSteps * operations * gpus / plan.groupSize;
        return each + kTableSteps + kFactorSteps * operations * gpus * (plan.jitter.size() == 1 ? 2.0 : 1.0);
    case PerturbationKind::DocumentImbalance: return each + kDrawSteps * microBatches * documentsDrawn(training, perturbation);
    case PerturbationKind::SlowData: return each + (perturbation.timing.waitSigmaS > 0.0 ? kDrawSteps : 3.0) * microBatches;
    default: return each;
    }
}

double flagsOf(const IterationPlan &plan)
{
    double flags = 0.0;
    for (const IterationPlan::Jitter &jitter : plan.jitter) flags += static_cast<double>(jitter.affected.size());
    for (const IterationPlan::WarmUp &warmUp : plan.warmUp) flags += static_cast<double>(warmUp.affected.size());
    return flags;
}

Error tooMuch(std::size_t number, const char *what, double asked, double most)
{
    const auto count = static_cast<std::int64_t>(std::min(asked, 9e18));
    Error error{ErrorCode::OutOfRange, {}, {std::string(what) + " = " + std::to_string(count), 0.0, most}};
    error.place.pointer = "/perturbations/" + std::to_string(number);
    return error;
}

bool needsTarget(PerturbationKind kind) { return kind == PerturbationKind::SlowGpu || concernsLinks(kind); }

class Perturber final {
public:
    Perturber(IterationPlan &plan, const Expansion &expansion, const Placement &placement, const PerturbationBase &base)
        : m_plan(plan), m_placement(placement), m_base(base), m_finder(expansion, placement), m_pauses(plan, base.twin)
    {
    }

    /// `number` in the list.
    [[nodiscard]] std::optional<Error> add(const Perturbation &perturbation, std::size_t number)
    {
        if (concernsLinks(perturbation.kind)) return std::nullopt;    // linkDelays()
        const bool everywhere = !needsTarget(perturbation.kind) && perturbation.target.empty();
        const auto gpus = m_finder.find(everywhere ? "**" : perturbation.target);
        if (!gpus.ok()) {
            Error error = gpus.error();
            error.place.pointer = "/perturbations/" + std::to_string(number) + "/target";
            return error;
        }
        if (m_finder.work() > kMostWork) return tooMuch(number, "work of the perturbations", m_finder.work(), kMostWork);
        if (!hasEffect(perturbation)) return std::nullopt;
        if (perturbation.kind == PerturbationKind::SlowStorage) m_slowStores.push_back(number);
        const std::vector<std::size_t> &positions = positionsOf(gpus.value());
        if (positions.empty()) return std::nullopt;
        if (perturbation.kind == PerturbationKind::GcPause) m_pauses.add(perturbation, positions);
        m_work += workOf(m_plan, perturbation, positions.size(), m_base.training);
        const double work = m_work + m_finder.work() + m_pauses.work();
        if (work > kMostWork) return tooMuch(number, "work of the perturbations", work, kMostWork);
        if (m_pauses.kept() > kMostPauses) return tooMuch(number, "pauses", m_pauses.kept(), kMostPauses);
        addPerturbation(m_plan, perturbation, positions, m_base);
        if (const double flags = flagsOf(m_plan); flags > kMostFlags) return tooMuch(number, "GPUs perturbed at random or while warming up", flags, kMostFlags);
        return std::nullopt;
    }

    void finish(const PerturbationList &perturbations)
    {
        m_pauses.place(m_plan);
        for (const std::size_t number : m_slowStores) {
            const std::string &target = perturbations[number].target;
            const auto gpus = m_finder.find(target.empty() ? "**" : target);
            if (gpus.ok()) slowStorage(m_plan, perturbations[number], positionsOf(gpus.value()));
        }
    }

private:
    /// Those of the last target are kept: a list often has one for all.
    [[nodiscard]] const std::vector<std::size_t> &positionsOf(const TargetFinder::Gpus &gpus)
    {
        if (gpus == m_gpus) return m_positions;
        m_gpus = gpus;
        m_positions.clear();
        m_work += 2.0 * static_cast<double>(gpus->size());
        for (const GpuIndex gpu : *gpus)
            if (const RankIndex rank = m_placement.rankOfGpu[static_cast<std::size_t>(gpu)]; rank != kNone)
                m_positions.push_back(positionOf(m_plan, m_placement, rank));
        return m_positions;
    }

    IterationPlan &m_plan;
    const Placement &m_placement;
    const PerturbationBase &m_base;
    TargetFinder m_finder;
    HostPauses m_pauses;
    TargetFinder::Gpus m_gpus;
    std::vector<std::size_t> m_positions, m_slowStores;
    double m_work = 0.0;
};

} // namespace

std::optional<Error> perturbPlan(IterationPlan &plan, const PerturbationList &perturbations, const Expansion &expansion,
                                 const Placement &placement, const PerturbationBase &base)
{
    if (auto error = timingError(perturbations, base.training)) return error;
    Perturber perturber(plan, expansion, placement, base);
    for (std::size_t i = 0; i < perturbations.size(); ++i)
        if (auto error = perturber.add(perturbations[i], i)) return error;
    perturber.finish(perturbations);
    return std::nullopt;
}

} // namespace clusterbeat
