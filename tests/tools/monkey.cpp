// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/tools/monkey.h"

#include <QAbstractButton>
#include <QAbstractSlider>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QDialog>
#include <QDir>
#include <QEventLoop>
#include <QFile>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QTest>
#include <QTimer>
#include <QWheelEvent>
#include <QWindow>

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr std::size_t kRemembered = 30;
constexpr int kPatience = 400;              // ticks without a chance to act
constexpr QSize kSizes[]{{1280, 720}, {1366, 768}, {1920, 1080}, {2560, 1440}};

constexpr std::array kKeys{
    Qt::Key_Space, Qt::Key_Tab, Qt::Key_Backtab, Qt::Key_Return, Qt::Key_Escape, Qt::Key_Left, Qt::Key_Right, Qt::Key_Up,
    Qt::Key_Down, Qt::Key_Home, Qt::Key_End, Qt::Key_PageUp, Qt::Key_PageDown, Qt::Key_Comma, Qt::Key_Period,
    Qt::Key_BracketLeft, Qt::Key_BracketRight, Qt::Key_Slash, Qt::Key_F, Qt::Key_L, Qt::Key_W, Qt::Key_A, Qt::Key_S,
    Qt::Key_D, Qt::Key_Z, Qt::Key_Y, Qt::Key_B, Qt::Key_0, Qt::Key_1, Qt::Key_2, Qt::Key_3, Qt::Key_4, Qt::Key_5,
    Qt::Key_6, Qt::Key_7, Qt::Key_8, Qt::Key_9, Qt::Key_Plus, Qt::Key_Minus, Qt::Key_Delete, Qt::Key_Backspace,
    Qt::Key_F1, Qt::Key_F6, Qt::Key_F9, Qt::Key_F10, Qt::Key_F11, Qt::Key_Menu, Qt::Key_N, Qt::Key_O};

const std::array kTexts{
    "8", "7", "16", "0", "-1", "1", "32", "128", "99999999999", "1.5", "auto", "abc", "2e3", "rank 5", "stage 0", "replica 1",
    "gpu 7", "slow", "pod 0", "s3", "/", "", "\u5fae\u6279", "NaN", "stage:7 replica:41"};

/// One file that is imported, and three that must be refused.
void fill(const QTemporaryDir &folder)
{
    const auto write = [&folder](const char *name, const QByteArray &bytes) {
        QFile file(folder.filePath(QString::fromLatin1(name)));
        if (file.open(QIODevice::WriteOnly)) file.write(bytes);
    };
    write("broken.json", R"({"clusterbeat": 1, )");
    write("empty.json", "");
    write("list.json", "[1, 2, 3]");
    write("run.sh", "torchrun --nproc_per_node 8 --nnodes 2 pretrain_gpt.py --num-layers 32 --hidden-size 4096 "
                    "--num-attention-heads 32 --seq-length 4096 --micro-batch-size 1 --global-batch-size 128 "
                    "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --bf16\n");
}

/// What holds the input: an open list or menu, a modal dialog, else the window.
QWidget *topmost(QWidget *window)
{
    if (QWidget *popup = QApplication::activePopupWidget()) return popup;
    if (QWidget *modal = QApplication::activeModalWidget()) return modal;
    return window;
}

QString nameOf(const QWidget *widget)
{
    const QString name = widget->accessibleName().isEmpty() ? widget->objectName() : widget->accessibleName();
    return QString::fromLatin1(widget->metaObject()->className()) + QLatin1Char(' ') + name;
}

/// Every entry of the menus that can be chosen now.
void collect(const QList<QAction *> &actions, std::vector<QAction *> &found)
{
    for (QAction *action : actions) {
        if (action->isSeparator() || !action->isEnabled()) continue;
        if (action->menu()) collect(action->menu()->actions(), found);
        else found.push_back(action);
    }
}

} // namespace

Monkey::Monkey(QWidget *window, std::uint64_t seed) : m_window(window), m_random(seed) { fill(m_folder); }

