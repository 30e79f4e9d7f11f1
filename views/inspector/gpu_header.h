// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QString>
#include <QStringList>
#include <QWidget>

namespace clusterbeat {

/// Title and path of the subject, a chip in the colour of its state, chips with its coordinates.
class GpuHeader final : public QWidget {
    Q_OBJECT
public:
    explicit GpuHeader(ViewState *state, QWidget *parent = nullptr);
    void setSubject(const QString &title, const QString &place, const QStringList &chips);
    /// A Category or kUnusedState; -1 = no chip.
    void setState(int state);
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override { return {120, sizeHint().height()}; }

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void paintChip(QPainter &painter, int &x, int y, const QString &text, bool state) const;
    [[nodiscard]] int chipHeight() const;

    ViewState *m_viewState;
    QString m_title, m_place;
    QStringList m_chips;
    int m_state = -1;
};

} // namespace clusterbeat
