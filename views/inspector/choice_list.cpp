// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/choice_list.h"

#include <QAbstractItemView>
#include <QPainter>

#include <algorithm>

namespace clusterbeat {
namespace {

constexpr int kPad = 8, kColumnGap = 20, kRowHeight = 24, kSeparatorHeight = 7;
constexpr int kWidestColumn = 340;   // a longer reason is in the tool tip

bool isSeparator(const QModelIndex &index) { return index.data(Qt::AccessibleDescriptionRole).toString() == QLatin1String("separator"); }

} // namespace

ChoiceDelegate::ChoiceDelegate(ViewState *state, QComboBox *combo) : QStyledItemDelegate(combo), m_state(state), m_combo(combo) {}

int ChoiceDelegate::columnWidth(int role, const QFontMetrics &metrics) const
{
    int width = 0;
    for (int i = 0; i < m_combo->count(); ++i) width = std::max(width, metrics.horizontalAdvance(m_combo->itemData(i, role).toString()));
    return std::min(width, static_cast<int>(kWidestColumn * m_state->theme().scale()));
}

QSize ChoiceDelegate::sizeHint(const QStyleOptionViewItem &, const QModelIndex &index) const
{
    const QFontMetrics metrics(m_state->theme().font(Theme::Type::Control));
    const double scale = m_state->theme().scale();
    const int height = static_cast<int>((isSeparator(index) ? kSeparatorHeight : kRowHeight) * scale);
    int width = 2 * kPad;
    for (const int role : {static_cast<int>(Qt::DisplayRole), static_cast<int>(kChoiceDetail), static_cast<int>(kChoiceConsequence)})
        if (const int column = columnWidth(role, metrics); column > 0) width += column + (role == Qt::DisplayRole ? 0 : kColumnGap);
    return {width, height};
}

void ChoiceDelegate::paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const
{
    const Theme &theme = m_state->theme();
    if (isSeparator(index)) {
        const int y = option.rect.center().y();
        painter->fillRect(QRect(option.rect.left() + kPad, y, option.rect.width() - 2 * kPad, 1), theme.line);
        return;
    }
    const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
    const bool current = index.row() == m_combo->currentIndex();
    if (option.state.testFlag(QStyle::State_Selected)) painter->fillRect(option.rect, theme.accentSoft);
    QFont nameFont = theme.font(Theme::Type::Control);
    nameFont.setBold(current);
    painter->setFont(nameFont);
    const QFontMetrics metrics(theme.font(Theme::Type::Control));
    const QRect inside = option.rect.adjusted(kPad, 0, -kPad, 0);
    const auto write = [&](const QRect &place, int role, const QColor &ink, Qt::Alignment side) {
        painter->setPen(enabled ? ink : theme.text3);
        const QString text = index.data(role).toString();
        painter->drawText(place, static_cast<int>(side | Qt::AlignVCenter), painter->fontMetrics().elidedText(text, Qt::ElideRight, place.width()));
    };
    write(inside, Qt::DisplayRole, theme.text, Qt::AlignLeft);
    painter->setFont(theme.font(Theme::Type::Control));
    const int name = columnWidth(Qt::DisplayRole, metrics);
    write(inside.adjusted(name + kColumnGap, 0, 0, 0), kChoiceDetail, theme.text2, Qt::AlignLeft);
    const auto tone = static_cast<ChoiceTone>(index.data(kChoiceTone).toInt());
    const QColor ink = tone == ChoiceTone::Better ? theme.accent : tone == ChoiceTone::Worse ? theme.worse : theme.text2;
    const int consequence = columnWidth(kChoiceConsequence, metrics);
    write(QRect(inside.right() - consequence + 1, inside.top(), consequence, inside.height()), kChoiceConsequence, ink, Qt::AlignRight);
}

ChoiceCombo::ChoiceCombo(ViewState *state, QWidget *parent) : QComboBox(parent)
{
    setItemDelegate(new ChoiceDelegate(state, this));
    view()->setTextElideMode(Qt::ElideRight);
    setMaxVisibleItems(30);
}

void ChoiceCombo::showPopup()
{
    Q_EMIT aboutToShow();
    fitPopup();
    QComboBox::showPopup();
}

void ChoiceCombo::fitPopup()
{
    constexpr int kFrame = 8;
    const int wanted = view()->sizeHintForColumn(0) + kFrame;
    view()->setMinimumWidth(std::max(wanted, width()));
    QWidget *popup = view()->window();
    if (view()->isVisible() && popup != window() && popup->width() < wanted) popup->resize(wanted, popup->height());
}

} // namespace clusterbeat
