// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/run_panel.h"
#include "views/inspector/switch.h"
#include "views/text/names.h"

#include <QLabel>
#include <QSignalSpy>
#include <QToolButton>
#include <QtTest>

using namespace clusterbeat;

namespace {

template <typename Widget>
Widget *named(QWidget &parent, const QString &accessibleName)
{
    for (Widget *each : parent.findChildren<Widget *>())
        if (each->accessibleName() == accessibleName) return each;
    return nullptr;
}

Scenario llamaLike()
{
    Scenario scenario;
    LayoutSection layout;
    layout.tensor = 8, layout.pipeline = 16, layout.virtualPipeline = 8, layout.data = 128;
    layout.layersPerStage.assign(128, 1);
    scenario.layout = std::make_shared<const LayoutSection>(layout);
    ClusterSection cluster;
    cluster.gpus = 16384, cluster.acceleratorName = "H100-SXM5-80GB", cluster.coreOversubscription = 7.0;
    scenario.cluster = std::make_shared<const ClusterSection>(cluster);
    Perturbation slow;
    slow.target = "pod.0/rack.1/server.0/gpu.1", slow.speed = 0.7;
    scenario.perturbations = std::make_shared<const PerturbationList>(PerturbationList{slow});
    return scenario;
}

QStringList pointersOf(const QList<ScenarioEdit> &edits)
{
    QStringList list;
    for (const ScenarioEdit &edit : edits) list << edit.pointer + QLatin1Char('=') + edit.json;
    return list;
}

} // namespace

class TestRunPanel final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A checkpoint that does not say its stall has the campaign's.
    void activeListNamesFigures()
    {
        ViewState state;
        RunPanel panel(&state);
        Scenario scenario = llamaLike();
        PerturbationList list(5);
        list[0].kind = PerturbationKind::Checkpoint;
        list[1].kind = PerturbationKind::GcPause, list[1].timing.pauseS = 0.1, list[1].timing.everyS = 300.0;
        list[2].kind = PerturbationKind::DegradedLink, list[2].link.capacity = 0.1, list[2].target = "pod.0/rack.1";
        list[3] = list[2], list[3].link.capacity = 1.0, list[3].link.extraLatencyS = 1e-5;
        list[4] = list[2], list[4].kind = PerturbationKind::DeadLink, list[4].link.domain = LinkDomain::NvLink;
        scenario.perturbations = std::make_shared<const PerturbationList>(list);
        panel.setScenario(std::make_shared<const Scenario>(scenario));
        QStringList texts;
        for (const Switch *each : panel.findChildren<Switch *>()) texts << QString(each->text()).replace(QChar(0x00a0), QLatin1Char(' '));
        QCOMPARE(texts, (QStringList{QStringLiteral("Checkpoint, 5.00 s"), QStringLiteral("Host pauses, 100 ms"), QStringLiteral("NIC link at 10 %"),
                                    QStringLiteral("NIC link, latency +10.0 µs"), QStringLiteral("NVLink dead")}));
        // However long a title is, it gives way: the fields below keep their right edge.
        for (const Switch *each : panel.findChildren<Switch *>()) {
            QVERIFY(each->minimumSizeHint().width() < each->sizeHint().width());
            QVERIFY(each->sizePolicy().horizontalPolicy() & QSizePolicy::ShrinkFlag);
        }
    }

    void panelSwitchesPerturbations()
    {
        ViewState state;
        RunPanel panel(&state);
        panel.setScenario(std::make_shared<const Scenario>(llamaLike()));
        QSignalSpy edits(&panel, &RunPanel::editRequested);
        auto *box = panel.findChild<Switch *>();
        QVERIFY(box && box->isChecked());
        QVERIFY(box->accessibleName().contains(QStringLiteral("pod 0 / rack 1 / server 0 / GPU 1")));
        box->click();
        QCOMPARE(pointersOf(edits.takeLast().at(0).value<QList<ScenarioEdit>>()), QStringList{QStringLiteral("/perturbations/0/enabled=false")});
        auto *remove = named<QToolButton>(panel, QStringLiteral("Remove ") + box->text());
        QVERIFY(remove != nullptr);
        remove->click();
        QTRY_COMPARE(edits.size(), 1);
        QCOMPARE(pointersOf(edits.takeLast().at(0).value<QList<ScenarioEdit>>()), QStringList{QStringLiteral("/perturbations/0=")});
        panel.setScenario(std::make_shared<const Scenario>());
        QTRY_VERIFY(!panel.findChild<Switch *>());
    }

};

QTEST_MAIN(TestRunPanel)
#include "tst_run_panel.moc"
