// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QComboBox>
#include <QStyledItemDelegate>

namespace clusterbeat {

/// What stands in the columns beside a choice. Tone: how the consequence is coloured.
enum ChoiceRole { kChoiceJson = Qt::UserRole, kChoiceDetail, kChoiceConsequence, kChoiceTone };
enum class ChoiceTone : quint8 { Plain, Better, Worse };

/// Rows of a list of choices: name, detail and consequence in columns; what cannot be chosen is greyed.
class ChoiceDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    ChoiceDelegate(ViewState *state, QComboBox *combo);
    void paint(QPainter *painter, const QStyleOptionViewItem &option, const QModelIndex &index) const override;
    [[nodiscard]] QSize sizeHint(const QStyleOptionViewItem &option, const QModelIndex &index) const override;

private:
    /// Widest text of a column of the whole list.
    [[nodiscard]] int columnWidth(int role, const QFontMetrics &metrics) const;

    ViewState *m_state;
    QComboBox *m_combo;
};

/// A list of choices that is as wide as its rows, and says when somebody is about to look at it.
class ChoiceCombo final : public QComboBox {
    Q_OBJECT
public:
    ChoiceCombo(ViewState *state, QWidget *parent);
    void showPopup() override;
    /// After the rows have changed while the list is open.
    void fitPopup();

Q_SIGNALS:
    void aboutToShow();
};

} // namespace clusterbeat
