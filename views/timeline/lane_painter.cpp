// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/lane_painter.h"

#include "views/shared/scan_fill.h"
#include "views/beat/breakdown.h"
#include "views/text/format.h"

#include <QCoreApplication>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

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

bool isExposed(Category category)
{
    return category >= Category::ExposedTp && category <= Category::ExposedDp;
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
                    if (isExposed(segment.category) && segment.ns > 0) pieces.push_back(segment.ns);
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
        if (span.operation == kNone && run.category == Category::StragglerWait && box.width() >= kWaitTextWidth * ratio)
            m_waits.push_back({box, span.end - span.begin, span.endedBy});
        if (!pieces && span.operation != kNone) foldExposed(image, stage, span, box, theme);
    };
    pixelRuns(m_spans, axis, m_runs);
    if (!pieces)
        for (const PixelRun &run : m_runs)
            paintRun(run, m_spans[static_cast<std::size_t>(run.span)]);
    const auto &order = m_result->run.plan.schedule.order[static_cast<std::size_t>(stage)];
    for (const PixelRun &run : m_runs) {
        const Span &span = m_spans[static_cast<std::size_t>(run.span)];
        if (span.operation == kNone || run.width() < kLabelWidth * ratio) continue;
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

// Area = time: each exposed category takes its share of the operation as a share of the box's height.
void LanePainter::foldExposed(QImage &image, std::int32_t stage, const Span &span, const QRect &rect, const Theme &theme)
{
    const auto &order = m_result->run.plan.schedule.order[static_cast<std::size_t>(stage)];
    const ScheduledOperation &operation = order[static_cast<std::size_t>(span.operation)];
    const auto kind = operation.kind == OperationKind::Forward ? OperationKind::Forward : OperationKind::Backward;
    const Sums &sums = m_shapeSums[static_cast<std::size_t>(kind)][static_cast<std::size_t>(stage)][static_cast<std::size_t>(operation.chunk)];
    const auto length = static_cast<double>(std::max<TimeNs>(1, span.end - span.begin));
    const qreal ratio = image.devicePixelRatio();
    const ScanFill fill(image);
    double done = 0.0;
    for (auto it = kStackOrder.rbegin(); it != kStackOrder.rend(); ++it) {
        const Category category = *it;
        const TimeNs ns = sums[categoryIndex(category)];
        if (ns == 0 || !(isExposed(category) || category == Category::Recompute)) continue;
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

/// Mean shares of the bins that a time range touches.
std::array<float, kCategoryCount> meanShares(const ShareBins &bins, TimeNs from, TimeNs to)
{
    std::array<float, kCategoryCount> sums{};
    const auto binAt = [&](TimeNs t) {
        return static_cast<std::int32_t>(std::clamp<double>(static_cast<double>(t) * bins.bins / static_cast<double>(bins.duration), 0.0, bins.bins - 1.0));
    };
    const std::int32_t first = binAt(from), last = std::max(first, binAt(std::max(from, to - 1)));
    for (std::int32_t bin = first; bin <= last; ++bin)
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            sums[c] += bins.share[static_cast<std::size_t>(bin) * kCategoryCount + c];
    const float scale = 1.0F / static_cast<float>(last - first + 1);
    for (float &sum : sums)
        sum *= scale;
    return sums;
}

const ShareBins *sharesOf(const IterationResult &result, std::int32_t replica)
{
    const auto &classes = result.run.trace.classOfReplica;
    if (static_cast<std::size_t>(replica) >= classes.size()) return nullptr;
    const auto cls = static_cast<std::size_t>(classes[static_cast<std::size_t>(replica)]);
    if (cls >= result.replicaShares.size()) return nullptr;
    const ShareBins &bins = result.replicaShares[cls];
    return bins.bins > 0 && bins.duration > 0 ? &bins : nullptr;
}

} // namespace

void LanePainter::paintReplica(QImage &image, std::int32_t replica, const TimeAxis &axis, const QRect &area, const Theme &theme) const
{
    const ShareBins *bins = sharesOf(*m_result, replica);
    if (!bins) return;
    const ScanFill fill(image);
    for (int x = 0; x < static_cast<int>(axis.width); ++x) {
        const auto shares = meanShares(*bins, axis.timeAt(x), axis.timeAt(x + 1));
        double done = 0.0;
        int y1 = area.y() + area.height();
        for (const Category category : kStackOrder) {
            const double share = static_cast<double>(shares[categoryIndex(category)]);
            if (share <= 0.0) continue;
            done += share;
            const int y0 = area.y() + area.height() - static_cast<int>(std::lround(std::min(1.0, done) * area.height()));
            fill.fill(area.x() + x, y0, area.x() + x + 1, y1, theme.category(category).rgb());
            y1 = y0;
        }
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
    }
    return {};
}

QImage replicaMap(const IterationResult &result, QSize pixels, const Theme &theme)
{
    QImage image(pixels, QImage::Format_RGB32);
    image.fill(theme.sunken);
    const auto replicas = static_cast<std::int32_t>(result.run.trace.classOfReplica.size());
    if (replicas == 0 || pixels.isEmpty()) return image;
    const TimeAxis axis{{0, result.iteration()}, 0.0, static_cast<double>(pixels.width())};
    std::vector<std::vector<QRgb>> rows(result.replicaShares.size());
    for (int y = 0; y < pixels.height(); ++y) {
        const auto replica = static_cast<std::int32_t>(static_cast<std::int64_t>(y) * replicas / pixels.height());
        const ShareBins *bins = sharesOf(result, replica);
        if (!bins) continue;
        auto &row = rows[static_cast<std::size_t>(result.run.trace.classOfReplica[static_cast<std::size_t>(replica)])];
        if (row.empty())
            for (int x = 0; x < pixels.width(); ++x) {
                const auto shares = meanShares(*bins, axis.timeAt(x), axis.timeAt(x + 1));
                const auto most = std::max_element(shares.begin(), shares.end()) - shares.begin();
                row.push_back(theme.category(static_cast<Category>(most)).rgb());
            }
        std::copy(row.begin(), row.end(), reinterpret_cast<QRgb *>(image.scanLine(y)));
    }
    return image;
}

} // namespace clusterbeat