int Monkey::below(int bound)
{
    return bound <= 1 ? 0 : static_cast<int>(m_random() % static_cast<std::uint64_t>(bound));
}

QStringList Monkey::latest() const { return {m_latest.begin(), m_latest.end()}; }

void Monkey::note(const QString &action)
{
    m_latest.push_back(QString::number(m_done) + QLatin1Char(' ') + action);
    if (m_latest.size() > kRemembered) m_latest.pop_front();
}

void Monkey::run(int count)
{
    QEventLoop loop;
    m_loop = &loop;
    m_goal = m_done + count;
    m_stuck = 0;
    QTimer::singleShot(0, this, &Monkey::tick);
    loop.exec();
    m_loop = nullptr;
}

// The next tick is asked for before this one acts: a dialog or a menu may run its event loop within the action. Input
// functions of the test library run the event loop too, so what is being acted on is not entered again.
void Monkey::tick()
{
    if (!m_loop) return;
    if (m_done >= m_goal && m_stack.empty() && topmost(m_window) == m_window) {
        m_loop->quit();
        return;
    }
    QTimer::singleShot(0, this, &Monkey::tick);
    QWidget *top = topmost(m_window);
    if (std::find(m_stack.begin(), m_stack.end(), top) != m_stack.end()) {
        if (++m_stuck % kPatience != 0) return;
        // A drag of text waits for its end.
        note(QStringLiteral("let go"));
        QTest::keyClick(top, Qt::Key_Escape);
        return;
    }
    m_stuck = 0;
    m_stack.push_back(top);
    act(top);
    m_stack.pop_back();
}

void Monkey::act(QWidget *top)
{
    if (!m_window->isVisible()) m_window->show();           // it was closed
    if (m_window->isMinimized()) m_window->showNormal();
    if (top != m_window && m_done >= m_goal) {              // the end: nothing stays open
        top->close();
        return;
    }
    ++m_done;
    if (top == m_window) actOn(top);
    else if (qobject_cast<QDialog *>(top)) dialog(top);
    else popup(top);
}

void Monkey::actOn(QWidget *top)
{
    constexpr std::array kinds{Kind::Click, Kind::Click, Kind::Click, Kind::Control, Kind::Control, Kind::Control,
                               Kind::Key, Kind::Key, Kind::Key, Kind::Key, Kind::Type, Kind::Wheel, Kind::Wheel,
                               Kind::Drag, Kind::Drag, Kind::Menu, Kind::Toggle};
    if (top == m_window && chance(1)) return resize(top);
    switch (kinds[static_cast<std::size_t>(below(static_cast<int>(kinds.size())))]) {
    case Kind::Click: click(top); break;
    case Kind::Control: control(top); break;
    case Kind::Key: key(top); break;
    case Kind::Type: type(top); break;
    case Kind::Wheel: wheel(top); break;
    case Kind::Drag: drag(top); break;
    case Kind::Menu: menu(top); break;
    case Kind::Toggle: toggle(top); break;
    case Kind::Resize: resize(top); break;
    }
}

void Monkey::dialog(QWidget *top)
{
    auto *dialog = static_cast<QDialog *>(top);
    if (auto *files = qobject_cast<QFileDialog *>(top)) return chooseFile(files);
    if (!chance(25)) return actOn(top);
    note(QStringLiteral("close ") + nameOf(top));
    dialog->reject();
}

void Monkey::chooseFile(QFileDialog *dialog)
{
    const bool saving = dialog->acceptMode() == QFileDialog::AcceptSave;
    const QStringList names = saving ? QStringList{QStringLiteral("saved"), QStringLiteral("small.json"), QStringLiteral("a.png"), QStringLiteral("no/folder/x")}
                                     : QDir(m_folder.path()).entryList(QDir::Files);
    const QString path = m_folder.filePath(names[below(static_cast<int>(names.size()))]);
    note(QStringLiteral("choose ") + path);
    if (chance(30)) return dialog->reject();
    dialog->setDirectory(m_folder.path());
    dialog->selectFile(path);
    QTest::keyClick(dialog->windowHandle(), Qt::Key_Return);
    // A path that is refused leaves the dialog open.
    if (dialog->isVisible() && topmost(m_window) == dialog) dialog->reject();
}

