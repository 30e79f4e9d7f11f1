// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/shared/icons.h"

#include <QByteArray>
#include <QPainter>
#include <QSvgRenderer>

namespace clusterbeat {
namespace {

// Paths of one stroke; "F" in front = filled.
const char *pathOf(Glyph glyph)
{
    switch (glyph) {
    case Glyph::ToStart: return "M7.6 4.2 3.8 8l3.8 3.8M12.4 4.2 8.6 8l3.8 3.8";
    case Glyph::StepBack: return "M4.2 4v8M11.8 4.2 7.4 8l4.4 3.8z";
    case Glyph::Play: return "FM5.2 3.6v8.8L12 8z";
    case Glyph::Pause: return "M5.8 4v8M10.2 4v8";
    case Glyph::StepForward: return "M11.8 4v8M4.2 4.2 8.6 8l-4.4 3.8z";
    case Glyph::Loop: return "M3.2 7.2A4.6 4.6 0 0 1 7.6 3.8h4M9.8 1.9l2 1.9-2 1.9M12.8 8.8a4.6 4.6 0 0 1-4.4 3.4h-4M6.2 14.1l-2-1.9 2-1.9";
    case Glyph::Pin: return "M6 2.6h4M6.6 2.6v4L4.6 9.2h6.8L9.4 6.6v-4M8 9.2v4.4";
    case Glyph::Search: return "M7 2.8a4.2 4.2 0 1 0 0 8.4a4.2 4.2 0 1 0 0-8.4M10.2 10.2l3.2 3.2";
    case Glyph::Warning: return "M8 2.6 14.2 13H1.8zM8 6.4v3.2M8 11.3v.1";
    case Glyph::Info: return "M8 2.4a5.6 5.6 0 1 0 0 11.2A5.6 5.6 0 1 0 8 2.4M8 7.2v3.6M8 5.2v.1";
    case Glyph::Chip: return "M4 4h8v8H4zM6.6 6.6h2.8v2.8H6.6zM6 4V2.2M10 4V2.2M6 13.8V12M10 13.8V12M4 6H2.2M4 10H2.2M13.8 6H12M13.8 10H12";
    case Glyph::Server: return "M3 3.2h10v4H3zM3 8.8h10v4H3zM5.2 5.2h.1M5.2 10.8h.1";
    case Glyph::Jitter: return "M2 8h2l1.4-4 2.2 8L9.8 5l1.4 3H14";
    case Glyph::Trash: return "M3 4.4h10M6.2 4.2V2.8h3.6v1.4M4.4 4.6l.6 8.6h6l.6-8.6";
    case Glyph::ChevronDown: return "M4.5 6.5 8 10l3.5-3.5";
    case Glyph::Follow: return "M4 2.6v10.8M6.6 8h6.6M10.4 5.2 13.2 8l-2.8 2.8";
    case Glyph::Spark: return "M8 2.4v3M8 10.6v3M2.4 8h3M10.6 8h3M4.2 4.2l1.9 1.9M9.9 9.9l1.9 1.9M11.8 4.2 9.9 6.1M6.1 9.9l-1.9 1.9";
    }
    return "";
}

QByteArray svgOf(Glyph glyph, const QColor &ink)
{
    QByteArray path = pathOf(glyph);
    const bool filled = path.startsWith('F');
    if (filled) path.remove(0, 1);
    const QByteArray color = ink.name().toLatin1();
    return "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'><path d='" + path + "' fill='" + (filled ? color : QByteArray("none")) +
           "' stroke='" + color + "' stroke-width='1.3' stroke-linecap='round' stroke-linejoin='round'/></svg>";
}

} // namespace

QPixmap glyphPixmap(Glyph glyph, const QColor &ink, int size, qreal devicePixelRatio)
{
    QPixmap pixmap((QSizeF(size, size) * devicePixelRatio).toSize());
    pixmap.setDevicePixelRatio(devicePixelRatio);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    QSvgRenderer(svgOf(glyph, ink)).render(&painter, QRectF(0, 0, size, size));
    return pixmap;
}

QIcon glyphIcon(Glyph glyph, const QColor &ink, const QColor &checked, int size)
{
    QIcon icon;
    for (const qreal ratio : {1.0, 2.0}) {
        icon.addPixmap(glyphPixmap(glyph, ink, size, ratio), QIcon::Normal, QIcon::Off);
        icon.addPixmap(glyphPixmap(glyph, checked, size, ratio), QIcon::Normal, QIcon::On);
    }
    return icon;
}

} // namespace clusterbeat
