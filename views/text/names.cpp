// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/names.h"

#include <QCoreApplication>
#include <QStringList>

namespace clusterbeat {
namespace {

QString name(const char *source) { return QCoreApplication::translate("Names", source); }

QString partText(QStringView part)
{
    const qsizetype dot = part.lastIndexOf(QLatin1Char('.'));
    const QStringView id = dot < 0 ? part : part.left(dot);
    const QStringView number = dot < 0 ? QStringView() : part.mid(dot + 1);
    struct Known {
        QLatin1String id;
        NodeKind kind;
    };
    static constexpr std::array<Known, 11> known{{
        {QLatin1String("site"), NodeKind::Site}, {QLatin1String("pod"), NodeKind::Pod}, {QLatin1String("rack"), NodeKind::Rack},
        {QLatin1String("server"), NodeKind::Server}, {QLatin1String("gpu"), NodeKind::Gpu}, {QLatin1String("nvswitch"), NodeKind::NvSwitch},
        {QLatin1String("nic"), NodeKind::Nic}, {QLatin1String("leaf"), NodeKind::Leaf}, {QLatin1String("spine"), NodeKind::Spine},
        {QLatin1String("core"), NodeKind::Core}, {QLatin1String("storage"), NodeKind::Storage},
    }};
    QString shown = id.toString();
    for (const Known &each : known)
        if (id == each.id) shown = nodeKindName(each.kind);
    return number.isEmpty() ? shown : shown + QLatin1Char(' ') + number.toString();
}

QString joined(QStringView path, qsizetype from, qsizetype drop)
{
    const QList<QStringView> parts = path.split(QLatin1Char('/'), Qt::SkipEmptyParts);
    QStringList shown;
    for (qsizetype i = from; i < parts.size() - drop; ++i)
        shown << (parts[i] == QLatin1String("**") ? name("all GPUs") : partText(parts[i]));
    return shown.join(QStringLiteral(" / "));
}

} // namespace

QString categoryName(Category category)
{
    switch (category) {
    case Category::Forward: return QCoreApplication::translate("Names", "Forward");
    case Category::Backward: return QCoreApplication::translate("Names", "Backward");
    case Category::WeightGradient: return QCoreApplication::translate("Names", "Weight gradient");
    case Category::Recompute: return QCoreApplication::translate("Names", "Recompute");
    case Category::Optimizer: return QCoreApplication::translate("Names", "Optimizer");
    case Category::Host: return QCoreApplication::translate("Names", "Host");
    case Category::ExposedTp: return QCoreApplication::translate("Names", "Exposed TP");
    case Category::ExposedCp: return QCoreApplication::translate("Names", "Exposed CP");
    case Category::ExposedEp: return QCoreApplication::translate("Names", "Exposed EP");
    case Category::ExposedPp: return QCoreApplication::translate("Names", "Exposed PP");
    case Category::ExposedDp: return QCoreApplication::translate("Names", "Exposed DP");
    case Category::Bubble: return QCoreApplication::translate("Names", "Bubble");
    case Category::StragglerWait: return QCoreApplication::translate("Names", "Straggler wait");
    case Category::DataWait: return QCoreApplication::translate("Names", "Data wait");
    case Category::CheckpointStall: return QCoreApplication::translate("Names", "Checkpoint stall");
    }
    return QString();
}

QString categoryDescription(Category category)
{
    switch (category) {
    case Category::Forward: return QCoreApplication::translate("Names", "Computes the forward pass of a micro-batch.");
    case Category::Backward: return QCoreApplication::translate("Names", "Computes the backward pass of a micro-batch.");
    case Category::WeightGradient: return QCoreApplication::translate("Names", "Computes weight gradients that the schedule split from the backward pass.");
    case Category::Recompute: return QCoreApplication::translate("Names", "Computes activations again that were not kept, to save memory.");
    case Category::Optimizer: return QCoreApplication::translate("Names", "Updates the weights after all gradients are reduced.");
    case Category::Host: return QCoreApplication::translate("Names", "The CPU prepares and launches work, or offloaded activations are on their way; the GPU has nothing to do yet.");
    case Category::ExposedTp: return QCoreApplication::translate("Names", "Waits for tensor-parallel communication that nothing hides.");
    case Category::ExposedCp: return QCoreApplication::translate("Names", "Waits for context-parallel communication that nothing hides.");
    case Category::ExposedEp: return QCoreApplication::translate("Names", "Waits for expert-parallel communication that nothing hides.");
    case Category::ExposedPp: return QCoreApplication::translate("Names", "Waits while activations or gradients travel between pipeline stages.");
    case Category::ExposedDp: return QCoreApplication::translate("Names", "Waits for gradients or parameters to be exchanged between replicas.");
    case Category::Bubble: return QCoreApplication::translate("Names", "The pipeline has no work for this stage: it fills, drains or is uneven.");
    case Category::StragglerWait: return QCoreApplication::translate("Names", "Waits longer than in the same run without slow GPUs: somebody is late.");
    case Category::DataWait: return QCoreApplication::translate("Names", "Waits for training data.");
    case Category::CheckpointStall: return QCoreApplication::translate("Names", "Waits for a checkpoint to be written.");
    }
    return QString();
}

QString stateName(std::uint8_t state)
{
    return state < kCategoryCount ? categoryName(static_cast<Category>(state)) : name(QT_TRANSLATE_NOOP("Names", "No rank"));
}

QString dimensionName(Dimension dimension)
{
    switch (dimension) {
    case Dimension::Tensor: return QCoreApplication::translate("Names", "Tensor");
    case Dimension::Context: return QCoreApplication::translate("Names", "Context");
    case Dimension::Expert: return QCoreApplication::translate("Names", "Expert");
    case Dimension::Data: return QCoreApplication::translate("Names", "Data");
    case Dimension::Pipeline: return QCoreApplication::translate("Names", "Pipeline");
    }
    return QString();
}

QString dimensionAbbreviation(Dimension dimension)
{
    switch (dimension) {
    case Dimension::Tensor: return QStringLiteral("TP");
    case Dimension::Context: return QStringLiteral("CP");
    case Dimension::Expert: return QStringLiteral("EP");
    case Dimension::Data: return QStringLiteral("DP");
    case Dimension::Pipeline: return QStringLiteral("PP");
    }
    return QString();
}

QString scheduleName(ScheduleKind kind)
{
    switch (kind) {
    case ScheduleKind::GPipe: return QStringLiteral("GPipe");
    case ScheduleKind::OneFOneB: return QStringLiteral("1F1B");
    case ScheduleKind::Interleaved: return QCoreApplication::translate("Names", "Interleaved 1F1B");
    case ScheduleKind::ZbH1: return QCoreApplication::translate("Names", "Zero bubble H1");
    case ScheduleKind::ZbH2: return QCoreApplication::translate("Names", "Zero bubble H2");
    case ScheduleKind::ZbV: return QCoreApplication::translate("Names", "Zero bubble V");
    case ScheduleKind::ZbAuto: return QCoreApplication::translate("Names", "Zero bubble, automatic");
    case ScheduleKind::DualPipe: return QStringLiteral("DualPipe");
    case ScheduleKind::DualPipeV: return QStringLiteral("DualPipe V");
    case ScheduleKind::Custom: return QCoreApplication::translate("Names", "Custom schedule");
    }
    return QString();
}

QString scheduleKey(ScheduleKind kind)
{
    switch (kind) {
    case ScheduleKind::GPipe: return QStringLiteral("gpipe");
    case ScheduleKind::OneFOneB: return QStringLiteral("1f1b");
    case ScheduleKind::Interleaved: return QStringLiteral("interleaved");
    case ScheduleKind::ZbH1: return QStringLiteral("zb-h1");
    case ScheduleKind::ZbH2: return QStringLiteral("zb-h2");
    case ScheduleKind::ZbV: return QStringLiteral("zb-v");
    case ScheduleKind::ZbAuto: return QStringLiteral("zb-auto");
    case ScheduleKind::DualPipe: return QStringLiteral("dualpipe");
    case ScheduleKind::DualPipeV: return QStringLiteral("dualpipe-v");
    case ScheduleKind::Custom: return QStringLiteral("custom");
    }
    return QString();
}

QString profileName(QStringView profile)
{
    if (profile == QLatin1String("llama3")) return QCoreApplication::translate("Names", "Llama 3 (Meta, 2024)");
    if (profile == QLatin1String("nemo24")) return QCoreApplication::translate("Names", "NeMo (2024)");
    if (profile == QLatin1String("megatron22")) return QCoreApplication::translate("Names", "Megatron-LM (2022)");
    return profile.toString();
}

QString nodeKindName(NodeKind kind)
{
    switch (kind) {
    case NodeKind::Site: return QCoreApplication::translate("Names", "site");
    case NodeKind::Pod: return QCoreApplication::translate("Names", "pod");
    case NodeKind::Rack: return QCoreApplication::translate("Names", "rack");
    case NodeKind::Server: return QCoreApplication::translate("Names", "server");
    case NodeKind::Gpu: return QStringLiteral("GPU");
    case NodeKind::NvSwitch: return QStringLiteral("NVSwitch");
    case NodeKind::Nic: return QStringLiteral("NIC");
    case NodeKind::Leaf: return QCoreApplication::translate("Names", "leaf switch");
    case NodeKind::Spine: return QCoreApplication::translate("Names", "spine switch");
    case NodeKind::Core: return QCoreApplication::translate("Names", "core switch");
    case NodeKind::Storage: return QCoreApplication::translate("Names", "storage");
    }
    return QString();
}

QString perturbationName(PerturbationKind kind)
{
    switch (kind) {
    case PerturbationKind::SlowGpu: return QCoreApplication::translate("Names", "Slow GPU");
    case PerturbationKind::Jitter: return QCoreApplication::translate("Names", "Compute jitter");
    case PerturbationKind::DegradedLink: return QCoreApplication::translate("Names", "Degraded link");
    case PerturbationKind::DeadLink: return QCoreApplication::translate("Names", "Dead link");
    case PerturbationKind::CompetingTraffic: return QCoreApplication::translate("Names", "Competing traffic");
    case PerturbationKind::GcPause: return QCoreApplication::translate("Names", "Host pauses");
    case PerturbationKind::DocumentImbalance: return QCoreApplication::translate("Names", "Document lengths");
    case PerturbationKind::SlowData: return QCoreApplication::translate("Names", "Slow data loading");
    case PerturbationKind::Checkpoint: return QCoreApplication::translate("Names", "Checkpoint");
    case PerturbationKind::SlowStorage: return QCoreApplication::translate("Names", "Slow storage");
    case PerturbationKind::WarmUp: return QCoreApplication::translate("Names", "Warm-up");
    }
    return QString();
}

QString linkDomainName(LinkDomain domain)
{
    switch (domain) {
    case LinkDomain::NvLink: return QCoreApplication::translate("Names", "NVLink");
    case LinkDomain::Pcie: return QCoreApplication::translate("Names", "PCI Express link");
    case LinkDomain::Nic: return QCoreApplication::translate("Names", "NIC link");
    case LinkDomain::Uplink: return QCoreApplication::translate("Names", "Uplinks");
    }
    return QString();
}

QString algorithmName(CollectiveAlgorithm algorithm)
{
    switch (algorithm) {
    case CollectiveAlgorithm::None: return QCoreApplication::translate("Names", "none");
    case CollectiveAlgorithm::Ring: return QCoreApplication::translate("Names", "ring");
    case CollectiveAlgorithm::Tree: return QCoreApplication::translate("Names", "tree");
    case CollectiveAlgorithm::Hierarchical: return QCoreApplication::translate("Names", "hierarchical");
    case CollectiveAlgorithm::PointToPoint: return QCoreApplication::translate("Names", "point to point");
    case CollectiveAlgorithm::AllToAll: return QCoreApplication::translate("Names", "all to all");
    case CollectiveAlgorithm::Nvls: return QCoreApplication::translate("Names", "NVLS (in the NVSwitch)");
    case CollectiveAlgorithm::NvlsTree: return QCoreApplication::translate("Names", "NVLS and trees");
    case CollectiveAlgorithm::InNetwork: return QCoreApplication::translate("Names", "in the network's switches");
    case CollectiveAlgorithm::Pat: return QCoreApplication::translate("Names", "PAT (aggregated trees)");
    }
    return QString();
}

QString operationName(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return QCoreApplication::translate("Names", "forward");
    case OperationKind::Backward: return QCoreApplication::translate("Names", "backward");
    case OperationKind::InputGradient: return QCoreApplication::translate("Names", "input gradient");
    case OperationKind::WeightGradient: return QCoreApplication::translate("Names", "weight gradient");
    }
    return QString();
}

