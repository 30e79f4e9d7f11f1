// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/beat/verdict.h"

#include "views/beat/breakdown.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/perturbation_text.h"
#include "views/text/why_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <initializer_list>

namespace clusterbeat {
namespace {

constexpr double kNoticeable = 0.0005;
constexpr double kWorthSaying = 0.03;

QString say(const char *source) { return QCoreApplication::translate("Verdict", source); }

QString moneyOverRun(const IterationResult &result, double seconds, const QLocale &locale)
{
    return usdText(usdOverRun(result, seconds), locale, Sign::Always);
}

/// The slow GPUs of the plan: how many, the slowest one's position and speed.
struct SlowGpus {
    std::int64_t count = 0;
    double speed = 1.0;
    GpuIndex gpu = kNone;
};
SlowGpus slowGpus(const IterationResult &result)
{
    SlowGpus slow;
    const auto &slowness = result.run.plan.slowness;
    std::size_t worst = 0;
    for (std::size_t i = 0; i < slowness.size(); ++i) {
        if (slowness[i] <= 1.0) continue;
        ++slow.count;
        if (slowness[i] > slowness[worst]) worst = i;
    }
    if (slow.count == 0) return slow;
    slow.speed = 1.0 / slowness[worst];
    if (!result.placement || worst >= result.placement->rankOfPosition.size()) return slow;
    slow.gpu = result.placement->gpuOfRank[static_cast<std::size_t>(result.placement->rankOfPosition[worst])];
    return slow;
}

QString slowCause(const IterationResult &result, const SlowGpus &slow, const HeldUp &held, const QLocale &locale)
{
    const QString speed = percentText(slow.speed, locale, 0);
    const std::int64_t others = held.gpus > 0 ? held.gpus : result.metrics.gpus - slow.count;
    const QString gpus = integerText(others, locale);
    if (slow.count == 1) return fillText(say(QT_TRANSLATE_NOOP("Verdict", "One GPU at %1 holds up %2 GPUs")), {speed, gpus});
    return fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 slow GPUs, the slowest at %2, hold up %3 GPUs")), {integerText(slow.count, locale), speed, gpus});
}

/// The first perturbation of a kind that has an effect, or null.
const Perturbation *firstOf(const IterationResult &result, PerturbationKind kind)
{
    if (!result.scenario) return nullptr;
    const PerturbationList &list = result.scenario->perturbations;
    const auto found = std::find_if(list.begin(), list.end(), [kind](const Perturbation &each) { return each.kind == kind; });
    return found == list.end() ? nullptr : &*found;
}

/// Of the longest checkpoint.
double stallS(const IterationResult &result)
{
    const auto &stalls = result.run.plan.checkpoint;
    return stalls.empty() ? 0.0 : toSeconds(*std::max_element(stalls.begin(), stalls.end()));
}

/// Whether something else than these kinds has an effect too.
bool others(const IterationResult &result, std::initializer_list<PerturbationKind> kinds)
{
    if (!result.scenario) return false;
    const PerturbationList &list = result.scenario->perturbations;
    return std::any_of(list.begin(), list.end(), [&](const Perturbation &each) { return std::find(kinds.begin(), kinds.end(), each.kind) == kinds.end(); });
}

/// Of a delay, what an iteration has of it in the mean of the run: all, but a checkpoint's stall once an interval.
double secondsInEach(const IterationResult &result, double extra)
{
    if (!firstOf(result, PerturbationKind::Checkpoint)) return extra;
    const double interval = result.scenario->campaign.checkpointIntervalS;
    const double share = interval > 0.0 ? toSeconds(result.unperturbedIteration) / interval : 1.0;
    const double stall = std::min(extra, stallS(result));
    return extra - stall + stall * std::min(1.0, share);
}

// What a delay of several perturbations costs cannot be told apart from one run: the line says that it is of all of
// them. A checkpoint in it costs once an interval; what a warm-up has in it once a run is not known.
void sayTogether(Verdict &verdict, const IterationResult &result, double extra, const QLocale &locale)
{
    const PerturbationList &list = result.scenario->perturbations;
    const QString seconds = secondsText(extra, locale, Sign::Always);
    const QString count = integerText(static_cast<std::int64_t>(list.size()), locale);
    if (firstOf(result, PerturbationKind::WarmUp)) {
        verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 in this iteration, all %2 perturbations together")), {seconds, count});
        verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 together")), {seconds});
        return;
    }
    const QString money = moneyOverRun(result, secondsInEach(result, extra), locale);
    verdict.effect = firstOf(result, PerturbationKind::Checkpoint)
                         ? fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 in this iteration, all %2 perturbations together, a checkpoint every %3 · %4 over the run")),
                                    {seconds, count, durationText(toNs(result.scenario->campaign.checkpointIntervalS), locale), money})
                         : fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 an iteration, all %2 perturbations together · %3 over the run")), {seconds, count, money});
    verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 together, run %2")), {seconds, money});
}

Verdict slowVerdict(const IterationResult &result, const SlowGpus &slow, double extra, const QLocale &locale)
{
    Verdict verdict;
    verdict.gpu = slow.gpu;
    verdict.button = say(QT_TRANSLATE_NOOP("Verdict", "Show GPU"));
    if (extra <= kNoticeable * result.metrics.iterationS) {
        verdict.tone = Verdict::Tone::Opportunity;
        verdict.cause = slow.count == 1 ? fillText(say(QT_TRANSLATE_NOOP("Verdict", "One GPU at %1 costs nothing")), {percentText(slow.speed, locale, 0)})
                                  : fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 slow GPUs cost nothing")), {integerText(slow.count, locale)});
        verdict.effect = verdict.shortEffect = say(QT_TRANSLATE_NOOP("Verdict", "waits that were there anyway hide the delay"));
        return verdict;
    }
    const HeldUp held = heldUp(result);
    verdict.tone = Verdict::Tone::Worse;
    verdict.cause = slowCause(result, slow, held, locale);
    if (others(result, {PerturbationKind::SlowGpu})) {
        sayTogether(verdict, result, extra, locale);
        return verdict;
    }
    const QString money = moneyOverRun(result, extra, locale);
    if (held.replicas > 0)
        verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "Straggler wait %1 on %2 replicas · %3 over the run")),
                                  {secondsText(held.meanWaitS, locale, Sign::Always), integerText(held.replicas, locale), money});
    else
        verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 an iteration · %2 over the run")), {secondsText(extra, locale, Sign::Always), money});
    verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1, run %2")), {secondsText(extra, locale, Sign::Always), money});
    return verdict;
}

