// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/lane_painter.h"

#include "model/iteration/operation_pieces.h"
#include "views/shared/scan_fill.h"
#include "views/timeline/dense_columns.h"
#include "views/beat/breakdown.h"
#include "views/text/format.h"

#include <QCoreApplication>
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
    finish(painter, theme, compact, ratio);
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
            fill.fill(QRect(box.x(), box.y() + (box.height() - height) / 2, box.width(), height), theme.category(run.category).rgb());
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
        m_labels.push_back({boxOf(run), run.category, operation.chunk, operation.microBatch});
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

void LanePainter::finish(QPainter &painter, const Theme &theme, bool compact, qreal ratio)
{
    const auto logical = [ratio](const QRect &rect) {
        return QRectF(rect.x() / ratio, rect.y() / ratio, rect.width() / ratio, rect.height() / ratio);
    };
    for (const Patch &patch : m_patches)
        painter.fillRect(logical(patch.rect), theme.brush(patch.category, false, ratio));
    const QFont font = theme.font(compact ? Theme::Type::AxisSmall : Theme::Type::Axis, compact);
    painter.setFont(font);
    if (m_textPixels != font.pixelSize()) {
        m_texts.clear();
        m_textPixels = font.pixelSize();
    }
    const QLocale locale;
    for (const Label &label : m_labels) {
        const QRectF rect = logical(label.rect);
        const bool withChunk = rect.width() >= kLongLabelWidth * theme.scale();
        const auto key = static_cast<quint32>(label.microBatch) << 10 | static_cast<quint32>(label.chunk + 1) * (withChunk ? 1U : 0U);
        auto text = m_texts.find(key);
        if (text == m_texts.end()) {
            const QString number = locale.toString(label.microBatch);
            QStaticText fresh(withChunk ? QStringLiteral("%1 · c%2").arg(number, locale.toString(label.chunk)) : number);
            fresh.setTextFormat(Qt::PlainText);
            fresh.prepare({}, font);
            text = m_texts.insert(key, fresh);
        }
        const QSizeF size = text->size();
        if (size.width() + 2.0 > rect.width()) continue;
        const QPointF at(std::round(rect.center().x() - size.width() / 2.0), std::round(rect.center().y() - size.height() / 2.0));
        const QColor fill = theme.category(label.category);
        // over pieces the number needs a plain ground
        if (m_plainGround) painter.fillRect(QRectF(at.x() - 2.0, rect.y() + 1.0, size.width() + 4.0, rect.height() - 2.0), fill);
        painter.setPen(Theme::textOn(fill));
        painter.drawStaticText(at, *text);
    }
    for (const WaitText &wait : m_waits) {
        const QRectF rect = logical(wait.rect);
        QString text = durationText(wait.ns, locale);
        const QString event = waitedForText(wait.endedBy);
        if (!event.isEmpty()) {
            const QString longer = QCoreApplication::translate("Timeline", "waits %1 for %2").arg(text, event);
            if (painter.fontMetrics().horizontalAdvance(longer) + 16.0 < rect.width()) text = longer;
        }
        const QRectF plate(rect.center().x() - painter.fontMetrics().horizontalAdvance(text) / 2.0 - 4.0, rect.y() + 1.0,
                           painter.fontMetrics().horizontalAdvance(text) + 8.0, rect.height() - 2.0);
        if (plate.width() > rect.width() - 4.0) continue;
        painter.fillRect(plate.toAlignedRect(), theme.panel);
        painter.setPen(theme.text);
        painter.drawText(plate, Qt::AlignCenter | Qt::TextDontClip, text);
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
