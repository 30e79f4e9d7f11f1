// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/navigation.h"

#include <QRegularExpression>

namespace clusterbeat {
namespace {

// "pod 2 / GPU 5" -> "pod.2/gpu.5"
QString asPath(QString text)
{
    static const QRegularExpression separator(QStringLiteral(R"(\s*/\s*)"));
    static const QRegularExpression number(QStringLiteral(R"(([a-z][a-z-]*)\s+(\d+))"));
    text = text.toLower();
    text.replace(separator, QStringLiteral("/"));
    text.replace(number, QStringLiteral("\\1.\\2"));
    return text;
}

QString asQuery(const QString &text)
{
    static const QRegularExpression rank(QStringLiteral(R"(^(?:rank\s*)?(\d+)$)"), QRegularExpression::CaseInsensitiveOption);
    const auto match = rank.match(text);
    return match.hasMatch() ? QStringLiteral("rank:") + match.captured(1) : text;
}

} // namespace

std::optional<GpuIndex> findGpu(const IterationResult &result, const QString &search)
{
    const QString text = search.trimmed();
    if (text.isEmpty()) return std::nullopt;
    for (const QString &target : {asQuery(text), asPath(text)}) {
        const auto gpus = gpusOfTarget(*result.expansion, *result.placement, target.toStdString());
        if (gpus.ok() && !gpus.value().empty()) return gpus.value().front();
    }
    return std::nullopt;
}

} // namespace clusterbeat
