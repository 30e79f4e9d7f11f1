// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/smallest_layout.h"

#include "model/layout/schedule.h"
#include "model/scenario/resolve.h"
#include "model/workload/flops.h"
#include "model/workload/memory.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace clusterbeat {
namespace {

constexpr std::int64_t kGpusPerServer = 8;
constexpr std::int64_t kMostGpus = 65536;
constexpr std::int64_t kMostStages = 256;
constexpr const char *kAccelerator = "H100-SXM5-80GB";
/// bf16 weight and gradient with fp32 copy of both, two Adam moments.
constexpr double kStateBytesPerParameter = 18.0;

struct Candidate {
    std::int64_t gpus = 0, tensor = 1, pipeline = 1;
    RecomputeMode recompute = RecomputeMode::None;
    [[nodiscard]] std::int64_t data() const { return gpus / (tensor * pipeline); }
};

Scenario with(const Scenario &base, const Candidate &candidate)
{
    Scenario scenario = base;
    ClusterSection cluster = *base.cluster;
    cluster.gpus = candidate.gpus;
    LayoutSection layout = *base.layout;
    layout.tensor = candidate.tensor;
    layout.pipeline = candidate.pipeline;
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

/// Layouts of one world in the order of preference; without those whose bf16 weights alone are too much, so that a
/// huge model does not cost a schedule for each.
std::vector<Candidate> candidatesOf(std::int64_t gpus, const ModelSection &model, double weightBytes, double usable)
{
    std::vector<Candidate> candidates;
    for (const RecomputeMode recompute : {RecomputeMode::None, RecomputeMode::Selective, RecomputeMode::Full}) {
        std::vector<Candidate> some;
        for (std::int64_t tensor = 1; tensor <= kGpusPerServer; tensor *= 2) {
            const bool divides = model.heads % tensor == 0 && (model.kvHeads % tensor == 0 || tensor % std::max<std::int64_t>(1, model.kvHeads) == 0);
            if (!divides) continue;
            for (std::int64_t pipeline = 1; pipeline <= std::min(model.layers, kMostStages) && tensor * pipeline <= gpus; pipeline *= 2) {
                if (weightBytes <= usable * static_cast<double>(tensor * pipeline)) some.push_back({gpus, tensor, pipeline, recompute});
            }
        }
        std::stable_sort(some.begin(), some.end(), [](const Candidate &a, const Candidate &b) {
            return std::pair(a.tensor * a.pipeline, a.pipeline) < std::pair(b.tensor * b.pipeline, b.pipeline);
        });
        candidates.insert(candidates.end(), some.begin(), some.end());
    }
    return candidates;
}

std::string_view recomputeName(RecomputeMode mode)
{
    return mode == RecomputeMode::None ? "none" : mode == RecomputeMode::Selective ? "selective" : "full";
}

/// By the states alone, for models that the simulator does not know yet.
Candidate byStates(const Scenario &scenario, double parameters, double usable)
{
    Candidate candidate{kGpusPerServer, 1, 1, RecomputeMode::Full};
    while (candidate.gpus < kMostGpus && kStateBytesPerParameter * parameters > 0.8 * usable * static_cast<double>(candidate.gpus))
        candidate.gpus *= 2;
    while (candidate.tensor < kGpusPerServer && scenario.model->heads % (2 * candidate.tensor) == 0)
        candidate.tensor *= 2;
    while (candidate.tensor * candidate.pipeline * 2 <= candidate.gpus && candidate.pipeline * 2 <= scenario.model->layers)
        candidate.pipeline *= 2;
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
    std::optional<Candidate> chosen;
    bool refused = false;
    for (std::int64_t gpus = kGpusPerServer; gpus <= kMostGpus && !chosen && !refused; gpus *= 2) {
        for (const Candidate &candidate : candidatesOf(gpus, *scenario.model, 2.0 * parameters, usable)) {
            const Fit fit = fits(with(scenario, candidate), catalogue);
            refused = fit == Fit::Refused;
            if (fit == Fit::Yes) chosen = candidate;
            if (refused || chosen) break;
        }
    }
    if (!chosen) {
        chosen = byStates(scenario, parameters, usable);
        notes.add({NoticeCode::Approximation, {notes.file(), "", 0, 0}, {std::string("/layout")}});
    }
    scenario = with(scenario, *chosen);
    notes.defaultTaken("/cluster/accelerator", kAccelerator, why::kNotInFile);
    notes.defaultTaken("/cluster/gpus", chosen->gpus, why::kSmallestThatFits);
    notes.defaultTaken("/training/recompute", recomputeName(chosen->recompute), why::kSmallestThatFits);
    notes.add({NoticeCode::LayoutChosen, {notes.file(), "", 0, 0}, {chosen->tensor, chosen->pipeline, chosen->data(), chosen->gpus}});
}

} // namespace clusterbeat
