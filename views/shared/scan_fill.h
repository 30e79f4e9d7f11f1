// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QImage>
#include <QRect>
#include <QRgb>

#include <algorithm>

namespace clusterbeat {

/// Fills rectangles of an RGB32 image row by row, clipped: an order of magnitude cheaper than QPainter::fillRect for
/// rectangles of a few pixels. Device pixels. The image must outlive it and not be shared meanwhile.
class ScanFill final {
public:
    explicit ScanFill(QImage &image) : ScanFill(image, image.rect()) {}
    ScanFill(QImage &image, const QRect &clip)
        : m_bits(reinterpret_cast<QRgb *>(image.bits())), m_stride(image.bytesPerLine() / qsizetype{4}), m_clip(clip & image.rect())
    {
    }
    /// Half-open: columns x0 … x1-1, rows y0 … y1-1.
    void fill(int x0, int y0, int x1, int y1, QRgb colour) const
    {
        x0 = std::max(x0, m_clip.x()), y0 = std::max(y0, m_clip.y());
        x1 = std::min(x1, m_clip.x() + m_clip.width()), y1 = std::min(y1, m_clip.y() + m_clip.height());
        for (int y = y0; y < y1; ++y) {
            QRgb *row = m_bits + y * m_stride;
            for (int x = x0; x < x1; ++x)
                row[x] = colour;
        }
    }
    void fill(const QRect &rect, QRgb colour) const
    {
        fill(rect.x(), rect.y(), rect.x() + rect.width(), rect.y() + rect.height(), colour);
    }
    [[nodiscard]] bool misses(const QRect &rect) const { return !rect.intersects(m_clip); }

private:
    QRgb *m_bits;
    qsizetype m_stride;
    QRect m_clip;
};

} // namespace clusterbeat
