// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/lane_painter.h"

#include "model/iteration/operation_pieces.h"
#include "views/shared/scan_fill.h"
#include "views/timeline/dense_columns.h"
#include "views/beat/breakdown.h"
#include "views/text/format.h"
#include "views/text/names.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace clusterbeat {
namespace {

constexpr int kLabelWidth = 17, kLongLabelWidth = 58, kWaitTextWidth = 70;   // logical px
constexpr int kHatchWidth = 3, kHatchHeight = 6;
constexpr int kTallCompute = 20;                                              // from here larger letters and kinds
constexpr double kUnfoldPixels = 3.0;

QRect toDevice(const QRect &rect, qreal ratio)
{
    const auto edge = [ratio](int value) { return static_cast<int>(std::lround(value * ratio)); };
    const int x = edge(rect.x()), y = edge(rect.y());
    return {x, y, edge(rect.x() + rect.width()) - x, edge(rect.y() + rect.height()) - y};
}

/// Both rectangles inside the image and of one size.
void copyRows(QImage &image, const QRect &from, const QRect &to)
{
    for (int y = 0; y < from.height(); ++y) {
        const auto *source = reinterpret_cast<const QRgb *>(image.constScanLine(from.y() + y)) + from.x();
        std::copy(source, source + from.width(), reinterpret_cast<QRgb *>(image.scanLine(to.y() + y)) + to.x());
    }
}

bool isHatched(Category category)
{
    const Texture texture = Theme::texture(category);
    return texture != Texture::Solid && texture != Texture::LowBar;
}

} // namespace

void LanePainter::setResult(std::shared_ptr<const IterationResult> result)
{
    m_result = std::move(result);
    m_typicalCollective = 0;
    collectShapes();
    setFocus(m_focus);
}

void LanePainter::setFocus(std::int32_t replica)
{
    m_focus = replica;
    m_communication.clear();
    if (!m_result) return;
    const Run &run = m_result->run;
    if (replica < 0 || replica >= run.plan.replicas) return;
    for (std::int32_t stage = 0; stage < run.plan.stages(); ++stage)
        m_communication.push_back(communicationOfGroup(run, stage, replica));
}

void LanePainter::collectShapes()
{
    m_shapeSums = {};
    if (!m_result) return;
    std::vector<TimeNs> pieces;
    for (const OperationKind kind : {OperationKind::Forward, OperationKind::Backward}) {
        const auto &shapes = kind == OperationKind::Forward ? m_result->run.plan.forward : m_result->run.plan.backward;
        auto &sums = m_shapeSums[static_cast<std::size_t>(kind)];
        for (const auto &stage : shapes) {
            auto &chunks = sums.emplace_back();
            for (const OperationShape &shape : stage) {
                Sums &sum = chunks.emplace_back();
                for (const Segment &segment : shape.segments) {
                    sum[categoryIndex(segment.category)] += segment.ns;
                    if (isExposedCommunication(segment.category) && segment.ns > 0) pieces.push_back(segment.ns);
                }
            }
        }
    }
    if (pieces.empty()) return;
    const auto middle = pieces.begin() + static_cast<std::ptrdiff_t>(pieces.size() / 2);
    std::nth_element(pieces.begin(), middle, pieces.end());
    m_typicalCollective = *middle;
}

bool LanePainter::unfolded(const TimeAxis &axis) const
{
    return m_typicalCollective > 0 && static_cast<double>(m_typicalCollective) >= kUnfoldPixels * axis.nsPerPixel();
}

void LanePainter::paint(QImage &image, const TimelineLayout &layout, TimeRange range, const Theme &theme, bool compact)
{
    m_patches.clear();
    m_labels.clear();
    m_waits.clear();
    m_idles.clear();
    if (!m_result || range.length() <= 0) return;
    const qreal ratio = image.devicePixelRatio();
    const QRect plot = toDevice(layout.plot(), ratio);
    const TimeAxis axis{range, 0.0, static_cast<double>(plot.width())};
    for (std::int32_t stage = 0; stage < layout.stages; ++stage) {
        const QRect compute = toDevice(layout.computeRect(stage), ratio);
        if (!compute.intersects(plot) || static_cast<std::size_t>(stage) >= m_communication.size()) continue;
        paintStage(image, stage, axis, compute, theme);
        paintCommunication(image, stage, axis, toDevice(layout.communicationRect(stage), ratio), theme);
    }
    const int first = std::max(0, (layout.scroll - layout.metrics.head - layout.stages * layout.metrics.lane) / layout.metrics.replica - 1);
    std::map<std::int32_t, QRect> painted;       // replicas that behave alike look alike: copied
    for (int row = first; row < layout.otherReplicas(); ++row) {
        const std::int32_t replica = layout.replicaOfRow(row);
        const QRect logical = layout.rowRect({TimelineRow::Kind::Replica, replica}).adjusted(layout.plotLeft(), 2, 0, -1);
        if (logical.top() > layout.plot().bottom()) break;
        const QRect area = toDevice(logical, ratio);
        const std::int32_t cls = m_result->run.trace.classOfReplica[static_cast<std::size_t>(replica)];
        const auto same = painted.find(cls);
        const bool copies = same != painted.end() && same->second.height() == area.height() && image.rect().contains(area);
        if (copies) copyRows(image, same->second, area);
        else paintReplica(image, replica, axis, area, theme);
        if (!copies && plot.contains(area)) painted[cls] = area;
    }
    QPainter painter(&image);
    painter.setClipRect(layout.plot());
    finish(painter, theme, compact, ratio, layout.metrics.compute >= kTallCompute * theme.scale());
}