void Monkey::popup(QWidget *top)
{
    constexpr std::array keys{Qt::Key_Down, Qt::Key_Up, Qt::Key_Right, Qt::Key_Return, Qt::Key_Escape, Qt::Key_End};
    if (chance(40)) return click(top);
    const Qt::Key key = chance(10) ? Qt::Key_Escape : keys[static_cast<std::size_t>(below(static_cast<int>(keys.size())))];
    note(QStringLiteral("key %1 in %2").arg(QKeySequence(key).toString(), nameOf(top)));
    QTest::keyClick(top->windowHandle() ? top->windowHandle() : m_window->windowHandle(), key);
}

QPoint Monkey::point(const QWidget *top) { return {below(top->width()), below(top->height())}; }

QPoint Monkey::near(const QWidget *top, QPoint from)
{
    return {std::clamp(from.x() + below(401) - 200, 0, top->width() - 1), std::clamp(from.y() + below(201) - 100, 0, top->height() - 1)};
}

Qt::KeyboardModifiers Monkey::modifiers()
{
    constexpr std::array all{Qt::ControlModifier, Qt::ShiftModifier, Qt::AltModifier};
    return chance(70) ? Qt::KeyboardModifiers() : Qt::KeyboardModifiers(all[static_cast<std::size_t>(below(3))]);
}

void Monkey::click(QWidget *top)
{
    const QPoint at = point(top);
    const Qt::MouseButton button = chance(85) ? Qt::LeftButton : chance(50) ? Qt::RightButton : Qt::MiddleButton;
    const bool twice = chance(10);
    note(QStringLiteral("click %1 %2 button %3%4").arg(at.x()).arg(at.y()).arg(button).arg(twice ? QStringLiteral(" twice") : QString()));
    const QPointer<QWindow> handle = top->windowHandle();
    if (!handle) return;
    QTest::mouseMove(handle, at);
    if (handle) QTest::mouseClick(handle, button, modifiers(), at);
    if (twice && handle) QTest::mouseDClick(handle, button, {}, at);
}

void Monkey::control(QWidget *top)
{
    std::vector<QWidget *> found;
    for (QWidget *widget : top->findChildren<QWidget *>()) {
        const bool usable = qobject_cast<QAbstractButton *>(widget) || qobject_cast<QComboBox *>(widget) ||
                            qobject_cast<QAbstractSlider *>(widget) || qobject_cast<QLineEdit *>(widget);
        if (usable && widget->isVisible() && widget->isEnabled() && widget->window() == top) found.push_back(widget);
    }
    if (found.empty()) return click(top);
    QWidget *chosen = found[static_cast<std::size_t>(below(static_cast<int>(found.size())))];
    const QPoint at = chosen->mapTo(top, chosen->rect().center());
    note(QStringLiteral("press ") + nameOf(chosen));
    if (chance(30)) {
        chosen->setFocus(Qt::TabFocusReason);
        if (QWindow *handle = top->windowHandle()) QTest::keyClick(handle, chance(60) ? Qt::Key_Space : Qt::Key_Down);
    } else if (QWindow *handle = top->windowHandle(); handle && top->rect().contains(at)) {
        QTest::mouseClick(handle, Qt::LeftButton, {}, at);
    }
}

void Monkey::key(QWidget *top)
{
    const Qt::Key key = kKeys[static_cast<std::size_t>(below(static_cast<int>(kKeys.size())))];
    const Qt::KeyboardModifiers held = modifiers();
    note(QStringLiteral("key ") + QKeySequence(static_cast<int>(held) | key).toString());
    if (QWindow *handle = top->windowHandle()) QTest::keyClick(handle, key, held);
}

