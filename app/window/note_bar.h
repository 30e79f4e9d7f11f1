// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/shared/view_state.h"

#include <QWidget>

class QLabel;
class QToolButton;

namespace clusterbeat {

/// One line below the key figures that says why what is shown is not the last change, or what else a person should know.
/// Hidden when there is nothing to say.
class NoteBar final : public QWidget {
    Q_OBJECT
public:
    enum class Tone : quint8 { Information, Problem };
    explicit NoteBar(ViewState *state, QWidget *parent = nullptr);
    void say(Tone tone, const QString &sentence);
    void clear();
    [[nodiscard]] QString sentence() const;

protected:
    void changeEvent(QEvent *event) override;
    void paintEvent(QPaintEvent *event) override;

private:
    void restyle();

    ViewState *m_state;
    QLabel *m_icon, *m_text;
    QToolButton *m_close;
    Tone m_tone = Tone::Information;
};

} // namespace clusterbeat
