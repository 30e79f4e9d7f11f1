// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/communication_text.h"

#include "model/workload/sharding.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <algorithm>
#include <vector>

namespace clusterbeat {
namespace {

QString say(const char *text) { return QCoreApplication::translate("Communication", text); }

QString operationLabel(const ScheduledOperation &operation, const QLocale &locale)
{
    return fillText(say(QT_TRANSLATE_NOOP("Communication", "%1 %2")), {operationName(operation.kind), locale.toString(operation.microBatch)});
}

/// The operations of the stage that run meanwhile: the first and the last.
QString behindText(const CommunicationSpan &span, std::int32_t stage, std::int32_t replica, const IterationResult &result, const QLocale &locale)
{
    std::vector<Span> spans;
    spansOfGroup(result.run, stage, replica, span.begin, span.end, spans);
    std::erase_if(spans, [](const Span &each) { return each.operation == kNone; });
    if (spans.empty()) return {};
    const auto &order = result.run.plan.schedule.order[static_cast<std::size_t>(stage)];
    const ScheduledOperation &first = order[static_cast<std::size_t>(spans.front().operation)], &last = order[static_cast<std::size_t>(spans.back().operation)];
    if (spans.size() == 1) return fillText(say(QT_TRANSLATE_NOOP("Communication", "Meanwhile: %1")), {operationLabel(first, locale)});
    return fillText(say(QT_TRANSLATE_NOOP("Communication", "Meanwhile: %1 to %2")), {operationLabel(first, locale), operationLabel(last, locale)});
}

} // namespace

QString linkKindName(const std::string &kind)
{
    if (kind == "nvlink") return say(QT_TRANSLATE_NOOP("Communication", "NVLink"));
    if (kind == "pcie") return say(QT_TRANSLATE_NOOP("Communication", "PCI Express"));
    if (kind == "nic") return say(QT_TRANSLATE_NOOP("Communication", "NIC"));
    if (kind == "leaf-spine") return say(QT_TRANSLATE_NOOP("Communication", "leaf to spine"));
    if (kind == "spine-core") return say(QT_TRANSLATE_NOOP("Communication", "spine to core"));
    return QString::fromStdString(kind);
}

QString protocolName(CollectiveProtocol protocol)
{
    switch (protocol) {
    case CollectiveProtocol::None: return {};
    case CollectiveProtocol::Simple: return QStringLiteral("Simple");
    case CollectiveProtocol::Ll128: return QStringLiteral("LL128");
    case CollectiveProtocol::Ll: return QStringLiteral("LL");
    }
    return {};
}

QString wayText(Dimension dimension, const IterationResult &result)
{
    const auto found = std::find_if(result.communication.begin(), result.communication.end(),
                                    [dimension](const DimensionReport &report) { return report.dimension == dimension; });
    if (found == result.communication.end() || found->algorithm == CollectiveAlgorithm::None) return {};
    QString way = algorithmName(found->algorithm);
    if (const QString protocol = protocolName(found->protocol); !protocol.isEmpty())
        way = fillText(say(QT_TRANSLATE_NOOP("Communication", "%1, %2")), {way, protocol});
    if (found->bottleneck.empty()) return way;
    return fillText(say(QT_TRANSLATE_NOOP("Communication", "%1; slowest link: %2")), {way, linkKindName(found->bottleneck)});
}

QString communicationTitle(const CommunicationSpan &span, const IterationResult &result, const QLocale &locale)
{
    const QString chunk = locale.toString(span.chunk);
    const QString microBatch = locale.toString(shownMicroBatch(result.run.plan.schedule, span.chunk, span.microBatch));
    switch (span.kind) {
    case CommunicationKind::ParameterGather: return fillText(say(QT_TRANSLATE_NOOP("Communication", "Parameter all-gather, chunk %1")), {chunk});
    case CommunicationKind::GradientReduce:
        return fillText(gradientCollective(*result.scenario) == CollectiveKind::AllReduce
                            ? say(QT_TRANSLATE_NOOP("Communication", "Gradient all-reduce, chunk %1"))
                            : say(QT_TRANSLATE_NOOP("Communication", "Gradient reduce-scatter, chunk %1")),
                        {chunk});
    case CommunicationKind::SendForward:
        return fillText(say(QT_TRANSLATE_NOOP("Communication", "Sends activations, micro-batch %1, chunk %2")), {microBatch, chunk});
    case CommunicationKind::SendBackward:
        return fillText(say(QT_TRANSLATE_NOOP("Communication", "Sends gradients, micro-batch %1, chunk %2")), {microBatch, chunk});
    }
    return {};
}

QStringList communicationDetails(const CommunicationSpan &span, std::int32_t stage, std::int32_t replica, std::int32_t member,
                                 const CommunicationAccount &account, const IterationResult &result, const QLocale &locale)
{
    const CommunicationShare share = account.shareOf(stage, replica, member, span);
    const auto length = static_cast<double>(std::max<TimeNs>(1, span.end - span.begin));
    const auto part = [&](TimeNs ns) { return percentText(static_cast<double>(ns) / length, locale, 0); };
    const bool send = span.kind == CommunicationKind::SendForward || span.kind == CommunicationKind::SendBackward;
    QStringList lines;
    lines << fillText(say(QT_TRANSLATE_NOOP("Communication", "Stage %1: %2 from %3")),
                      {locale.toString(stage), durationText(span.end - span.begin, locale), secondsText(toSeconds(span.begin), locale, Sign::Natural, 4)});
    lines << fillText(send ? say(QT_TRANSLATE_NOOP("Communication", "At the receiver: %1 behind compute, %2 exposed, %3 beside other waits"))
                           : say(QT_TRANSLATE_NOOP("Communication", "%1 hidden behind compute, %2 exposed, %3 beside other waits")),
                      {part(share.hidden), part(share.exposed), part(share.idle)});
    if (const QString behind = behindText(span, stage, replica, result, locale); !send && !behind.isEmpty()) lines << behind;
    if (const QString way = wayText(send ? Dimension::Pipeline : Dimension::Data, result); !way.isEmpty()) lines << way;
    return lines;
}

} // namespace clusterbeat
