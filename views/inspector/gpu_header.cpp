// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/gpu_header.h"

#include "views/shared/icons.h"
#include "views/text/names.h"

#include <QPainter>

#include <algorithm>

namespace clusterbeat {
namespace {
constexpr int kChipPadding = 12, kChipGap = 5;
int iconSize(const Theme &theme) { return static_cast<int>(18 * theme.scale()); }
} // namespace

GpuHeader::GpuHeader(ViewState *state, QWidget *parent) : QWidget(parent), m_viewState(state) { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void GpuHeader::setSubject(const QString &title, const QString &place, const QStringList &chips)
{
    m_title = title;
    m_place = place;
    m_chips = chips;
    setAccessibleName(title + QStringLiteral(", ") + place);
    setToolTip(place);
    update();
}

void GpuHeader::setState(int state)
{
    if (state == m_state) return;
    m_state = state;
    setAccessibleDescription(state < 0 ? QString() : stateName(static_cast<std::uint8_t>(state)));
    update();
}

int GpuHeader::chipHeight() const { return static_cast<int>(18 * m_viewState->theme().scale()); }

QSize GpuHeader::sizeHint() const { return {240, QFontMetrics(m_viewState->theme().font(Theme::Type::ObjectTitle)).height() + 6 + chipHeight()}; }

void GpuHeader::paintChip(QPainter &painter, int &x, int y, const QString &text, bool state) const
{
    const Theme &theme = m_viewState->theme();
    const QFont font = theme.font(state ? Theme::Type::LabelStrong : Theme::Type::Label);
    const int width = QFontMetrics(font).horizontalAdvance(text) + kChipPadding;
    const QRectF chip(x + 0.5, y + 0.5, width - 1, chipHeight() - 1);
    const bool coloured = state && m_state < static_cast<int>(kCategoryCount);
    const QColor fill = coloured ? theme.category(static_cast<Category>(m_state)) : theme.panel;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(coloured && !theme.needsEdge(static_cast<Category>(m_state)) ? fill : theme.border);
    painter.setBrush(fill);
    painter.drawRoundedRect(chip, 4, 4);
    painter.setFont(font);
    painter.setPen(coloured ? Theme::textOn(fill) : theme.text2);
    painter.drawText(chip, Qt::AlignCenter, text);
    x += width + kChipGap;
}

void GpuHeader::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = m_viewState->theme();
    const QFont titleFont = theme.font(Theme::Type::ObjectTitle), placeFont = theme.font(Theme::Type::Control);
    const QFontMetrics title(titleFont), place(placeFont);
    const int icon = iconSize(theme);
    painter.drawPixmap(0, (title.height() - icon) / 2, glyphPixmap(Glyph::Chip, theme.text2, icon, devicePixelRatioF()));
    int x = icon + 8;
    painter.setFont(titleFont);
    painter.setPen(theme.text);
    painter.drawText(x, title.ascent(), m_title);
    x += title.horizontalAdvance(m_title) + 8;
    painter.setFont(placeFont);
    painter.setPen(theme.text2);
    painter.drawText(x, title.ascent(), place.elidedText(m_place, Qt::ElideRight, width() - x));
    x = 0;
    const int y = title.height() + 6;
    if (m_state >= 0) {
        // The coordinates are figures and stay whole; the state's name gives way.
        const QFontMetrics chip(theme.font(Theme::Type::Label)), strong(theme.font(Theme::Type::LabelStrong));
        int room = width() - kChipPadding;
        for (const QString &each : m_chips) room -= chip.horizontalAdvance(each) + kChipPadding + kChipGap;
        paintChip(painter, x, y, strong.elidedText(stateName(static_cast<std::uint8_t>(m_state)), Qt::ElideRight, std::max(room, strong.averageCharWidth() * 3)), true);
    }
    for (const QString &chip : m_chips) paintChip(painter, x, y, chip, false);
}

} // namespace clusterbeat
