// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/result_table.h"

#include "model/iteration/peer_wait.h"

#include <array>
#include <cstdarg>
#include <cstdio>

namespace clusterbeat {
namespace {

constexpr std::array<const char *, 5> kDimensions{"tensor", "context", "expert", "data", "pipeline"};
constexpr std::array<const char *, 10> kAlgorithms{"none",       "ring", "tree",      "hierarchical", "point to point",
                                                   "all to all", "NVLS", "NVLS tree", "in-network",   "PAT"};
constexpr std::array<const char *, 4> kProtocols{"", "", " LL128", " LL"};

// printf, not QLocale: the command line prints the same bytes under every locale of the process (Qt sets "C" for numbers).
QString format(const char *pattern, ...) Q_ATTRIBUTE_FORMAT_PRINTF(1, 2);
QString format(const char *pattern, ...)
{
    std::va_list arguments;
    va_start(arguments, pattern);
    const QString text = QString::vasprintf(pattern, arguments);
    va_end(arguments);
    return text;
}
QString row(const char *name, const QString &value)
{
    return format("%-26s ", name) + value + QLatin1Char('\n');
}

QString headline(const IterationResult &result)
{
    const Metrics &m = result.metrics;
    QString text;
    text += row("iteration", format("%.4f s", m.iterationS));
    text += row("tokens/s", format("%.0f", m.tokensPerS));
    text += row("model TFLOP/s per GPU", format("%.1f", m.modelTflopsPerGpu));
    text += row("MFU (6N + causal, dense)", format("%.1f %%", m.mfu * 100));
    text += row("HFU", format("%.1f %%", m.hfu * 100));
    text += row("bubble fraction", format("%.1f %%", m.bubbleFraction * 100));
    text += row("GPUs in the layout", format("%lld of %lld", static_cast<long long>(m.gpus),
                                             static_cast<long long>(m.clusterGpus)));
    text += row("cost per 1 M tokens", format("%.3f USD", m.usdPerMillionTokens));
    return text;
}

QString breakdown(const IterationResult &result)
{
    QString text = QStringLiteral("\nbreakdown, mean over ranks\n");
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const double seconds = result.metrics.breakdownS[i];
        if (seconds <= 0.0) continue;
        text += row(("  " + std::string(kCategoryKeys[i])).c_str(),
                    format("%9.4f s  %5.1f %%", seconds, seconds / result.metrics.iterationS * 100));
    }
    return text;
}

QString memory(const IterationResult &result)
{
    const MemoryReport &report = result.memory;
    const auto gb = [](Bytes bytes) { return static_cast<double>(bytes) / kBytesPerGb; };
    const MemoryParts &peak = report.peak;
    QString text = format("\nmemory of the fullest rank (%d)\n", report.rank);
    const std::array<std::pair<const char *, Bytes>, 5> parts{{{"  parameters", peak.parameters},
                                                               {"  gradients", peak.gradients},
                                                               {"  optimizer", peak.optimizer},
                                                               {"  activations", peak.activations},
                                                               {"  buffers", peak.buffers}}};
    for (const auto &[name, bytes] : parts) text += row(name, format("%9.2f GB", gb(bytes)));
    text += row("  total", format("%9.2f GB of %.2f GB%s", gb(peak.total()), gb(report.capacity),
                                  report.fits ? "" : ": DOES NOT FIT"));
    if (report.overflow) {
        const GpuIndex gpu = result.placement->gpuOfRank[static_cast<std::size_t>(report.overflow->rank)];
        text += row("  too much first", format("rank %d on %s at %.4f s, by %.2f GB", report.overflow->rank, result.expansion->pathOf(gpu).c_str(),
                                               toSeconds(report.overflow->at), gb(report.overflow->bytes)));
    }
    if (report.byStage->size() > 1) {
        QString peaks;
        for (const StageMemory &stage : *report.byStage)
            peaks += format(peaks.isEmpty() ? "%.1f" : " %.1f", gb(stage.peak.total()));
        text += row("  peak by stage", peaks + QStringLiteral(" GB"));
    }
    return text;
}

QString communication(const IterationResult &result)
{
    QString text;
    const PeerWaits waits = peerWaitsOf(result);
    for (const DimensionReport &report : result.communication) {
        if (report.bytesPerGpu <= 0.0) continue;
        const auto dimension = static_cast<std::size_t>(report.dimension);
        const auto algorithm = static_cast<std::size_t>(report.algorithm);
        text += format("  %-10s %9.3f GB/GPU  busy %8.4f s (start-up %.4f)  waits for peers %8.4f s  exposed %8.4f s  %s%s%s%s\n",
                       kDimensions[dimension], report.bytesPerGpu / kBytesPerGb, report.busyS, report.startupS, waits.of(report.dimension),
                       report.exposedS, kAlgorithms[algorithm],
                       kProtocols[static_cast<std::size_t>(report.protocol)],
                       report.bottleneck.empty() ? "" : ", slowest link ", report.bottleneck.c_str());
    }
    return text.isEmpty() ? text : QStringLiteral("\ncommunication per iteration\n") + text;
}

const char *reasonText(Slowest::Reason reason)
{
    switch (reason) {
    case Slowest::Reason::MostWork: return "most work";
    case Slowest::Reason::SlowGpu: return "runs below nominal speed";
    case Slowest::Reason::Jitter: return "random delays";
    case Slowest::Reason::HostPause: return "its host pauses";
    case Slowest::Reason::Documents: return "long documents";
    case Slowest::Reason::DataLoading: return "waits for training data";
    case Slowest::Reason::Checkpoint: return "writes a checkpoint";
    case Slowest::Reason::SlowLink: return "a slow link";
    case Slowest::Reason::WarmUp: return "still warming up";
    }
    return "";
}

QString slowest(const IterationResult &result)
{
    const Slowest &slow = result.slowest;
    const std::string path = result.expansion->pathOf(slow.gpu);
    const char *reason = reasonText(slow.reason);
    QString text = QLatin1Char('\n') + row("slowest rank", format("%d on %s: %s", slow.rank, path.c_str(), reason));
    if (!slow.link.empty()) text += row("slow link", QString::fromStdString(slow.link));
    if (result.run.perturbed())
        text += row("without perturbations", format("%.4f s", toSeconds(result.unperturbedIteration)));
    return text;
}

QString accuracy(const IterationResult &result, const ReferenceTable &references)
{
    const ErrorBand band = errorBand(featuresOf(*result.scenario), references);
    if (band.relatives.empty()) return QString();
    return row("published runs alike", format("%zu nearest: errors %+.1f to %+.1f %%%s", band.relatives.size(), band.low * 100,
                                              band.high * 100, band.extrapolated ? " (none is much like this one)" : ""));
}

} // namespace

QString resultTable(const IterationResult &result, const ReferenceTable *references)
{
    return headline(result) + (references ? accuracy(result, *references) : QString()) + breakdown(result) + memory(result) + communication(result) +
           slowest(result);
}

} // namespace clusterbeat
