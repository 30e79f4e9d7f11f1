// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/knob_edits.h"

#include "app/document/scenario_edit.h"
#include "model/layout/schedule.h"
#include "model/scenario/resolve_parts.h"
#include "model/search/sweep.h"

#include <algorithm>

namespace clusterbeat::knob_edits {
namespace {

/// A section to change: a copy that replaces the shared one.
template <typename Section> class Editing {
public:
    explicit Editing(std::shared_ptr<const Section> &place) : m_place(place), m_copy(std::make_shared<Section>(*place)) {}
    ~Editing() { m_place = std::move(m_copy); }
    Editing(const Editing &) = delete;
    Editing &operator=(const Editing &) = delete;
    Section *operator->() { return m_copy.get(); }

private:
    std::shared_ptr<const Section> &m_place;
    std::shared_ptr<Section> m_copy;
};

/// GPUs that a layout may use; 0 = the cluster itself is wrong.
std::int64_t usableGpusOf(const Scenario &scenario, const Catalogue &catalogue)
{
    ResolvedScenario resolved;
    resolved.training = *scenario.training;
    if (resolveModel(scenario, resolved) || resolveSoftware(scenario, catalogue, resolved) ||
        resolveCluster(scenario, catalogue, resolved))
        return 0;
    return usableGpus(resolved.cluster);
}

std::int64_t perReplica(const LayoutSection &layout) { return std::max<std::int64_t>(1, layout.tensor * layout.pipeline * layout.context); }

/// The most replicas up to `most` that the rules allow; where another rule is broken whatever their number, the most
/// that the batch divides by.
std::int64_t replicasFor(Scenario scenario, std::int64_t most, const Catalogue &catalogue)
{
    const TrainingSection &training = *scenario.training;
    const std::int64_t sequences = training.globalBatch / std::max<std::int64_t>(1, training.microBatch);
    std::int64_t divides = 0;
    for (std::int64_t data = std::min(most, sequences); data > 0; --data) {
        if (sequences % data != 0) continue;
        if (divides == 0) divides = data;
        Editing(scenario.layout)->data = data;
        if (resolve(scenario, catalogue).ok()) return data;
    }
    return divides > 0 ? divides : most;
}

/// As many as the GPUs hold and the rules allow: what "all of them" comes to.
std::int64_t fullReplicas(const Scenario &scenario, const Catalogue &catalogue)
{
    const std::int64_t usable = usableGpusOf(scenario, catalogue), replica = perReplica(*scenario.layout);
    return usable < replica ? 0 : replicasFor(scenario, usable / replica, catalogue);
}

/// Explicit replicas shrink to what fits, and follow the cluster's size when they filled it. Open ones are set where the
/// batch does not divide by all that fit.
void fitReplicas(Scenario &next, const Scenario &before, KnobId id, const Catalogue &catalogue)
{
    const KnobSection section = knob(id).section;
    const bool sizes = section == KnobSection::Cluster || (section == KnobSection::Layout && id != KnobId::Data);
    if (!sizes) return;
    const std::int64_t usable = usableGpusOf(next, catalogue), replica = perReplica(*next.layout);
    if (usable < replica) return;
    const std::int64_t fits = usable / replica, full = replicasFor(next, fits, catalogue);
    const std::int64_t now = next.layout->data.value_or(fits);
    const bool grows = section == KnobSection::Cluster && next.layout->data && now == fullReplicas(before, catalogue);
    const std::int64_t wanted = !next.layout->data || grows || now > fits ? full : now;
    if (wanted != now) Editing(next.layout)->data = wanted;
}

void dropShardGroup(Scenario &next)
{
    const LayoutSection &layout = *next.layout;
    if (!layout.shardGroup) return;
    const std::int64_t replicas = layout.data.value_or(1) * layout.context;
    const bool stays = layout.zeroStage == 3 && layout.data && *layout.shardGroup <= replicas && replicas % *layout.shardGroup == 0;
    if (!stays) Editing(next.layout)->shardGroup.reset();
}

/// Chunks follow the schedule; what only another one knows goes.
void followSchedule(Scenario &next)
{
    const ScheduleKind kind = next.layout->schedule.value_or(ScheduleKind::Interleaved);
    Editing layout(next.layout);
    if (kind != ScheduleKind::Custom) layout->scheduleOrders.clear();
    if (kind != ScheduleKind::ZbAuto) layout->activationLimit.reset();
    if (kind == ScheduleKind::Interleaved) {
        if (layout->virtualPipeline.value_or(1) == 1) layout->virtualPipeline = 2;
        return;
    }
    layout->microBatchGroup.reset();
    if (flowOf(kind) == PipelineFlow::Bidirectional) layout->mtpStage.reset();
    layout->virtualPipeline.reset();
}

/// Without chunks, and with them, another schedule is the documented default: the choice is left to it.
void followChunks(Scenario &next)
{
    const std::int64_t chunks = next.layout->virtualPipeline.value_or(1);
    Editing layout(next.layout);
    if (chunks == 1) layout->microBatchGroup.reset();
    if (!layout->schedule || *layout->schedule == ScheduleKind::Custom) return;
    const std::int64_t own = prescribedChunks(*layout->schedule).value_or(0);
    if (own != chunks && !(own == 0 && chunks > 1)) layout->schedule.reset();
    if (!layout->schedule) layout->activationLimit.reset();
}

void followModel(Scenario &next)
{
    Editing layout(next.layout);
    layout->layersPerStage.clear();
    if (next.model->mtpLayers == 0) layout->mtpStage.reset();
    if (next.model->moe) return;
    layout->expert = 1;
    layout->expertTensor = 1;
}

void followAccelerator(Scenario &next, const Catalogue &catalogue)
{
    if (next.cluster->blueprint) return;
    const Accelerator *chosen = catalogue.accelerator(next.cluster->acceleratorName);
    Editing cluster(next.cluster);
    cluster->scaleupDomain.reset();
    cluster->gpusUsedPerDomain.reset();
    cluster->gpusPerServer.reset();
    if (chosen && chosen->nicGbps > 0.0) cluster->nicGbpsPerGpu.reset();
}

bool changesChunks(const Scenario &next, const Scenario &before)
{
    return next.layout->pipeline != before.layout->pipeline || next.layout->virtualPipeline != before.layout->virtualPipeline ||
           next.layout->schedule != before.layout->schedule || next.model->layers != before.model->layers;
}

/// Turned to where it already is it changes nothing along.
void follow(Scenario &next, const Scenario &before, KnobId id, const Catalogue &catalogue)
{
    switch (id) {
    case KnobId::Model: followModel(next); break;
    case KnobId::Schedule: followSchedule(next); break;
    case KnobId::VirtualStages: followChunks(next); break;
    case KnobId::Accelerator: followAccelerator(next, catalogue); break;
    case KnobId::Pipeline:
        if (next.layout->mtpStage && *next.layout->mtpStage >= next.layout->pipeline) Editing(next.layout)->mtpStage.reset();
        break;
    default: break;
    }
    if (!next.layout->layersPerStage.empty() && changesChunks(next, before)) Editing(next.layout)->layersPerStage.clear();
    fitReplicas(next, before, id, catalogue);
    dropShardGroup(next);
}

} // namespace

Result<Scenario> withKnob(const Scenario &scenario, KnobId id, const std::string &value, const Catalogue &catalogue)
{
    QList<ScenarioEdit> edits{{QString::fromUtf8(knob(id).pointer), QString::fromStdString(value), QString()}};
    // By layers is a mode of its own: the object is written as a whole.
    if (id == KnobId::RecomputedLayers) edits = {{QStringLiteral("/training/recompute"), QStringLiteral("{\"layers\":%1}").arg(edits[0].json), QString()}};
    auto next = editedScenario(scenario, edits, catalogue);
    if (!next.ok() || sameContent(next.value(), scenario)) return next;
    follow(next.value(), scenario, id, catalogue);
    shareSections(next.value(), scenario);
    return next;
}

Result<Scenario> validWithKnob(const Scenario &scenario, KnobId id, const std::string &value, const Catalogue &catalogue)
{
    auto next = withKnob(scenario, id, value, catalogue);
    if (!next.ok()) return next;
    if (const auto resolved = resolve(next.value(), catalogue); !resolved.ok()) return resolved.error();
    return next;
}

} // namespace clusterbeat::knob_edits
