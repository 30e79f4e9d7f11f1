// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/iteration_result.h"
#include "views/shared/view_state.h"

#include <QWidget>

#include <memory>

class QComboBox;
class QHBoxLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QStringListModel;
class QToolButton;

namespace clusterbeat {

class ClockLabel;
class ScrubSlider;

/// Playback controls of the beat. It owns no clock: it reports what a person asks for and shows what it is told.
/// Its keys (`[` slower, `]` faster, `/` into the search field) are the window's: a key has one owner.
class TransportBar final : public QWidget {
    Q_OBJECT
public:
    explicit TransportBar(ViewState *state, QWidget *parent = nullptr);
    void setResult(std::shared_ptr<const IterationResult> result);
    /// What the pin button says; null = nothing pinned.
    void setBaseline(std::shared_ptr<const IterationResult> baseline);

    /// Speeds to choose from, as a multiple of real time, slowest first.
    [[nodiscard]] static const std::vector<double> &speeds();

public Q_SLOTS:
    void setPlaying(bool playing);
    /// The nearest listed speed is shown; emits nothing.
    void setSpeed(double speed);
    void setLooping(bool looping);
    void setFollowing(bool following);
    void focusSearch();
    /// What the search field completes.
    void setSearchWords(const QStringList &words);
    /// Below the search field: what was not found.
    void saySearch(const QString &sentence);

Q_SIGNALS:
    void playToggled(bool playing);
    void speedChanged(double speed);
    void stepRequested(int direction);
    void toStartRequested();
    void loopToggled(bool looping);
    void followToggled(bool following);
    void pinBaselineRequested();
    void searchSubmitted(const QString &text);

protected:
    void paintEvent(QPaintEvent *event) override;
    void changeEvent(QEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void build();
    void retranslate();
    void restyle();
    void chooseSpeed(int index);
    void showBaseline();

    ViewState *m_state;
    std::shared_ptr<const IterationResult> m_result, m_baseline;
    QHBoxLayout *m_layout = nullptr;
    QToolButton *m_toStart = nullptr, *m_stepBack = nullptr, *m_play = nullptr, *m_step = nullptr, *m_loop = nullptr, *m_follow = nullptr;
    QLabel *m_speedLabel = nullptr;
    QComboBox *m_speed = nullptr;
    QToolButton *m_slower = nullptr, *m_faster = nullptr;
    ClockLabel *m_clock = nullptr;
    ScrubSlider *m_scrub = nullptr;
    QLineEdit *m_search = nullptr;
    QStringListModel *m_searchWords = nullptr;
    QToolButton *m_searchButton = nullptr;
    QPushButton *m_pin = nullptr;
    bool m_playing = false;
};

} // namespace clusterbeat