/// Who makes everyone wait, when it is neither a GPU nor a link.
QString timingCause(const IterationResult &result, const QLocale &locale)
{
    const auto figureOf = [&](PerturbationKind kind) {
        const Perturbation *first = firstOf(result, kind);
        return first ? perturbationFigure(*first, locale, &result.scenario->campaign) : QStringLiteral("?");
    };
    switch (result.slowest.reason) {
    case Slowest::Reason::Jitter: return say(QT_TRANSLATE_NOOP("Verdict", "Small random delays add up: everyone waits for the unluckiest"));
    case Slowest::Reason::HostPause: {
        const Perturbation *pause = firstOf(result, PerturbationKind::GcPause);
        return fillText(pause && pause->timing.aligned
                            ? say(QT_TRANSLATE_NOOP("Verdict", "All hosts pause together for %1"))
                            : say(QT_TRANSLATE_NOOP("Verdict", "Hosts pause for %1, each at its own time: everyone waits for each")),
                        {figureOf(PerturbationKind::GcPause)});
    }
    case Slowest::Reason::Documents:
        return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Long documents in replica %1: the others wait for it")),
                        {integerText(result.why.empty() ? 0 : result.why.back().replica, locale)});
    case Slowest::Reason::DataLoading:
        return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Training data come late: a micro-batch takes %1 to load")), {figureOf(PerturbationKind::SlowData)});
    case Slowest::Reason::Checkpoint: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "A checkpoint stops training for %1")), {secondsText(stallS(result), locale)});
    case Slowest::Reason::WarmUp:
        return fillText(say(QT_TRANSLATE_NOOP("Verdict", "The first operations run at %1 speed")), {figureOf(PerturbationKind::WarmUp)});
    default: return say(QT_TRANSLATE_NOOP("Verdict", "The perturbations of this run make everyone wait"));
    }
}

