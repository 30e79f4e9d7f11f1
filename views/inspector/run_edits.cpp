// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/run_edits.h"

namespace clusterbeat::run_edits {
QList<ScenarioEdit> enabled(qsizetype index, bool on, const QString &label)
{
    return {{QStringLiteral("/perturbations/%1/enabled").arg(index), on ? QStringLiteral("true") : QStringLiteral("false"), label}};
}

QList<ScenarioEdit> removed(qsizetype index, const QString &label) { return {{QStringLiteral("/perturbations/%1").arg(index), QString(), label}}; }

} // namespace clusterbeat::run_edits