std::int32_t shownMicroBatch(const PipelineSchedule &schedule, std::int32_t chunk, std::int32_t microBatch)
{
    return schedule.flow == PipelineFlow::Bidirectional && chunk == 1 ? schedule.microBatchesPerChunk() + microBatch : microBatch;
}

QString stageOfWorkName(SimulationStage stage)
{
    switch (stage) {
    case SimulationStage::Resolve: return QCoreApplication::translate("Names", "Checking the scenario");
    case SimulationStage::Expand: return QCoreApplication::translate("Names", "Building the cluster");
    case SimulationStage::Place: return QCoreApplication::translate("Names", "Placing ranks");
    case SimulationStage::Costs: return QCoreApplication::translate("Names", "Costing operations");
    case SimulationStage::Network: return QCoreApplication::translate("Names", "Sharing links");
    case SimulationStage::Execute: return QCoreApplication::translate("Names", "Running the iteration");
    case SimulationStage::Attribute: return QCoreApplication::translate("Names", "Explaining the waits");
    }
    return QString();
}

QString memberPathText(QStringView path)
{
    if (path.isEmpty()) return QCoreApplication::translate("Names", "all GPUs");
    if (path.contains(QLatin1Char(':'))) return path.toString();   // a query is shown as it is written
    return joined(path, 0, 0);
}

QString containerPathText(QStringView path) { return joined(path, 0, 1); }

QString memberText(QStringView path)
{
    const qsizetype slash = path.lastIndexOf(QLatin1Char('/'));
    return memberPathText(slash < 0 ? path : path.mid(slash + 1));
}

QString fillText(const QString &pattern, const QStringList &arguments)
{
    QString text;
    text.reserve(pattern.size() + 32);
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const QChar next = i + 1 < pattern.size() ? pattern[i + 1] : QChar();
        if (pattern[i] != QLatin1Char('%') || next < QLatin1Char('1') || next > QLatin1Char('9')) {
            text += pattern[i];
            continue;
        }
        const qsizetype argument = next.unicode() - u'1';
        text += argument < arguments.size() ? arguments[argument] : QStringLiteral("?");
        ++i;
    }
    return text;
}

} // namespace clusterbeat
