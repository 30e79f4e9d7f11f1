// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/main_window.h"

#include <QAbstractSlider>
#include <QAccessible>
#include <QAction>
#include <QApplication>
#include <QComboBox>
#include <QFloat16>
#include <QSlider>
#include <QStandardPaths>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

#include <map>

using namespace clusterbeat;

namespace {

/// The key press that a person makes on a US keyboard: Shift+, and < are one.
QString pressOf(const QKeySequence &keys)
{
    static const QString shifted = QStringLiteral("<>?:\"{}|+_)!@#$%^&*(~"), plain = QStringLiteral(",./;'[]\\=-01234567890`");
    QString text = keys.toString(QKeySequence::PortableText);
    const qsizetype at = text.isEmpty() ? -1 : shifted.indexOf(text.back());
    if (at >= 0 && !text.endsWith(QLatin1String("++"))) text = QStringLiteral("Shift+") + text.chopped(1) + plain.at(at);
    return text;
}

template <typename Widget> Widget *named(const QWidget &parent, const QString &accessibleName)
{
    for (Widget *each : parent.findChildren<Widget *>())
        if (each->accessibleName() == accessibleName) return each;
    return nullptr;
}

} // namespace

/// Keys, focus and assistive technology in the whole window.
class TestWindowKeys final : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;
    Preferences m_preferences;
    std::unique_ptr<Language> m_language;
    std::unique_ptr<MainWindow> m_window;

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QAccessible::setActive(true);
        m_catalogue = std::make_shared<const Catalogue>(loadCatalogue().value());
    }
    void init()
    {
        m_preferences = {};
        m_language = std::make_unique<Language>();
        m_window = std::make_unique<MainWindow>(
            MainWindow::Parts{m_catalogue, SimulationRunner::simulator(m_catalogue), &m_preferences, m_language.get()});
        m_window->resize(1920, 1080);
        m_window->show();
        QApplication::setActiveWindow(m_window.get());
        QVERIFY(QTest::qWaitForWindowActive(m_window.get()));
        QVERIFY(m_window->files()->open(QStringLiteral("preset:llama3-8b-64")));
        QTRY_VERIFY(!m_window->results()->busy() && m_window->results()->result());
    }
    void cleanup()
    {
        m_window.reset();
        m_language.reset();
    }

    void everyKeyHasOneOwner()
    {
        std::map<QString, QString> owner;
        for (const QAction *action : m_window->findChildren<QAction *>())
            for (const QKeySequence &keys : action->shortcuts()) {
                const auto [found, added] = owner.emplace(pressOf(keys), action->text());
                QVERIFY2(added, qPrintable(keys.toString() + QStringLiteral(": ") + action->text() + QStringLiteral(" and ") + found->second));
            }
        QVERIFY(owner.count(QStringLiteral("Shift+,")) == 1);
        QVERIFY(owner.size() > 30);
    }

    // A click on a control has done its work; the next Space is the heartbeat's. What Tab reached takes its Space.
    void spacePlaysAfterAClick()
    {
        auto *speed = named<QComboBox>(*m_window, QStringLiteral("Playback speed"));
        QVERIFY(speed != nullptr);
        speed->setFocus(Qt::MouseFocusReason);
        QTest::keyClick(speed, Qt::Key_Space);
        QVERIFY(m_window->clock()->playing());
        QTest::keyClick(speed, Qt::Key_Space);
        QVERIFY(!m_window->clock()->playing());
        auto *loop = named<QToolButton>(*m_window, QStringLiteral("Loop"));
        QVERIFY(loop != nullptr);
        loop->setFocus(Qt::TabFocusReason);
        const bool before = loop->isChecked();
        QTest::keyClick(loop, Qt::Key_Space);
        QCOMPARE(loop->isChecked(), !before);
        QVERIFY(!m_window->clock()->playing());
    }

    void homeAndEndAreThePlayheads()
    {
        ViewState *state = m_window->viewState();
        m_window->focusPlay();
        state->setSelectedGpu(5);
        state->setPlayhead(state->duration() / 2);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home);
        QCOMPARE(state->playhead(), TimeNs{0});
        QCOMPARE(state->selectedGpu(), GpuIndex{5});
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_End);
        QCOMPARE(state->playhead(), state->duration());
        QCOMPARE(state->selectedGpu(), GpuIndex{5});
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Home, Qt::ControlModifier);
        QCOMPARE(state->selectedGpu(), GpuIndex{0});
    }

    // The place that a person zoomed to stays while it plays, until Follow is asked for.
    void aChosenRangeStays()
    {
        ViewState *state = m_window->viewState();
        const TimeNs length = state->duration();
        QVERIFY(state->following());
        state->chooseVisible({0, length / 100});
        QVERIFY(!state->following());
        auto *follow = named<QToolButton>(*m_window, QStringLiteral("Follow"));
        QVERIFY(follow && !follow->isChecked());
        state->setPlayhead(length / 200);
        state->setPlayhead(length / 50);
        QCOMPARE(state->visible(), (TimeRange{0, length / 100}));
        follow->click();
        QVERIFY(state->following());
        QVERIFY(state->visible().begin <= length / 50 && length / 50 <= state->visible().end);
        const TimeRange page = state->visible();
        state->setPlayhead(page.end + 1);
        QVERIFY(state->visible().begin >= page.begin + 1);
        state->chooseVisible({0, length});
        QVERIFY(state->following());
    }

    // What assistive technology offers for a button does what a click does.
    void accessibleTogglesAct()
    {
        const auto toggle = [](QWidget *button) {
            QAccessibleInterface *each = QAccessible::queryAccessibleInterface(button);
            QVERIFY(each && each->actionInterface());
            each->actionInterface()->doAction(QAccessibleActionInterface::toggleAction());
        };
        toggle(named<QToolButton>(*m_window, QStringLiteral("Validation")));
        QCOMPARE(m_window->page(), Page::Validation);
        toggle(named<QToolButton>(*m_window, QStringLiteral("Play")));
        QCOMPARE(m_window->page(), Page::Play);
    }

    void aWheelOverTheSpeedSliderChangesNothing()
    {
        QSlider *speed = nullptr;
        for (QSlider *each : m_window->findChildren<QSlider *>())
            if (each->minimum() > 0 && each->maximum() == 100) speed = each;
        QVERIFY(speed != nullptr);
        const int value = speed->value();
        QWheelEvent wheel(QPointF(5, 5), speed->mapToGlobal(QPointF(5, 5)), {}, {0, -360}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
        QApplication::sendEvent(speed, &wheel);
        QCOMPARE(speed->value(), value);
        QVERIFY(m_window->document()->scenario().perturbations->empty());
    }
};

QTEST_MAIN(TestWindowKeys)
#include "tst_window_keys.moc"
