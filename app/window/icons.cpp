// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/icons.h"

#include <QFile>
#include <QPainter>
#include <QPixmap>
#include <QSvgRenderer>

namespace clusterbeat {
namespace {

constexpr int kIconSize = 16;

QPixmap draw(const QByteArray &svg, const QColor &colour, int scale)
{
    QByteArray tinted = svg;
    tinted.replace("currentColor", colour.name().toLatin1());
    QSvgRenderer renderer(tinted);
    QPixmap pixmap(kIconSize * scale, kIconSize * scale);
    pixmap.fill(Qt::transparent);
    QPainter painter(&pixmap);
    renderer.render(&painter);
    painter.end();
    pixmap.setDevicePixelRatio(scale);
    return pixmap;
}

} // namespace

QIcon themedIcon(const QString &name, const Theme &theme)
{
    QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
    QIcon icon;
    if (!file.open(QIODevice::ReadOnly)) return icon;
    const QByteArray svg = file.readAll();
    for (const int scale : {1, 2, 3}) {
        icon.addPixmap(draw(svg, theme.text2, scale), QIcon::Normal, QIcon::Off);
        icon.addPixmap(draw(svg, theme.accent, scale), QIcon::Normal, QIcon::On);
        icon.addPixmap(draw(svg, theme.text3, scale), QIcon::Disabled, QIcon::Off);
    }
    return icon;
}

} // namespace clusterbeat