// A checkpoint comes once an interval, a warm-up once; everything else in every iteration.
void sayTimingEffect(Verdict &verdict, const IterationResult &result, double extra, const QLocale &locale)
{
    const QString seconds = secondsText(extra, locale, Sign::Always);
    if (result.slowest.reason == Slowest::Reason::WarmUp) {
        verdict.effect = verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 in the first iteration only")), {seconds});
        return;
    }
    if (result.slowest.reason == Slowest::Reason::Checkpoint) {
        const QString money = moneyOverRun(result, secondsInEach(result, extra), locale);
        verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 in this iteration, a checkpoint every %2 · %3 over the run")),
                                  {seconds, durationText(toNs(result.scenario->campaign.checkpointIntervalS), locale), money});
        verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1, run %2")), {seconds, money});
        return;
    }
    const QString money = moneyOverRun(result, extra, locale);
    verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 an iteration · %2 over the run")), {seconds, money});
    verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1, run %2")), {seconds, money});
}

Verdict timingVerdict(const IterationResult &result, double extra, const QLocale &locale)
{
    Verdict verdict;
    verdict.tone = Verdict::Tone::Worse;
    verdict.cause = timingCause(result, locale);
    // A slow storage is in the stall of the checkpoint.
    const bool stall = result.slowest.reason == Slowest::Reason::Checkpoint;
    const bool several = result.scenario->perturbations.size() > 1;
    if (stall ? others(result, {PerturbationKind::Checkpoint, PerturbationKind::SlowStorage}) : several) sayTogether(verdict, result, extra, locale);
    else sayTimingEffect(verdict, result, extra, locale);
    verdict.gpu = result.slowest.gpu;
    verdict.button = say(QT_TRANSLATE_NOOP("Verdict", "Show GPU"));
    return verdict;
}

// What is perturbed and takes no longer.
Verdict hiddenVerdict(const IterationResult &result)
{
    const PerturbationList &list = result.scenario->perturbations;
    const bool alike = std::all_of(list.begin(), list.end(), [&](const Perturbation &each) { return each.kind == list.front().kind; });
    Verdict verdict;
    verdict.tone = Verdict::Tone::Opportunity;
    verdict.cause = list.empty() || !alike
                        ? say(QT_TRANSLATE_NOOP("Verdict", "The perturbations of this run cost nothing"))
                        : fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1: costs nothing")), {perturbationName(list.front().kind)});
    verdict.effect = verdict.shortEffect = say(QT_TRANSLATE_NOOP("Verdict", "waits that were there anyway hide the delay"));
    verdict.gpu = result.slowest.gpu;
    verdict.button = say(QT_TRANSLATE_NOOP("Verdict", "Show busiest GPU"));
    return verdict;
}