// Folded: a box per operation whose lower part is the share of exposed communication. Unfolded: the pieces of one member.
void LanePainter::paintStage(QImage &image, std::int32_t stage, const TimeAxis &axis, const QRect &compute, const Theme &theme)
{
    const qreal ratio = image.devicePixelRatio();
    const TimeAxis logical{axis.range, 0.0, axis.width / ratio};
    const bool pieces = unfolded(logical);
    m_plainGround = pieces;
    const ScanFill fill(image, QRect(compute.x(), compute.y(), static_cast<int>(axis.width), compute.height()));
    spansOfGroup(m_result->run, stage, m_focus, axis.range.begin, axis.range.end, m_spans);
    const auto boxOf = [&](const PixelRun &run) { return QRect(compute.x() + run.x0, compute.y(), run.width(), compute.height()); };
    const auto paintRun = [&](const PixelRun &run, const Span &span) {
        QRect box = boxOf(run);
        const bool ends = box.x() + box.width() < compute.x() + static_cast<int>(axis.width);
        if (run.category == Category::Bubble) {
            const int height = std::max(2, compute.height() * 2 / 5);
            const QRect bar(box.x(), box.y() + (box.height() - height) / 2, box.width(), height);
            fill.fill(bar, theme.category(run.category).rgb());
            if (!run.merged) m_idles.push_back({bar, span.end - span.begin, EventKind::None});
            return;
        }
        if (!pieces && box.width() >= 4 && ends) box.setWidth(box.width() - 1);
        fill.fill(box, theme.category(run.category).rgb());
        if (isHatched(run.category) && box.width() >= kHatchWidth * ratio && box.height() >= kHatchHeight * ratio)
            m_patches.push_back({box, run.category});
        if (span.operation == kNone && !run.merged && run.category == Category::StragglerWait && box.width() >= kWaitTextWidth * ratio)
            m_waits.push_back({box, span.end - span.begin, span.endedBy});
        if (!pieces && !run.merged && span.operation != kNone) foldExposed(image, stage, span, box, theme);
    };
    pixelRuns(m_spans, axis, m_runs);
    if (!pieces) {
        const std::vector<DenseRange> dense = denseRanges(m_spans, axis, ratio);
        for (PixelRun &run : m_runs) {
            std::tie(run.x0, run.x1) = outsideDense(run.x0, run.x1, dense);
            if (run.width() > 0) paintRun(run, m_spans[static_cast<std::size_t>(run.span)]);
        }
        for (const DenseRange &range : dense)
            paintDense(image, stage, axis, range, compute, theme);
    }
    const auto &order = m_result->run.plan.schedule.order[static_cast<std::size_t>(stage)];
    for (const PixelRun &run : m_runs) {
        const Span &span = m_spans[static_cast<std::size_t>(run.span)];
        if (span.operation == kNone || run.merged || run.width() < kLabelWidth * ratio) continue;
        const ScheduledOperation &operation = order[static_cast<std::size_t>(span.operation)];
        m_labels.push_back({boxOf(run), run.category, operation.chunk, shownMicroBatch(m_result->run.plan.schedule, operation.chunk, operation.microBatch), operation.kind});
    }
    if (!pieces) return;
    const std::int32_t member = static_cast<std::size_t>(stage) < m_members.size() ? m_members[static_cast<std::size_t>(stage)] : 0;
    std::vector<PixelRun> operations;
    operations.swap(m_runs);
    spansOfRank(m_result->run, stage, m_focus, member, axis.range.begin, axis.range.end, m_pieces);
    pixelRuns(m_pieces, axis, m_runs);
    for (const PixelRun &run : m_runs)
        paintRun(run, m_pieces[static_cast<std::size_t>(run.span)]);
    for (const PixelRun &run : operations)
        if (m_spans[static_cast<std::size_t>(run.span)].operation != kNone && run.x1 < static_cast<int>(axis.width))
            fill.fill(compute.x() + run.x1 - 1, compute.y(), compute.x() + run.x1, compute.y() + compute.height(), theme.panel.rgb());
}

