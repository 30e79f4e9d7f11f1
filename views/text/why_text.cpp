// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/why_text.h"

#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <algorithm>

namespace clusterbeat {
namespace {

/// The words that the patterns of every kind may use.
struct Words {
    QString stage, replica, member, time, at, gpu, place, speed, operation, boundaries, replicas;
};

Words wordsOf(const WhyStep &step, const IterationResult &result, const QLocale &locale)
{
    Words words;
    words.stage = integerText(step.stage, locale);
    words.replica = integerText(step.replica, locale);
    words.member = integerText(step.member, locale);
    words.time = durationText(step.ns, locale);
    words.at = secondsText(toSeconds(step.at), locale);
    words.speed = percentText(step.speed, locale, 0);
    words.operation = operationText(step.stage, step.operation, result);
    words.boundaries = integerText(step.stagesPassed, locale);
    words.replicas = integerText(result.run.plan.replicas, locale);
    const GpuIndex gpu = gpuOfStep(step, result);
    if (gpu != kNone && result.expansion) {
        words.gpu = gpuTitle(gpu, *result.expansion);
        words.place = gpuPlace(gpu, *result.expansion);
    } else {
        words.gpu = fillText(QCoreApplication::translate("Why", "Member %1 of the group"), {words.member});
    }
    return words;
}

// A line per fact that is known; an empty fact leaves no empty line.
QStringList lines(std::initializer_list<QString> candidates)
{
    QStringList kept;
    for (const QString &line : candidates)
        if (!line.isEmpty()) kept << line;
    return kept;
}

// The first fact of a root: a narrow panel cuts the last one off.
QString costs(const WhyStep &step, const Words &words)
{
    return step.ns > 0 ? fillText(QCoreApplication::translate("Why", "costs %1"), {words.time}) : QString();
}

QString delay(const WhyStep &step, const QLocale &locale)
{
    return step.ns > 0 ? durationText(step.ns, locale, Sign::Always) : QString();
}

} // namespace

GpuIndex gpuOfStep(const WhyStep &step, const IterationResult &result)
{
    if (!result.placement) return kNone;
    const Placement &placement = *result.placement;
    const bool inside = step.stage >= 0 && step.stage < placement.pipeline && step.replica >= 0 && step.replica < placement.data &&
                        step.member >= 0 && step.member < placement.groupSize();
    if (!inside) return kNone;
    const RankIndex rank = placement.rankAt(step.stage, step.replica, step.member);
    return rank >= 0 && static_cast<std::size_t>(rank) < placement.gpuOfRank.size() ? placement.gpuOfRank[static_cast<std::size_t>(rank)] : kNone;
}

QString gpuTitle(GpuIndex gpu, const Expansion &expansion) { return memberText(QString::fromStdString(expansion.pathOf(gpu))); }
QString gpuPlace(GpuIndex gpu, const Expansion &expansion) { return containerPathText(QString::fromStdString(expansion.pathOf(gpu))); }

QString operationText(std::int32_t stage, std::int32_t operation, const IterationResult &result)
{
    const PipelineSchedule &schedule = result.run.plan.schedule;
    if (stage < 0 || static_cast<std::size_t>(stage) >= schedule.order.size() || operation < 0) return QString();
    const auto &order = schedule.order[static_cast<std::size_t>(stage)];
    if (static_cast<std::size_t>(operation) >= order.size()) return QString();
    const ScheduledOperation &scheduled = order[static_cast<std::size_t>(operation)];
    const QStringList arguments{operationName(scheduled.kind), QString::number(shownMicroBatch(schedule, scheduled.chunk, scheduled.microBatch)),
                                QString::number(scheduled.chunk)};
    return fillText(schedule.chunks > 1 ? QCoreApplication::translate("Why", "%1 of micro-batch %2, chunk %3")
                                        : QCoreApplication::translate("Why", "%1 of micro-batch %2"), arguments);
}

bool isCollectiveInside(const Span &span)
{
    return span.operation != kNone && (span.category == Category::ExposedTp || span.category == Category::ExposedCp ||
                                       span.category == Category::ExposedEp || span.category == Category::ExposedPp);
}

QString collectiveTitle(Category category)
{
    switch (category) {
    case Category::ExposedTp: return QCoreApplication::translate("Why", "In a tensor-parallel collective");
    case Category::ExposedCp: return QCoreApplication::translate("Why", "In a context-parallel exchange");
    case Category::ExposedEp: return QCoreApplication::translate("Why", "In an expert all-to-all");
    default: return QCoreApplication::translate("Why", "In a transfer between stages");
    }
}

WhyText collectiveText(const WhyStep &step, Category category, const IterationResult &result, const QLocale &locale)
{
    const auto peers = [&](std::int64_t size) { return integerText(std::max<std::int64_t>(size - 1, 0), locale); };
    const Degrees *degrees = result.scenario ? &result.scenario->degrees : nullptr;
    // Without a scenario the whole group is the tensor group.
    const std::int64_t tensor = degrees ? degrees->tensor : result.run.plan.groupSize;
    const bool sequence = !degrees || degrees->sequenceParallel;
    QString title;
    switch (category) {
    case Category::ExposedTp:
        title = fillText(sequence ? QCoreApplication::translate("Why", "Tensor-parallel all-gather/reduce-scatter with %1 peers")
                                  : QCoreApplication::translate("Why", "Tensor-parallel all-reduce with %1 peers"), {peers(tensor)});
        break;
    case Category::ExposedCp:
        title = fillText(QCoreApplication::translate("Why", "Context-parallel exchange of keys and values with %1 peers"), {peers(degrees ? degrees->context : 1)});
        break;
    case Category::ExposedEp:
        title = fillText(QCoreApplication::translate("Why", "Expert all-to-all with %1 peers"), {peers(degrees ? degrees->expert : 1)});
        break;
    default:
        title = fillText(QCoreApplication::translate("Why", "Stage %1 sends to the next stage"), {integerText(step.stage, locale)});
    }
    const QString operation = operationText(step.stage, step.operation, result);
    return {title, lines({operation.isEmpty() ? QString() : fillText(QCoreApplication::translate("Why", "in %1"), {operation}),
                          fillText(QCoreApplication::translate("Why", "replica %1, stage %2"), {integerText(step.replica, locale), integerText(step.stage, locale)})})};
}

QString slowLinkText(const WhyStep &step, const IterationResult &result, const QLocale &locale)
{
    const LinkDelays *links = result.run.plan.links.get();
    if (step.kind != WhyKind::SlowLink) return QString();
    if (!links || step.link < 0 || static_cast<std::size_t>(step.link) >= links->causes.size()) return QCoreApplication::translate("Why", "Slow link");
    const auto number = static_cast<std::size_t>(links->causes[static_cast<std::size_t>(step.link)].perturbation);
    if (!result.scenario || number >= result.scenario->perturbations.size())
        return QString::fromStdString(links->causes[static_cast<std::size_t>(step.link)].link);
    const Perturbation &perturbation = result.scenario->perturbations[number];
    const QString target = QString::fromStdString(perturbation.target);
    const QString domain = linkDomainName(perturbation.link.domain), name = target.contains(QLatin1Char(':')) ? target : memberText(target);
    switch (perturbation.kind) {
    case PerturbationKind::DeadLink: return fillText(QCoreApplication::translate("Why", "Dead %1 of %2"), {domain, name});
    case PerturbationKind::CompetingTraffic: return fillText(QCoreApplication::translate("Why", "Other traffic on %1 of %2"), {domain, name});
    default: break;
    }
    if (perturbation.link.capacity < 1.0)
        return fillText(QCoreApplication::translate("Why", "%1 of %2 at %3"), {domain, name, percentText(perturbation.link.capacity, locale, 0)});
    return fillText(QCoreApplication::translate("Why", "%1 of %2: %3 more latency"), {domain, name, durationText(toNs(perturbation.link.extraLatencyS), locale)});
}

GpuIndex gpuOfSlowLink(const IterationResult &result)
{
    if (result.slowest.reason != Slowest::Reason::SlowLink || result.why.empty() || !result.scenario) return kNone;
    const LinkDelays *links = result.run.plan.links.get();
    const std::int32_t link = result.why.back().link;
    if (!links || link < 0 || static_cast<std::size_t>(link) >= links->causes.size()) return kNone;
    const auto number = static_cast<std::size_t>(links->causes[static_cast<std::size_t>(link)].perturbation);
    const PerturbationList &list = result.scenario->perturbations;
    return number < list.size() && list[number].link.domain != LinkDomain::Uplink ? result.slowest.gpu : kNone;
}

WhyText whyText(const WhyStep &step, const IterationResult &result, const QLocale &locale)
{
    const Words w = wordsOf(step, result, locale);
    switch (step.kind) {
    case WhyKind::IterationEnd:
        return {QCoreApplication::translate("Why", "The last optimizer step ends"),
                lines({fillText(QCoreApplication::translate("Why", "stage %1 of replica %2, at %3"), {w.stage, w.replica, w.at})})};
    case WhyKind::Barrier:
        return {QCoreApplication::translate("Why", "Gradient-norm exchange"),
                lines({QCoreApplication::translate("Why", "all wait for the last gradients"), delay(step, locale)})};
    case WhyKind::GradientReduce:
        return {fillText(QCoreApplication::translate("Why", "Gradient reduction, stage %1"), {w.stage}),
                lines({step.ns > 0 ? fillText(QCoreApplication::translate("Why", "replica %1 of %2 comes last"), {w.replica, w.replicas})
                                  : fillText(QCoreApplication::translate("Why", "over %1 replicas, none is late"), {w.replicas}),
                       delay(step, locale)})};
    case WhyKind::Pipeline:
        return {fillText(step.ns > 0 ? QCoreApplication::translate("Why", "Stage %1, replica %2: late input")
                                     : QCoreApplication::translate("Why", "Stage %1, replica %2 needs its input"), {w.stage, w.replica}),
                lines({step.stagesPassed > 0 ? fillText(QCoreApplication::translate("Why", "over %1 stage boundaries"), {w.boundaries})
                                             : w.operation,
                       delay(step, locale)})};
    case WhyKind::GroupPeer:
        return {QCoreApplication::translate("Why", "Tensor group waits for one GPU"),
                lines({fillText(QCoreApplication::translate("Why", "stage %1 of replica %2"), {w.stage, w.replica}), delay(step, locale)})};
    case WhyKind::ExpertPeer:
        return {fillText(QCoreApplication::translate("Why", "Expert all-to-all, stage %1"), {w.stage}),
                lines({fillText(QCoreApplication::translate("Why", "replica %1 of %2 comes last"), {w.replica, w.replicas}), delay(step, locale)})};
    case WhyKind::Computing:
        if (step.operation == kNone)
            return {fillText(QCoreApplication::translate("Why", "Replica %1, stage %2: optimizer step"), {w.replica, w.stage}),
                    lines({step.ns > 0 ? w.time : QString(), QCoreApplication::translate("Why", "after the last gradients")})};
        return {fillText(QCoreApplication::translate("Why", "Replica %1, stage %2 computes"), {w.replica, w.stage}),
                lines({w.operation, step.ns > 0 ? w.time : QString()})};
    case WhyKind::ParameterGather:
        return {fillText(QCoreApplication::translate("Why", "Parameter all-gather, stage %1"), {w.stage}),
                lines({QCoreApplication::translate("Why", "the first forward needs them"), delay(step, locale)})};
    case WhyKind::SlowGpu:
        return {fillText(QCoreApplication::translate("Why", "%1 runs at %2"), {w.gpu, w.speed}), lines({costs(step, w), w.place})};
    case WhyKind::Jitter:
        return {QCoreApplication::translate("Why", "Random delays add up on this path"),
                lines({costs(step, w), fillText(QCoreApplication::translate("Why", "longest at stage %1 of replica %2"), {w.stage, w.replica})})};
    case WhyKind::HostPause:
        return {fillText(QCoreApplication::translate("Why", "The host of %1 pauses"), {w.gpu}), lines({costs(step, w), w.place})};
    case WhyKind::Documents:
        return {fillText(QCoreApplication::translate("Why", "Replica %1 has long documents"), {w.replica}),
                lines({costs(step, w), QCoreApplication::translate("Why", "more attention in its micro-batches")})};
    case WhyKind::DataLoading:
        return {QCoreApplication::translate("Why", "Training data come late"),
                lines({costs(step, w), fillText(QCoreApplication::translate("Why", "stage %1 of replica %2"), {w.stage, w.replica}), w.operation})};
    case WhyKind::Checkpoint:
        return {fillText(QCoreApplication::translate("Why", "%1 writes a checkpoint"), {w.gpu}), lines({costs(step, w), w.place})};
    case WhyKind::WarmUp:
        return {QCoreApplication::translate("Why", "The first operations run slower"),
                lines({costs(step, w), fillText(QCoreApplication::translate("Why", "longest at stage %1 of replica %2"), {w.stage, w.replica})})};
    case WhyKind::SlowLink:
        return {slowLinkText(step, result, locale),
                lines({costs(step, w), fillText(QCoreApplication::translate("Why", "slows stage %1 of replica %2"), {w.stage, w.replica})})};
    case WhyKind::MostWork:
        return {fillText(QCoreApplication::translate("Why", "Stage %1 has the most work"), {w.stage}),
                lines({QCoreApplication::translate("Why", "nothing is slow"), step.ns > 0 ? fillText(QCoreApplication::translate("Why", "%1 on the path"), {w.time}) : QString()})};
    }
    return {};
}

} // namespace clusterbeat
