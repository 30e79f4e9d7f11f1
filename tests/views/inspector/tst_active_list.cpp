// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/active_list.h"
#include "views/inspector/switch.h"

#include <QAccessible>
#include <QApplication>
#include <QPointer>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace clusterbeat;

namespace {

std::shared_ptr<const Scenario> slowGpus(int count)
{
    PerturbationList list;
    for (int i = 0; i < count; ++i) {
        Perturbation slow;
        slow.target = "pod.0/rack.1/server.0/gpu." + std::to_string(i);
        slow.speed = 0.7;
        list.push_back(slow);
    }
    Scenario scenario;
    scenario.perturbations = std::make_shared<const PerturbationList>(list);
    return std::make_shared<const Scenario>(scenario);
}

/// Answers every edit at once, from inside the signal, as the document does.
class Answering final : public QObject {
public:
    Answering(ActiveList *list, int count, bool refuses = false) : m_scenario(slowGpus(count))
    {
        list->setScenario(m_scenario);
        connect(list, &ActiveList::editRequested, this, [this, list, refuses](const QList<ScenarioEdit> &edits) {
            ++m_edits;
            if (refuses) return;
            PerturbationList changed = *m_scenario->perturbations;
            const auto index = edits.front().pointer.section(QLatin1Char('/'), 2, 2).toULongLong();
            if (edits.front().json.isEmpty()) changed.erase(changed.begin() + static_cast<std::ptrdiff_t>(index));
            else changed.at(index).enabled = edits.front().json == QLatin1String("true");
            Scenario next = *m_scenario;
            next.perturbations = std::make_shared<const PerturbationList>(changed);
            m_scenario = std::make_shared<const Scenario>(next);
            list->setScenario(m_scenario);
        });
    }
    [[nodiscard]] const PerturbationList &list() const { return *m_scenario->perturbations; }
    [[nodiscard]] int edits() const { return m_edits; }

private:
    std::shared_ptr<const Scenario> m_scenario;
    int m_edits = 0;
};

} // namespace

class TestActiveList final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // With an accessibility client Qt still talks to the button after its toggled() signal.
    void initTestCase() { QAccessible::setActive(true); }

    void aSwitchOutlivesTheEditThatItReports_data()
    {
        QTest::addColumn<bool>("byKey");
        QTest::newRow("mouse") << false;
        QTest::newRow("Space") << true;
    }

    void aSwitchOutlivesTheEditThatItReports()
    {
        QFETCH(bool, byKey);
        ViewState state;
        ActiveList list(&state);
        const Answering document(&list, 2);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        const QPointer<Switch> second = list.findChildren<Switch *>().at(1);
        second->setFocus();
        for (int click = 1; click <= 4; ++click) {
            if (byKey) QTest::keyClick(second, Qt::Key_Space);
            else QTest::mouseClick(second, Qt::LeftButton);
            QVERIFY(second);
            QCOMPARE(document.edits(), click);
            QCOMPARE(second->isChecked(), click % 2 == 0);
            QCOMPARE(document.list().at(1).enabled, click % 2 == 0);
            QVERIFY(document.list().at(0).enabled);
            QVERIFY(second->hasFocus());
        }
    }

    void aRefusedSwitchShowsWhatTheRunHas()
    {
        ViewState state;
        ActiveList list(&state);
        const Answering document(&list, 1, true);
        auto *box = list.findChild<Switch *>();
        box->click();
        QCOMPARE(document.edits(), 1);
        QVERIFY(box->isChecked());
    }

    void removingRowsKeepsTheFocusInTheList()
    {
        ViewState state;
        ActiveList list(&state);
        const Answering document(&list, 3);
        list.show();
        QVERIFY(QTest::qWaitForWindowExposed(&list));
        for (int left = 2; left >= 1; --left) {
            const auto buttons = list.findChildren<QToolButton *>();
            buttons.last()->setFocus();
            QTest::keyClick(buttons.last(), Qt::Key_Space);
            QCOMPARE(document.list().size(), std::size_t(left));
            QTRY_COMPARE(list.findChildren<Switch *>().size(), left);
            QCOMPARE(QApplication::focusWidget(), list.findChildren<QToolButton *>().last());
        }
        QCOMPARE(QString::fromStdString(document.list().front().target), QStringLiteral("pod.0/rack.1/server.0/gpu.0"));
    }

    // The first of three goes: what the rows say moves up with the perturbations.
    void removingTheFirstRowNamesTheRest()
    {
        ViewState state;
        ActiveList list(&state);
        const Answering document(&list, 3);
        list.findChildren<QToolButton *>().first()->click();
        QTRY_COMPARE(list.findChildren<Switch *>().size(), 2);
        QVERIFY(list.findChildren<Switch *>().first()->accessibleName().contains(QStringLiteral("GPU 1")));
        QVERIFY(list.findChildren<Switch *>().last()->accessibleName().contains(QStringLiteral("GPU 2")));
    }
};

QTEST_MAIN(TestActiveList)
#include "tst_active_list.moc"