Verdict changeVerdict(const IterationResult &result, const IterationResult &baseline, const QLocale &locale)
{
    const double change = result.metrics.iterationS - baseline.metrics.iterationS;
    std::size_t most = 0;
    double largest = 0.0;
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const double each = result.metrics.breakdownS[i] - baseline.metrics.breakdownS[i];
        if (each * (change > 0 ? 1.0 : -1.0) <= largest) continue;
        largest = each * (change > 0 ? 1.0 : -1.0);
        most = i;
    }
    Verdict verdict;
    verdict.tone = change > 0 ? Verdict::Tone::Worse : Verdict::Tone::Opportunity;
    verdict.cause = fillText(change > 0 ? say(QT_TRANSLATE_NOOP("Verdict", "An iteration takes %1 longer than the baseline"))
                                        : say(QT_TRANSLATE_NOOP("Verdict", "An iteration takes %1 less than the baseline")),
                             {secondsText(std::abs(change), locale)});
    // Money compares whole runs: another batch or another cluster changes more than the seconds.
    const double money = usdOverRun(result, result.metrics.iterationS) - usdOverRun(baseline, baseline.metrics.iterationS);
    verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "mostly %1 %2 · %3 over the run")),
                              {categoryName(static_cast<Category>(most)),
                               secondsText(result.metrics.breakdownS[most] - baseline.metrics.breakdownS[most], locale, Sign::Always),
                               usdText(money, locale, Sign::Always)});
    verdict.shortEffect = verdict.effect;
    verdict.gpu = result.slowest.gpu;
    verdict.button = say(QT_TRANSLATE_NOOP("Verdict", "Show busiest GPU"));
    return verdict;
}

QString opportunityCause(Category category, const QString &percent)
{
    switch (category) {
    case Category::Bubble: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Pipeline bubbles take %1 of the iteration")), {percent});
    case Category::ExposedTp: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Tensor-parallel communication that nothing hides takes %1")), {percent});
    case Category::ExposedDp: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Gradient exchange that nothing hides takes %1")), {percent});
    case Category::ExposedPp: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Transfers between pipeline stages take %1")), {percent});
    case Category::Recompute: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "Recomputing activations takes %1")), {percent});
    default: return fillText(say(QT_TRANSLATE_NOOP("Verdict", "%2 takes %1 of the iteration")), {percent, categoryName(category)});
    }
}

/// Where the layout decides, the button looks for a better one.
void offerSearch(Verdict &verdict)
{
    verdict.findsLayout = true;
    verdict.button = say(QT_TRANSLATE_NOOP("Verdict", "Find a better layout"));
}

/// Nothing else takes long: what is left to gain is in the kernels.
Verdict computeVerdict(const IterationResult &result, const QLocale &locale)
{
    double compute = 0.0;
    for (std::size_t i = 0; i < kCategoryCount; ++i)
        if (isCompute(static_cast<Category>(i))) compute += result.metrics.breakdownS[i];
    Verdict verdict;
    if (!(compute > 0.0)) return verdict;
    const double share = compute / result.metrics.iterationS;
    verdict.tone = Verdict::Tone::Opportunity;
    verdict.cause = fillText(say(QT_TRANSLATE_NOOP("Verdict", "Compute takes %1 of the iteration")), {percentText(share, locale)});
    // What the GPUs execute while they compute, recomputed work included.
    verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "at %1 of the dense peak; nothing is slow")), {percentText(result.metrics.hfu / share, locale)});
    verdict.shortEffect = verdict.effect;
    verdict.gpu = result.slowest.gpu;
    offerSearch(verdict);
    return verdict;
}

Verdict opportunityVerdict(const IterationResult &result, const QLocale &locale)
{
    const auto &breakdown = result.metrics.breakdownS;
    std::size_t most = kCategoryCount;
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto category = static_cast<Category>(i);
        if (isCompute(category) && category != Category::Recompute) continue;
        if (most == kCategoryCount || breakdown[i] > breakdown[most]) most = i;
    }
    Verdict verdict;
    const double share = result.metrics.iterationS > 0.0 ? breakdown[most] / result.metrics.iterationS : 0.0;
    if (!(share >= kWorthSaying)) return computeVerdict(result, locale);
    verdict.tone = Verdict::Tone::Opportunity;
    verdict.cause = opportunityCause(static_cast<Category>(most), percentText(share, locale));
    const QString seconds = secondsText(breakdown[most], locale), whole = secondsText(result.metrics.iterationS, locale);
    const QString money = usdText(usdOverRun(result, breakdown[most]), locale);
    verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 of %2, worth %3 over the run; nothing is slow")), {seconds, whole, money});
    verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 of %2, worth %3")), {seconds, whole, money});
    verdict.gpu = result.slowest.gpu;
    offerSearch(verdict);
    return verdict;
}