const LanePainter::Sums &LanePainter::shapeSums(std::int32_t stage, std::int32_t index) const
{
    const ScheduledOperation &operation = m_result->run.plan.schedule.order[static_cast<std::size_t>(stage)][static_cast<std::size_t>(index)];
    const auto kind = operation.kind == OperationKind::Forward ? OperationKind::Forward : OperationKind::Backward;
    return m_shapeSums[static_cast<std::size_t>(kind)][static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation.chunk)];
}

// Area = time: each exposed category takes its share of the operation as a share of the box's height.
void LanePainter::foldExposed(QImage &image, std::int32_t stage, const Span &span, const QRect &rect, const Theme &theme)
{
    const Sums &sums = shapeSums(stage, span.operation);
    const auto length = static_cast<double>(std::max<TimeNs>(1, span.end - span.begin));
    const qreal ratio = image.devicePixelRatio();
    const ScanFill fill(image);
    double done = 0.0;
    for (auto it = kStackOrder.rbegin(); it != kStackOrder.rend(); ++it) {
        const Category category = *it;
        const TimeNs ns = sums[categoryIndex(category)];
        if (ns == 0 || !(isExposedCommunication(category) || category == Category::Recompute)) continue;
        const double before = done;
        done += static_cast<double>(ns) / length * rect.height();
        const int from = static_cast<int>(std::lround(before)), to = std::min(rect.height(), static_cast<int>(std::lround(done)));
        if (to <= from) continue;
        const QRect part(rect.x(), rect.y() + rect.height() - to, rect.width(), to - from);
        fill.fill(part, theme.category(category).rgb());
        if (part.height() >= kHatchHeight * ratio && part.width() >= kHatchWidth * ratio) m_patches.push_back({part, category});
    }
}

// Collectives of the data dimension fill the sub-lane, sends its lower half: they run at the same time.
void LanePainter::paintCommunication(QImage &image, std::int32_t stage, const TimeAxis &axis, const QRect &area, const Theme &theme) const
{
    const ScanFill fill(image, QRect(area.x(), area.y(), static_cast<int>(axis.width), area.height()));
    const QRgb colour = theme.overlapped.rgb();
    for (const CommunicationSpan &span : m_communication[static_cast<std::size_t>(stage)]) {
        if (span.end <= axis.range.begin || span.begin >= axis.range.end || span.end <= span.begin) continue;
        const auto x0 = static_cast<int>(std::floor(std::clamp(axis.xOf(span.begin), 0.0, axis.width)));
        const auto x1 = static_cast<int>(std::floor(std::clamp(axis.xOf(span.end), 0.0, axis.width)));
        const bool send = span.kind == CommunicationKind::SendForward || span.kind == CommunicationKind::SendBackward;
        const int top = send ? area.y() + area.height() / 2 : area.y();
        fill.fill(area.x() + x0, top, area.x() + std::max(x1, x0 + 1), area.y() + area.height(), colour);
    }
}

namespace {

QRectF logicalRect(const QRect &rect, qreal ratio)
{
    return {rect.x() / ratio, rect.y() / ratio, rect.width() / ratio, rect.height() / ratio};
}

QString kindLetter(OperationKind kind)
{
    switch (kind) {
    case OperationKind::Forward: return QCoreApplication::translate("Timeline", "F%1", "forward of micro-batch %1, short");
    case OperationKind::WeightGradient: return QCoreApplication::translate("Timeline", "W%1", "weight gradient of micro-batch %1, short");
    default: return QCoreApplication::translate("Timeline", "B%1", "backward of micro-batch %1, short");
    }
}

} // namespace

void LanePainter::finish(QPainter &painter, const Theme &theme, bool compact, qreal ratio, bool tall)
{
    for (const Patch &patch : m_patches)
        painter.fillRect(logicalRect(patch.rect, ratio), theme.brush(patch.category, false, ratio));
    painter.setFont(theme.font(tall ? Theme::Type::Control : compact ? Theme::Type::AxisSmall : Theme::Type::Axis, compact));
    paintNames(painter, theme, ratio, tall);
    painter.setFont(theme.font(tall ? Theme::Type::Label : compact ? Theme::Type::AxisSmall : Theme::Type::Axis, compact));
    paintWaits(painter, theme, ratio);
}

QStaticText LanePainter::nameOf(const Label &label, bool withChunk, bool withKind, const QFont &font)
{
    const quint64 key = static_cast<quint64>(label.microBatch) << 32 | static_cast<quint64>(withChunk ? label.chunk + 1 : 0) << 8 |
                        static_cast<quint64>(withKind ? static_cast<int>(label.kind) + 1 : 0);
    const auto known = m_texts.constFind(key);
    if (known != m_texts.constEnd()) return *known;
    const QLocale locale;
    const QString number = locale.toString(label.microBatch);
    const QString name = withKind ? kindLetter(label.kind).arg(number) : number;
    QStaticText text(withChunk ? QStringLiteral("%1 · c%2").arg(name, locale.toString(label.chunk)) : name);
    text.setTextFormat(Qt::PlainText);
    text.prepare({}, font);
    m_texts.insert(key, text);
    return text;
}

