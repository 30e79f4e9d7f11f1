// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/theme/theme.h"

#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QStringList>

#include <algorithm>
#include <cmath>

namespace clusterbeat {
namespace {

constexpr int kTile = 6;
constexpr qreal kHatchWidth = 1.2;
constexpr QRgb kInkDark = 0xff0b0e11;
constexpr QRgb kInkLight = 0xffffffff;

QColor rgb(QRgb value) { return QColor::fromRgb(value); }

// Order of Category. Host time has no hue of its own: it is neither work of the GPU nor waiting for a peer.
constexpr std::array<QRgb, kCategoryCount> kDarkCategories{
    0x3e9bdc, 0x1fa37c, 0x86d6ba, 0xa5d3f2, 0xcc79a7, 0x8894a6,
    0xf0ab1f, 0xf7c75c, 0xe0a24a, 0xfbdd9a, 0xd6b478,
    0x3b434d, 0xf2522a, 0x9a7b5b, 0x7666b8};
constexpr std::array<QRgb, kCategoryCount> kLightCategories{
    0x0072b2, 0x009e73, 0x5cc2a0, 0x84bfe6, 0xb65c92, 0x6b7788,
    0xe69f00, 0xf3be4a, 0xdda14c, 0xf8d588, 0xc7a15a,
    0xd5dae0, 0xd6400b, 0x8c6d4d, 0x4b3a8f};

void drawTexture(QPainter &painter, Texture texture)
{
    const auto line = [&painter](qreal x1, qreal y1, qreal x2, qreal y2) { painter.drawLine(QLineF(x1, y1, x2, y2)); };
    constexpr qreal t = kTile;
    // Diagonals are drawn three times, shifted by one tile, so that the tile's corners join.
    const auto rising = [&] { for (int k = -1; k <= 1; ++k) line(k * t - 1, t + 1, k * t + t + 1, -1); };
    const auto falling = [&] { for (int k = -1; k <= 1; ++k) line(k * t - 1, -1, k * t + t + 1, t + 1); };
    switch (texture) {
    case Texture::Solid:
    case Texture::LowBar: break;
    case Texture::Dots:
        painter.setBrush(painter.pen().color());
        painter.setPen(Qt::NoPen);
        painter.drawEllipse(QPointF(1.5, 1.5), 0.9, 0.9);
        painter.drawEllipse(QPointF(4.5, 4.5), 0.9, 0.9);
        break;
    case Texture::RisingLines: rising(); break;
    case Texture::FallingLines: falling(); break;
    case Texture::Grid:
        line(1.5, 0, 1.5, t);
        line(0, 1.5, t, 1.5);
        break;
    case Texture::Crossed:
        rising();
        falling();
        break;
    case Texture::Vertical:
        line(1.5, 0, 1.5, t);
        line(4.5, 0, 4.5, t);
        break;
    case Texture::Horizontal:
        line(0, 1.5, t, 1.5);
        line(0, 4.5, t, 4.5);
        break;
    case Texture::WideVertical:
        painter.fillRect(QRectF(1, 0, 2, t), painter.pen().color());
        break;
    case Texture::WideHorizontal:
        painter.fillRect(QRectF(0, 1, t, 2), painter.pen().color());
        break;
    }
}

// A QImage tile, not a QPixmap: it may be made before the application object and used outside the GUI thread.
QBrush tileBrush(const QColor &fill, Texture texture, const QColor &hatch, int ratio)
{
    if (texture == Texture::Solid || texture == Texture::LowBar) return QBrush(fill);
    QImage tile(kTile * ratio, kTile * ratio, QImage::Format_RGB32);
    tile.fill(fill);
    QPainter painter(&tile);
    painter.scale(ratio, ratio);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(hatch, kHatchWidth, Qt::SolidLine, Qt::FlatCap));
    drawTexture(painter, texture);
    painter.end();
    QBrush brush;
    brush.setTextureImage(tile);
    // setTextureImage drops nothing but the colour; keep it so that brush.color() still tells the category's.
    brush.setColor(fill);
    if (ratio != 1) brush.setTransform(QTransform::fromScale(1.0 / ratio, 1.0 / ratio));
    return brush;
}

} // namespace

