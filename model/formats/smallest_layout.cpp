// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/smallest_layout.h"

#include "model/iteration/simulate.h"
#include "model/layout/schedule.h"
#include "model/scenario/resolve.h"
#include "model/workload/flops.h"
#include "model/workload/memory.h"
#include "model/workload/parameters.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

namespace clusterbeat {
namespace {

constexpr std::int64_t kGpusPerServer = 8;
constexpr std::int64_t kLargestWorld = 65536;
constexpr std::int64_t kMostStages = 256;
/// Beyond it a world's layouts are not timed one by one.
constexpr std::int64_t kMostGpusTimed = 4096;
constexpr const char *kAccelerator = "H100-SXM5-80GB";
/// bf16 weight and gradient with fp32 copy of both, two Adam moments.
constexpr double kStateBytesPerParameter = 18.0;
/// At least: 16-bit weight and gradient; fp32 copy and both moments (Rajbhandari et al. 2020, section 3.1).
constexpr double kWeightAndGradientBytes = 4.0;
constexpr double kAdamBytes = 12.0;

struct Candidate {
    std::int64_t gpus = 0, tensor = 1, pipeline = 1, expert = 1;
    RecomputeMode recompute = RecomputeMode::None;
    [[nodiscard]] std::int64_t data() const { return gpus / (tensor * pipeline); }
};

/// Weights of the whole model: those that tensor and pipeline split, and routed experts.
struct Weights {
    double dense = 0.0, experts = 0.0;
};

Scenario with(const Scenario &base, const Candidate &candidate)
{
    Scenario scenario = base;
    ClusterSection cluster = *base.cluster;
    cluster.gpus = candidate.gpus;
    LayoutSection layout = *base.layout;
    layout.tensor = candidate.tensor;
    layout.pipeline = candidate.pipeline;
    layout.expert = candidate.expert;
    layout.data = candidate.data();
    TrainingSection training = *base.training;
    training.recompute = Recompute{candidate.recompute, 0, {}};
    training.globalBatch = std::max(training.globalBatch, candidate.data() * training.microBatch);
    scenario.cluster = std::make_shared<const ClusterSection>(std::move(cluster));
    scenario.layout = std::make_shared<const LayoutSection>(std::move(layout));
    scenario.training = std::make_shared<const TrainingSection>(std::move(training));
    return scenario;
}

enum class Fit { Yes, No, Refused };
Fit fits(const Scenario &scenario, const Catalogue &catalogue)
{
    const auto resolved = resolve(scenario, catalogue);
    if (!resolved.ok()) return resolved.error().code == ErrorCode::UnsupportedFeature ? Fit::Refused : Fit::No;
    const Degrees &degrees = resolved.value().degrees;
    // A pipeline is full after as many micro-batches as it has stages; more do not raise the peak.
    const std::int64_t microBatches = std::min(resolved.value().microBatches, 2 * degrees.pipeline);
    const PipelineSchedule schedule = makeSchedule(degrees.schedule, static_cast<std::int32_t>(degrees.pipeline),
                                                   static_cast<std::int32_t>(degrees.virtualPipeline),
                                                   static_cast<std::int32_t>(microBatches));
    const Bytes usable = usableMemory(resolved.value().accelerator, catalogue.constants);
    for (const StageMemory &stage : stageMemory(resolved.value(), catalogue.constants, schedule)) {
        if (stage.peak.total() > usable) return Fit::No;
    }
    return Fit::Yes;
}

Weights weightsOf(const ModelSection &model)
{
    Weights weights;
    for (std::int64_t layer = 0; layer < model.layers; ++layer)
        weights.experts += layerParameters(model, layer).experts;
    weights.experts +=
        static_cast<double>(model.mtpLayers) * layerParameters(model, predictionLayer(model)).experts;
    weights.dense = modelFlops(model, TrainingSection{}).parameters - weights.experts;
    return weights;
}

/// No stage can hold less than the mean: 16-bit weights and gradients whole, Adam's states shared by the whole world.
bool statesTooLarge(const Candidate &c, const Weights &weights, double usable)
{
    const auto tensor = static_cast<double>(c.tensor), pipeline = static_cast<double>(c.pipeline);
    const double held = (weights.dense / tensor + weights.experts / static_cast<double>(c.expert)) / pipeline;
    return kWeightAndGradientBytes * held +
               kAdamBytes * (weights.dense + weights.experts) / static_cast<double>(c.gpus) >
           usable;
}

/// Powers of two that divide the experts and the ranks of a stage; 1 for a dense model.
std::vector<std::int64_t> expertDegrees(const ModelSection &model, std::int64_t ranksOfStage)
{
    std::vector<std::int64_t> degrees{1};
    while (model.moe && model.moe->experts % (2 * degrees.back()) == 0 && ranksOfStage % (2 * degrees.back()) == 0)
        degrees.push_back(2 * degrees.back());
    return degrees;
}

/// Layouts of one world in the order of preference; without those whose states alone are too much, so that a huge
/// model does not cost a schedule for each.
std::vector<Candidate> candidatesOf(std::int64_t gpus, const ModelSection &model, const Weights &weights, double usable)
{
    std::vector<Candidate> candidates;
    for (std::int64_t tensor = 1; tensor <= kGpusPerServer; tensor *= 2) {
        const std::int64_t kvHeads = std::max<std::int64_t>(1, model.kvHeads);
        if (model.heads % tensor != 0 || (kvHeads % tensor != 0 && tensor % kvHeads != 0)) continue;
        const std::int64_t most = std::min({model.layers, kMostStages, gpus / tensor});
        for (std::int64_t pipeline = 1; pipeline <= most; pipeline *= 2) {
            for (const std::int64_t expert : expertDegrees(model, gpus / pipeline)) {
                const Candidate candidate{gpus, tensor, pipeline, expert};
                if (!statesTooLarge(candidate, weights, usable)) candidates.push_back(candidate);
            }
        }
    }
    const auto key = [](const Candidate &c) { return std::tuple(c.expert, c.tensor * c.pipeline, c.pipeline); };
    std::stable_sort(candidates.begin(), candidates.end(),
                     [&](const Candidate &a, const Candidate &b) { return key(a) < key(b); });
    return candidates;
}

/// The best of one world with one recompute: the first that fits, or with experts, whose all-to-all weighs more than
/// the number of ranks, the fastest of those that fit.
struct Choice {
    std::optional<Candidate> candidate;
    bool refused = false;
};
Choice bestOf(const std::vector<Candidate> &candidates, const Scenario &scenario, const Catalogue &catalogue)
{
    Choice best;
    StageCache cache;
    TimeNs fastest = std::numeric_limits<TimeNs>::max();
    for (const Candidate &candidate : candidates) {
        const Scenario tried = with(scenario, candidate);
        const Fit fit = fits(tried, catalogue);
        if (fit == Fit::Refused) return {std::nullopt, true};
        if (fit == Fit::No) continue;
        if (!scenario.model->moe || candidate.gpus > kMostGpusTimed) return {candidate, false};
        const SimulationOutcome outcome = simulate(tried, catalogue, cache);
        if (!outcome.result || outcome.result->iteration() >= fastest) continue;
        fastest = outcome.result->iteration();
        best.candidate = candidate;
    }
    return best;
}

std::string_view recomputeName(RecomputeMode mode)
{
    return mode == RecomputeMode::None ? "none" : mode == RecomputeMode::Selective ? "selective" : "full";
}

/// By the states alone, for models that the simulator does not know yet.
Candidate byStates(const Scenario &scenario, double parameters, double usable)
{
    Candidate candidate{kGpusPerServer, 1, 1, 1, RecomputeMode::Full};
    while (candidate.gpus < kLargestWorld && kStateBytesPerParameter * parameters > 0.8 * usable * static_cast<double>(candidate.gpus))
        candidate.gpus *= 2;
    while (candidate.tensor < kGpusPerServer && scenario.model->heads % (2 * candidate.tensor) == 0)
        candidate.tensor *= 2;
    while (candidate.tensor * candidate.pipeline * 2 <= candidate.gpus && candidate.pipeline * 2 <= scenario.model->layers)
        candidate.pipeline *= 2;
    candidate.expert = expertDegrees(*scenario.model, candidate.gpus / candidate.pipeline).back();
    return candidate;
}

} // namespace

std::shared_ptr<const ClusterSection> smallestCluster()
{
    ClusterSection cluster;
    cluster.templateName = "auto";
    cluster.acceleratorName = kAccelerator;
    cluster.gpus = kGpusPerServer;
    return std::make_shared<const ClusterSection>(std::move(cluster));
}

void chooseSmallestLayout(Scenario &scenario, const Catalogue &catalogue, ImportNotes &notes)
{
    const double parameters = modelFlops(*scenario.model, *scenario.training).parameters;
    const Accelerator *accelerator = catalogue.accelerator(kAccelerator);
    const double usable = accelerator ? static_cast<double>(usableMemory(*accelerator, catalogue.constants)) : 0.0;
    const Weights weights = weightsOf(*scenario.model);
    Choice found;
    for (std::int64_t gpus = kGpusPerServer; gpus <= kLargestWorld; gpus *= 2) {
        std::vector<Candidate> candidates = candidatesOf(gpus, *scenario.model, weights, usable);
        for (const RecomputeMode recompute : {RecomputeMode::None, RecomputeMode::Selective, RecomputeMode::Full}) {
            for (Candidate &candidate : candidates)
                candidate.recompute = recompute;
            if (!found.candidate && !found.refused) found = bestOf(candidates, scenario, catalogue);
        }
    }
    std::optional<Candidate> chosen = found.candidate;
    if (!chosen) {
        chosen = byStates(scenario, parameters, usable);
        notes.add({NoticeCode::Approximation, {notes.file(), "", 0, 0}, {std::string("/layout")}});
    }
    scenario = with(scenario, *chosen);
    notes.defaultTaken("/cluster/accelerator", kAccelerator, why::kNotInFile);
    notes.defaultTaken("/cluster/gpus", chosen->gpus, why::kSmallestThatFits);
    if (scenario.model->moe) notes.defaultTaken("/layout/expert", chosen->expert, why::kSmallestThatFits);
    notes.defaultTaken("/training/recompute", recomputeName(chosen->recompute), why::kSmallestThatFits);
    notes.add({NoticeCode::LayoutChosen, {notes.file(), "", 0, 0}, {chosen->tensor, chosen->pipeline, chosen->data(), chosen->gpus}});
}

} // namespace clusterbeat