void Monkey::type(QWidget *top)
{
    const QString text = QString::fromUtf8(kTexts[static_cast<std::size_t>(below(static_cast<int>(kTexts.size())))]);
    note(QStringLiteral("type ") + text);
    std::vector<QLineEdit *> fields;
    for (QLineEdit *field : top->findChildren<QLineEdit *>())
        if (field->isVisible() && field->isEnabled()) fields.push_back(field);
    if (!fields.empty()) fields[static_cast<std::size_t>(below(static_cast<int>(fields.size())))]->setFocus(Qt::MouseFocusReason);
    const QPointer<QWindow> handle = top->windowHandle();
    if (handle && chance(70)) QTest::keyClick(handle, Qt::Key_A, Qt::ControlModifier);
    for (const QChar each : text)
        if (QWidget *focus = QApplication::focusWidget()) QTest::sendKeyEvent(QTest::Click, focus, Qt::Key_unknown, QString(each), {});
    if (handle && chance(70)) QTest::keyClick(handle, Qt::Key_Return);
}

void Monkey::wheel(QWidget *top)
{
    const QPoint at = point(top), steps = chance(80) ? QPoint(0, 120 * (below(7) - 3)) : QPoint(120 * (below(7) - 3), 0);
    note(QStringLiteral("wheel %1 %2 by %3").arg(at.x()).arg(at.y()).arg(steps.y()));
    QWheelEvent event(at, top->mapToGlobal(at), {}, steps, Qt::NoButton, modifiers(), Qt::NoScrollPhase, false);
    if (QWindow *handle = top->windowHandle()) QCoreApplication::sendEvent(handle, &event);
}

void Monkey::drag(QWidget *top)
{
    const QPoint from = point(top);
    const Qt::MouseButton button = chance(85) ? Qt::LeftButton : Qt::MiddleButton;
    const Qt::KeyboardModifiers held = modifiers();
    note(QStringLiteral("drag %1 %2").arg(from.x()).arg(from.y()));
    const QPointer<QWindow> handle = top->windowHandle();
    if (!handle) return;
    QTest::mousePress(handle, button, held, from);
    QPoint to = from;
    for (int i = 1 + below(4); i > 0 && handle; --i) QTest::mouseMove(handle, to = near(top, to));
    if (handle && chance(10)) QTest::keyClick(handle, Qt::Key_Escape);      // in the middle of it
    if (handle) QTest::mouseRelease(handle, button, held, to);
}

void Monkey::menu(QWidget *)
{
    std::vector<QAction *> actions;
    for (QMenu *each : m_window->findChildren<QMenu *>())
        if (!qobject_cast<QMenu *>(each->parentWidget())) collect(each->actions(), actions);
    if (actions.empty() || topmost(m_window) != m_window) return;
    QAction *chosen = actions[static_cast<std::size_t>(below(static_cast<int>(actions.size())))];
    note(QStringLiteral("menu ") + chosen->text());
    chosen->trigger();
}

// As assistive technology does: the first action that a button offers.
void Monkey::toggle(QWidget *top)
{
    std::vector<QAbstractButton *> buttons;
    for (QAbstractButton *button : top->findChildren<QAbstractButton *>())
        if (button->isVisible() && button->isEnabled() && button->window() == top) buttons.push_back(button);
    if (buttons.empty()) return;
    QAbstractButton *chosen = buttons[static_cast<std::size_t>(below(static_cast<int>(buttons.size())))];
    note(QStringLiteral("assist ") + nameOf(chosen));
    QAccessibleInterface *face = QAccessible::queryAccessibleInterface(chosen);
    QAccessibleActionInterface *actions = face ? face->actionInterface() : nullptr;
    if (actions && !actions->actionNames().isEmpty()) actions->doAction(actions->actionNames().constFirst());
}

void Monkey::resize(QWidget *top)
{
    const QSize size = kSizes[below(static_cast<int>(std::size(kSizes)))];
    note(QStringLiteral("resize %1x%2").arg(size.width()).arg(size.height()));
    top->resize(size);
}

} // namespace clusterbeat