Theme::Theme(ThemeKind kind, bool compact) : m_kind(kind), m_compact(compact)
{
    if (dark()) {
        window = rgb(0x14171b), panel = rgb(0x1b1f24), raised = rgb(0x242930), sunken = rgb(0x0f1215);
        line = rgb(0x2b3138), border = rgb(0x414954);
        text = rgb(0xe8eaed), text2 = rgb(0xaab2bc), text3 = rgb(0x929ba6);
        accent = rgb(0x93a5ff), accentSoft = rgb(0x2a3152);
        worse = rgb(0xff8fa0), worseSoft = rgb(0x3a2229), warning = rgb(0xffd479);
        selection = rgb(0xffffff), selectionCasing = rgb(0x0f1215);
        idle = rgb(0x1e2329), overlapped = rgb(0xcfc76a);
    } else {
        window = rgb(0xf3f4f6), panel = rgb(0xffffff), raised = rgb(0xffffff), sunken = rgb(0xf6f7f9);
        line = rgb(0xdce0e5), border = rgb(0xbac1ca);
        text = rgb(0x171b20), text2 = rgb(0x4c5561), text3 = rgb(0x616a76);
        accent = rgb(0x3b50d0), accentSoft = rgb(0xe4e8fd);
        worse = rgb(0xb8123d), worseSoft = rgb(0xfbe6eb), warning = rgb(0x8a5a00);
        selection = rgb(0x000000), selectionCasing = rgb(0xffffff);
        idle = rgb(0xeef0f3), overlapped = rgb(0xc9bd3a);
    }
    if (kind == ThemeKind::Projector) {
        text2 = rgb(0x2c333b), text3 = rgb(0x4c5561);
        line = rgb(0xc4cad2), border = rgb(0x8d97a3), accent = rgb(0x2438b8);
    }
    for (std::size_t i = 0; i < kCategoryCount; ++i) {
        const auto each = static_cast<Category>(i);
        m_categories[i] = rgb(dark() ? kDarkCategories[i] : kLightCategories[i]);
        QColor hatch(0, 0, 0);
        hatch.setAlphaF(dark() ? 0.50F : 0.32F);
        if (!dark() && each == Category::StragglerWait) {
            hatch = Qt::white;
            hatch.setAlphaF(0.62F);
        }
        m_tiles[i] = tileBrush(m_categories[i], texture(each), hatch, 1);
        m_fineTiles[i] = tileBrush(m_categories[i], texture(each), hatch, 2);
    }
}

QColor Theme::category(Category category) const { return m_categories[categoryIndex(category)]; }

Texture Theme::texture(Category category)
{
    switch (category) {
    case Category::Forward:
    case Category::Backward:
    case Category::WeightGradient:
    case Category::Optimizer:
    case Category::Host: return Texture::Solid;
    case Category::Recompute: return Texture::Dots;
    case Category::ExposedTp: return Texture::RisingLines;
    case Category::ExposedCp: return Texture::FallingLines;
    case Category::ExposedEp: return Texture::Grid;
    case Category::ExposedPp: return Texture::Vertical;
    case Category::ExposedDp: return Texture::Horizontal;
    case Category::Bubble: return Texture::LowBar;
    case Category::StragglerWait: return Texture::Crossed;
    case Category::DataWait: return Texture::WideVertical;
    case Category::CheckpointStall: return Texture::WideHorizontal;
    }
    return Texture::Solid;
}

QBrush Theme::brush(Category category, bool small, qreal devicePixelRatio) const
{
    const std::size_t i = categoryIndex(category);
    if (small) return QBrush(m_categories[i]);
    if (devicePixelRatio <= 0.0) devicePixelRatio = qGuiApp ? qGuiApp->devicePixelRatio() : 1.0;
    return devicePixelRatio > 1.0 ? m_fineTiles[i] : m_tiles[i];
}

bool Theme::needsEdge(Category category) const { return contrastRatio(this->category(category), panel) < 3.0; }

QColor Theme::textOn(const QColor &fill)
{
    return contrastRatio(fill, rgb(kInkDark)) >= contrastRatio(fill, rgb(kInkLight)) ? rgb(kInkDark) : rgb(kInkLight);
}

QFont Theme::font(Type type, bool compact) const
{
    int px = 12;
    auto weight = QFont::Normal;
    switch (type) {
    case Type::Kpi: px = compact ? 16 : 20, weight = QFont::DemiBold; break;
    case Type::Clock: px = 15, weight = QFont::DemiBold; break;
    case Type::ObjectTitle: px = 14, weight = QFont::DemiBold; break;
    case Type::PanelTitle: px = compact ? 12 : 13, weight = QFont::DemiBold; break;
    case Type::Control: px = 12; break;
    case Type::Label: px = 11; break;
    case Type::LabelStrong: px = 11, weight = QFont::DemiBold; break;
    case Type::Axis: px = compact ? 9 : 10; break;
    case Type::AxisSmall: px = 9; break;
    }
    const bool mono = type == Type::Clock;
    QFont font;
    font.setFamilies({mono ? QStringLiteral("Noto Sans Mono") : QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC")});
    font.setStyleHint(mono ? QFont::Monospace : QFont::SansSerif);
    font.setPixelSize(qRound(px * scale()));
    font.setWeight(weight);
    return font;
}

double contrastRatio(const QColor &a, const QColor &b)
{
    const auto luminance = [](const QColor &color) {
        const auto linear = [](double v) { return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4); };
        const QColor c = color.toRgb();
        return 0.2126 * linear(static_cast<double>(c.redF())) + 0.7152 * linear(static_cast<double>(c.greenF())) +
               0.0722 * linear(static_cast<double>(c.blueF()));
    };
    const double la = luminance(a), lb = luminance(b);
    return (std::max(la, lb) + 0.05) / (std::min(la, lb) + 0.05);
}

} // namespace clusterbeat