// What weighs most decides what helps: states of the parameters are shared out, activations are made anew or spread.
QString memoryRemedy(const MemoryParts &peak)
{
    return peak.activations >= peak.parameters + peak.gradients + peak.optimizer
               ? say(QT_TRANSLATE_NOOP("Verdict", "recompute activations, or use a smaller micro-batch or more tensor parallelism"))
               : say(QT_TRANSLATE_NOOP("Verdict", "use more pipeline stages, a higher ZeRO stage or recompute"));
}

Verdict memoryVerdict(const IterationResult &result, const QLocale &locale)
{
    const MemoryReport &memory = result.memory;
    Verdict verdict;
    verdict.tone = Verdict::Tone::Worse;
    verdict.cause = fillText(say(QT_TRANSLATE_NOOP("Verdict", "Memory does not fit: %1 of %2 GB (estimate)")),
                             {numberText(static_cast<double>(memory.peak.total()) / 1e9, locale), numberText(static_cast<double>(memory.capacity) / 1e9, locale)});
    const QString rank = integerText(memory.rank, locale);
    const bool placed = result.placement && memory.rank >= 0 && static_cast<std::size_t>(memory.rank) < result.placement->coordinates.size();
    QString where = fillText(say(QT_TRANSLATE_NOOP("Verdict", "rank %1")), {rank});
    if (placed) {
        const auto index = static_cast<std::size_t>(memory.rank);
        verdict.gpu = result.placement->gpuOfRank[index];
        where = fillText(say(QT_TRANSLATE_NOOP("Verdict", "Stage %1, rank %2")), {integerText(result.placement->coordinates[index].pipeline, locale), rank});
    }
    verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 · %2")), {where, memoryRemedy(memory.peak)});
    verdict.shortEffect = where;
    offerSearch(verdict);
    return verdict;
}

Verdict linkVerdict(const IterationResult &result, double extra, const QLocale &locale)
{
    Verdict verdict;
    verdict.tone = Verdict::Tone::Worse;
    const HeldUp held = heldUp(result);
    const QString link = slowLinkText(result.why.back(), result, locale);
    verdict.cause = held.gpus > 0 ? fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 holds up %2 GPUs")), {link, integerText(held.gpus, locale)}) : link;
    verdict.gpu = result.slowest.gpu;
    verdict.button = say(QT_TRANSLATE_NOOP("Verdict", "Show GPU"));
    if (result.scenario && result.scenario->perturbations.size() > 1) {
        sayTogether(verdict, result, extra, locale);
        return verdict;
    }
    const QString seconds = secondsText(extra, locale, Sign::Always), money = moneyOverRun(result, extra, locale);
    verdict.effect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1 an iteration · %2 over the run")), {seconds, money});
    verdict.shortEffect = fillText(say(QT_TRANSLATE_NOOP("Verdict", "%1, run %2")), {seconds, money});
    return verdict;
}

} // namespace

Verdict verdictOf(const IterationResult &result, const IterationResult *baseline, const QLocale &locale)
{
    if (!result.memory.fits) return memoryVerdict(result, locale);
    const double extra = toSeconds(result.iteration() - result.unperturbedIteration);
    const bool costs = extra > kNoticeable * result.metrics.iterationS;
    const SlowGpus slow = slowGpus(result);
    const bool other = result.slowest.reason != Slowest::Reason::SlowGpu && result.slowest.reason != Slowest::Reason::MostWork;
    if (slow.count > 0 && (!costs || !other)) return slowVerdict(result, slow, extra, locale);
    if (costs && result.slowest.reason == Slowest::Reason::SlowLink) return linkVerdict(result, extra, locale);
    if (result.run.perturbed() && result.scenario) return costs ? timingVerdict(result, extra, locale) : hiddenVerdict(result);
    if (baseline && std::abs(result.metrics.iterationS - baseline->metrics.iterationS) > kNoticeable * baseline->metrics.iterationS)
        return changeVerdict(result, *baseline, locale);
    return opportunityVerdict(result, locale);
}

} // namespace clusterbeat
