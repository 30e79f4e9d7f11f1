// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QObject>
#include <QPoint>
#include <QPointer>
#include <QStringList>
#include <QTemporaryDir>

#include <atomic>
#include <cstdint>
#include <deque>
#include <random>
#include <vector>

class QAction;
class QEventLoop;
class QFileDialog;
class QWindow;

namespace clusterbeat {

/// A message about the monkey's own hands or about the platform without a screen, not about the program: a window that
/// shrinks (full screen on a small screen) while the pointer is on its way leaves the pointer outside.
[[nodiscard]] inline bool isPlatformRemark(const QString &message)
{
    return message.startsWith(QLatin1String("This plugin does not support")) ||
           (message.startsWith(QLatin1String("Mouse event at")) && message.contains(QLatin1String("outside target window")));
}

/// Seeded random clicks, keys, wheels, drags, typing and menu entries on a window and on every dialog and menu that comes
/// up, by the events that a person's hands make. Files are chosen in a folder of its own only.
/// The same seed makes the same choices, but what is in the window may differ with the timing of simulations.
class Monkey final : public QObject {
    Q_OBJECT
public:
    Monkey(QWidget *window, std::uint64_t seed);

    /// Runs an event loop until `count` actions are done.
    void run(int count);
    [[nodiscard]] int done() const { return m_done.load(); }
    /// The latest actions, oldest first, to say what led to a fault.
    [[nodiscard]] QStringList latest() const;

private:
    enum class Kind : quint8 { Click, Control, Key, Type, Wheel, Drag, Menu, Toggle, Resize };

    void tick();
    void act(QWidget *top);
    void actOn(QWidget *top);
    void dialog(QWidget *top);
    void popup(QWidget *top);
    void chooseFile(QFileDialog *dialog);

    void click(QWidget *top);
    void control(QWidget *top);
    void key(QWidget *top);
    void type(QWidget *top);
    void wheel(QWidget *top);
    void drag(QWidget *top);
    void menu(QWidget *top);
    void toggle(QWidget *top);
    void resize(QWidget *top);

    [[nodiscard]] int below(int bound);
    [[nodiscard]] bool chance(int percent) { return below(100) < percent; }
    [[nodiscard]] QPoint point(const QWidget *top);
    [[nodiscard]] QPoint near(const QWidget *top, QPoint from);
    [[nodiscard]] Qt::KeyboardModifiers modifiers();
    void note(const QString &action);

    QPointer<QWidget> m_window;
    std::mt19937_64 m_random;
    QTemporaryDir m_folder;
    std::vector<QWidget *> m_stack;         ///< what is being acted on, outermost first
    std::deque<QString> m_latest;
    QEventLoop *m_loop = nullptr;
    std::atomic<int> m_done{0};             ///< a watchdog reads it from its thread
    int m_goal = 0, m_stuck = 0;
};

} // namespace clusterbeat
