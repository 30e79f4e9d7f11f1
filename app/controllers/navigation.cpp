// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/navigation.h"

#include <QRegularExpression>

#include <algorithm>
#include <array>
#include <cstdint>

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

/// One thing by its kind and number: "5219", "rank 5", "stage 0", "s0", "replica 1", "DP 1", "流水线阶段 0".
QString asQuery(const QString &text)
{
    struct Words {
        const char *kind;
        QRegularExpression pattern;
    };
    const auto words = [](const char *kind, const char *pattern) {
        return Words{kind, QRegularExpression(QString::fromUtf8(pattern), QRegularExpression::CaseInsensitiveOption)};
    };
    static const std::array all{words("rank:", R"(^(?:rank\s*[.:]?\s*)?(\d+)$)"),
                                words("stage:", R"(^(?:stage|s|pp|阶段|流水线阶段)\s*[.:]?\s*(\d+)$)"),
                                words("replica:", R"(^(?:replica|r|dp|副本)\s*[.:]?\s*(\d+)$)")};
    for (const Words &each : all)
        if (const auto match = each.pattern.match(text); match.hasMatch()) return QLatin1String(each.kind) + match.captured(1);
    return text;
}

/// "GPU 7": the seventh after the first of the cluster. kNone when the text says something else.
GpuIndex asGpu(const QString &text, GpuIndex count)
{
    static const QRegularExpression gpu(QStringLiteral(R"(^gpu\s*[.:]?\s*(\d+)$)"), QRegularExpression::CaseInsensitiveOption);
    const auto match = gpu.match(text);
    bool number = false;
    const int index = match.captured(1).toInt(&number);
    return number && index < count ? index : kNone;
}

bool asksForSlow(const QString &text)
{
    static const QRegularExpression slow(QStringLiteral("^(slow|slowest)(\\s*gpu)?$|^(最)?慢(\\s*GPU)?$"),
                                         QRegularExpression::CaseInsensitiveOption);
    return slow.match(text).hasMatch();
}

} // namespace

std::optional<GpuIndex> findGpu(const IterationResult &result, const QString &search)
{
    const QString text = search.trimmed();
    if (text.isEmpty()) return std::nullopt;
    if (asksForSlow(text) && result.slowest.gpu != kNone) return result.slowest.gpu;
    if (const GpuIndex gpu = asGpu(text, static_cast<GpuIndex>(result.expansion->gpuCount)); gpu != kNone) return gpu;
    for (const QString &target : {asQuery(text), asPath(text)}) {
        const auto gpus = gpusOfTarget(*result.expansion, *result.placement, target.toStdString());
        if (gpus.ok() && !gpus.value().empty()) return gpus.value().front();
    }
    return std::nullopt;
}

QStringList searchExamples(const IterationResult &result)
{
    constexpr int kMost = 256;          // of each kind: a list to choose from, not an index
    QStringList words{QStringLiteral("slow GPU")};
    for (int i = 0; i < std::min<int>(result.placement->pipeline, kMost); ++i) words.append(QStringLiteral("stage %1").arg(i));
    for (int i = 0; i < std::min<int>(result.placement->data, kMost); ++i) words.append(QStringLiteral("replica %1").arg(i));
    const int gpus = static_cast<int>(std::min<std::int64_t>(result.expansion->gpuCount, kMost));
    for (int i = 0; i < gpus; ++i) words.append(QStringLiteral("GPU %1").arg(i));
    return words;
}

} // namespace clusterbeat
