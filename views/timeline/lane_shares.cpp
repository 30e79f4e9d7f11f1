// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/timeline/lane_painter.h"

#include "model/iteration/operation_pieces.h"
#include "views/beat/breakdown.h"
#include "views/shared/scan_fill.h"
#include "views/timeline/dense_columns.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace clusterbeat {
namespace {

/// Shares from the bottom in the order of the pulse, one pixel column.
template <typename Shares>
void fillColumn(const ScanFill &fill, int x, const QRect &area, const Shares &shares, const Theme &theme)
{
    double done = 0.0;
    int y1 = area.y() + area.height();
    for (const Category category : kStackOrder) {
        const auto share = static_cast<double>(shares[categoryIndex(category)]);
        if (share <= 0.0) continue;
        done += share;
        const int y0 = area.y() + area.height() - static_cast<int>(std::lround(std::min(1.0, done) * area.height()));
        fill.fill(x, y0, x + 1, y1, theme.category(category).rgb());
        y1 = y0;
    }
}

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

// The rule of the collapsed replicas and of the pulse, so that a lane tells the same at every zoom.
void LanePainter::paintDense(QImage &image, std::int32_t stage, const TimeAxis &axis, const DenseRange &range, const QRect &area,
                             const Theme &theme) const
{
    const auto partsOf = [&](std::int32_t index) {
        const Span &span = m_spans[static_cast<std::size_t>(index)];
        ColumnShares parts{};
        double rest = 1.0;
        if (span.operation != kNone) {
            const Sums &sums = shapeSums(stage, span.operation);
            const auto length = static_cast<double>(std::max<TimeNs>(1, span.end - span.begin));
            for (std::size_t c = 0; c < kCategoryCount; ++c) {
                const auto category = static_cast<Category>(c);
                if (!(isExposedCommunication(category) || category == Category::Recompute)) continue;
                parts[c] = std::min(rest, static_cast<double>(sums[c]) / length);
                rest -= parts[c];
            }
        }
        parts[categoryIndex(span.category)] += rest;
        return parts;
    };
    const ScanFill fill(image);
    const std::vector<ColumnShares> shares = columnShares(m_spans, axis, range, partsOf, image.devicePixelRatio());
    for (std::size_t i = 0; i < shares.size(); ++i)
        fillColumn(fill, area.x() + range.x0 + static_cast<int>(i), area, shares[i], theme);
}

void LanePainter::paintReplica(QImage &image, std::int32_t replica, const TimeAxis &axis, const QRect &area, const Theme &theme) const
{
    const ShareBins *bins = sharesOf(*m_result, replica);
    if (!bins) return;
    const ScanFill fill(image);
    for (int x = 0; x < static_cast<int>(axis.width); ++x) {
        const auto shares = meanShares(*bins, axis.timeAt(x), axis.timeAt(x + 1));
        fillColumn(fill, area.x() + x, area, shares, theme);
    }
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