// The longest name that fits: with its letter in tall lanes, with its chunk where there are several.
void LanePainter::paintNames(QPainter &painter, const Theme &theme, qreal ratio, bool tall)
{
    const QFont font = painter.font();
    if (const QString language = QLocale().name(); m_textPixels != font.pixelSize() || m_textLanguage != language) {
        m_texts.clear();
        m_textPixels = font.pixelSize();
        m_textLanguage = language;
    }
    const bool chunks = m_result->run.plan.schedule.chunks > 1;
    for (const Label &label : m_labels) {
        const QRectF rect = logicalRect(label.rect, ratio);
        const bool withChunk = chunks && rect.width() >= kLongLabelWidth * theme.scale() * (tall ? 1.3 : 1.0);
        QStaticText text = nameOf(label, withChunk, tall, font);
        if (tall && text.size().width() + 2.0 > rect.width()) text = nameOf(label, false, false, font);
        const QSizeF size = text.size();
        if (size.width() + 2.0 > rect.width()) continue;
        const QPointF at(std::round(rect.center().x() - size.width() / 2.0), std::round(rect.center().y() - size.height() / 2.0));
        const QColor fill = theme.category(label.category);
        // over pieces the number needs a plain ground
        if (m_plainGround) painter.fillRect(QRectF(at.x() - 2.0, rect.y() + 1.0, size.width() + 4.0, rect.height() - 2.0), fill);
        painter.setPen(Theme::textOn(fill));
        painter.drawStaticText(at, text);
    }
}

// Why somebody waits on a plate; how long a bubble is on its bar.
void LanePainter::paintWaits(QPainter &painter, const Theme &theme, qreal ratio) const
{
    const QLocale locale;
    const QFontMetrics metrics = painter.fontMetrics();
    for (const WaitText &wait : m_waits) {
        const QRectF rect = logicalRect(wait.rect, ratio);
        QString text = durationText(wait.ns, locale);
        const QString event = waitedForText(wait.endedBy);
        if (!event.isEmpty()) {
            const QString longer = QCoreApplication::translate("Timeline", "waits %1 for %2").arg(text, event);
            if (metrics.horizontalAdvance(longer) + 16.0 < rect.width()) text = longer;
        }
        const double height = std::min(rect.height() - 2.0, metrics.height() + 4.0);
        const QRectF plate(rect.center().x() - metrics.horizontalAdvance(text) / 2.0 - 4.0, rect.center().y() - height / 2.0,
                           metrics.horizontalAdvance(text) + 8.0, height);
        if (plate.width() > rect.width() - 4.0) continue;
        painter.fillRect(plate.toAlignedRect(), theme.panel);
        painter.setPen(theme.text);
        painter.drawText(plate, Qt::AlignCenter | Qt::TextDontClip, text);
    }
    painter.setPen(Theme::textOn(theme.category(Category::Bubble)));
    for (const WaitText &idle : m_idles) {
        const QRectF rect = logicalRect(idle.rect, ratio);
        const QString text = QCoreApplication::translate("Timeline", "idle %1", "how long a bubble is").arg(durationText(idle.ns, locale));
        if (rect.height() >= metrics.ascent() && metrics.horizontalAdvance(text) + 8 <= rect.width())
            painter.drawText(rect, Qt::AlignCenter | Qt::TextDontClip, text);
    }
}

QString waitedForText(EventKind event)
{
    switch (event) {
    case EventKind::None: return {};
    case EventKind::OperationEnd: return QCoreApplication::translate("Timeline", "the operation before");
    case EventKind::Arrival: return QCoreApplication::translate("Timeline", "another stage's output");
    case EventKind::GatherEnd: return QCoreApplication::translate("Timeline", "the parameters");
    case EventKind::ReduceEnd: return QCoreApplication::translate("Timeline", "the gradient reduction");
    case EventKind::Barrier: return QCoreApplication::translate("Timeline", "the gradient norm of all");
    case EventKind::GroupPeer: return QCoreApplication::translate("Timeline", "a peer of its group");
    case EventKind::IterationEnd: return QCoreApplication::translate("Timeline", "the end of the iteration");
    case EventKind::DataReady: return QCoreApplication::translate("Timeline", "the training data");
    case EventKind::CheckpointWritten: return QCoreApplication::translate("Timeline", "the checkpoint");
    }
    return {};
}

} // namespace clusterbeat
