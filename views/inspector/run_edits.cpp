// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/run_edits.h"

#include <QJsonArray>
#include <QJsonDocument>

#include <algorithm>

namespace clusterbeat::run_edits {
namespace {

void dropLayerSplit(const Scenario &scenario, const QString &label, QList<ScenarioEdit> &edits)
{
    if (!scenario.layout->layersPerStage.empty()) edits.append({QStringLiteral("/layout/layers_per_stage"), QString(), label});
}

} // namespace

QString jsonString(const QString &text)
{
    // An array of one is the shortest document that Qt writes; the brackets go.
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return QString::fromUtf8(array.mid(1, array.size() - 2));
}

QList<ScenarioEdit> degree(const Scenario &scenario, const QString &pointer, qint64 value, const QString &label)
{
    const LayoutSection &layout = *scenario.layout;
    QList<ScenarioEdit> edits{{pointer, QString::number(value), label}};
    const bool isPipeline = pointer == QLatin1String("/layout/pipeline"), isVirtual = pointer == QLatin1String("/layout/virtual_pipeline");
    if (isPipeline || isVirtual) dropLayerSplit(scenario, label, edits);
    // Without chunks, and with them, another schedule is the documented default: leave the choice to it.
    if (isVirtual && layout.schedule) {
        const bool interleaved = *layout.schedule == ScheduleKind::Interleaved;
        const bool plain = *layout.schedule == ScheduleKind::OneFOneB || *layout.schedule == ScheduleKind::GPipe;
        if ((value <= 1 && interleaved) || (value > 1 && plain)) edits.append({QStringLiteral("/layout/schedule"), QString(), label});
    }
    if (isVirtual && value <= 1 && layout.microBatchGroup) edits.append({QStringLiteral("/layout/micro_batch_group"), QString(), label});
    if (pointer == QLatin1String("/layout/data") || !layout.data) return edits;
    const qint64 tensor = pointer == QLatin1String("/layout/tensor") ? value : layout.tensor;
    const qint64 pipeline = isPipeline ? value : layout.pipeline;
    const qint64 perReplica = std::max<qint64>(1, tensor) * std::max<qint64>(1, pipeline) * std::max<qint64>(1, layout.context);
    const qint64 gpus = scenario.cluster->gpus;
    if (gpus > 0 && perReplica <= gpus && perReplica * *layout.data > gpus)
        edits.append({QStringLiteral("/layout/data"), QString::number(gpus / perReplica), label});
    return edits;
}

QList<ScenarioEdit> schedule(const Scenario &scenario, const QString &key, const QString &label)
{
    QList<ScenarioEdit> edits{{QStringLiteral("/layout/schedule"), jsonString(key), label}};
    const qint64 chunks = scenario.layout->virtualPipeline.value_or(1);
    const bool interleaved = key == QLatin1String("interleaved");
    // An order from a file goes with its schedule, a group size with interleaving.
    if (!scenario.layout->scheduleOrders.empty()) edits.append({QStringLiteral("/layout/schedule_orders"), QString(), label});
    if (scenario.layout->microBatchGroup && !interleaved) edits.append({QStringLiteral("/layout/micro_batch_group"), QString(), label});
    if (interleaved == (chunks != 1)) return edits;
    edits.append({QStringLiteral("/layout/virtual_pipeline"), interleaved ? QStringLiteral("2") : QStringLiteral("1"), label});
    dropLayerSplit(scenario, label, edits);
    return edits;
}

QList<ScenarioEdit> enabled(qsizetype index, bool on, const QString &label)
{
    return {{QStringLiteral("/perturbations/%1/enabled").arg(index), on ? QStringLiteral("true") : QStringLiteral("false"), label}};
}

QList<ScenarioEdit> removed(qsizetype index, const QString &label) { return {{QStringLiteral("/perturbations/%1").arg(index), QString(), label}}; }

} // namespace clusterbeat::run_edits
