// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/inspector/run_edits.h"
#include "views/inspector/run_panel.h"
#include "views/inspector/switch.h"
#include "views/text/names.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
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
    void initTestCase()
    {
        SampleOptions options;
        options.replicas = 8;
        m_base = sampleResult(options);
    }

    // 8 x 16 x 128 = 16,384 GPUs: tensor 16 leaves 64 replicas; pipeline 8 keeps 128 and drops the split of the layers.
    void degreesTakeAlongWhatMustChange()
    {
        const Scenario scenario = llamaLike();
        const QString label = QStringLiteral("x");
        QCOMPARE(pointersOf(run_edits::degree(scenario, QStringLiteral("/layout/tensor"), 16, label)),
                 (QStringList{QStringLiteral("/layout/tensor=16"), QStringLiteral("/layout/data=64")}));
        QCOMPARE(pointersOf(run_edits::degree(scenario, QStringLiteral("/layout/pipeline"), 8, label)),
                 (QStringList{QStringLiteral("/layout/pipeline=8"), QStringLiteral("/layout/layers_per_stage=")}));
        QCOMPARE(pointersOf(run_edits::degree(scenario, QStringLiteral("/layout/data"), 256, label)), QStringList{QStringLiteral("/layout/data=256")});
        QCOMPARE(pointersOf(run_edits::degree(scenario, QStringLiteral("/layout/tensor"), 0, label)), QStringList{QStringLiteral("/layout/tensor=0")});
        QCOMPARE(pointersOf(run_edits::schedule(scenario, QStringLiteral("1f1b"), label)),
                 (QStringList{QStringLiteral("/layout/schedule=\"1f1b\""), QStringLiteral("/layout/virtual_pipeline=1"),
                              QStringLiteral("/layout/layers_per_stage=")}));
        QCOMPARE(pointersOf(run_edits::schedule(scenario, QStringLiteral("interleaved"), label)), QStringList{QStringLiteral("/layout/schedule=\"interleaved\"")});
        QCOMPARE(run_edits::jsonString(QStringLiteral("a\"b\\c")), QStringLiteral("\"a\\\"b\\\\c\""));
    }

    // Typing a degree sends it once; a refusal stands under that field; Escape brings the document's value back.
    void panelEditsAndRefusals()
    {
        ViewState state;
        RunPanel panel(&state);
        panel.resize(216, 800);
        panel.setScenario(std::make_shared<const Scenario>(llamaLike()), {QStringLiteral("H100-SXM5-80GB"), QStringLiteral("A100-SXM4-80GB")},
                          {QStringLiteral("nemo24"), QStringLiteral("llama3")});
        QSignalSpy edits(&panel, &RunPanel::editRequested);
        QString refusal;
        QObject::connect(&panel, &RunPanel::editRequested, &panel, [&] {
            if (!refusal.isEmpty()) QVERIFY(panel.showError(refusal));
        });
        const auto last = [&edits] { return pointersOf(edits.takeLast().at(0).value<QList<ScenarioEdit>>()); };
        panel.show();
        auto *tensor = named<QComboBox>(panel, QStringLiteral("Tensor"));
        QCOMPARE(tensor->currentText(), QStringLiteral("8"));
        refusal = QStringLiteral("no");
        tensor->setEditText(QStringLiteral("9"));
        QTest::keyClick(tensor->lineEdit(), Qt::Key_Return);
        QCOMPARE(edits.size(), 1);
        QCOMPARE(last().first(), QStringLiteral("/layout/tensor=9"));
        // What is refused elsewhere is not this panel's.
        QVERIFY(!panel.showError(QStringLiteral("other")));
        const auto errors = [&panel] {
            QStringList list;
            for (const QLabel *each : panel.findChildren<QLabel *>())
                if (each->property("role") == QStringLiteral("error") && !each->isHidden()) list << each->text();
            return list;
        };
        QCOMPARE(errors(), QStringList{QStringLiteral("Tensor: no")});
        QVERIFY(tensor->property("invalid").toBool());
        QTest::keyClick(tensor->lineEdit(), Qt::Key_Escape);
        QCOMPARE(tensor->currentText(), QStringLiteral("8"));
        QVERIFY(!tensor->property("invalid").toBool());
        // Typed back to what the document has: valid again, and the same mistake is refused again.
        tensor->setEditText(QStringLiteral("9"));
        QTest::keyClick(tensor->lineEdit(), Qt::Key_Return);
        QCOMPARE(errors().size(), 1);
        tensor->lineEdit()->selectAll();
        QTest::keyClicks(tensor->lineEdit(), QStringLiteral("8"));
        QTest::keyClick(tensor->lineEdit(), Qt::Key_Return);
        QVERIFY(errors().isEmpty() && !tensor->property("invalid").toBool());
        edits.clear();
        tensor->setEditText(QStringLiteral("9"));
        QTest::keyClick(tensor->lineEdit(), Qt::Key_Return);
        QCOMPARE(edits.size(), 1);
        refusal.clear();
        // Text where a number belongs goes out as it is: the document refuses it with a reason.
        tensor->setEditText(QStringLiteral("many"));
        QTest::keyClick(tensor->lineEdit(), Qt::Key_Return);
        QCOMPARE(last().first(), QStringLiteral("/layout/tensor=\"many\""));
        auto *core = named<QComboBox>(panel, QStringLiteral("Oversubscription"));
        QCOMPARE(core->currentData().toString(), QStringLiteral("7"));
        core->setEditText(QStringLiteral("1 : 2.5"));
        QTest::keyClick(core->lineEdit(), Qt::Key_Return);
        QCOMPARE(last().first(), QStringLiteral("/cluster/core_oversubscription=2.5"));
        auto *accelerator = named<QComboBox>(panel, QStringLiteral("Accelerator"));
        accelerator->setCurrentIndex(1);
        Q_EMIT accelerator->activated(1);
        QCOMPARE(last().first(), QStringLiteral("/cluster/accelerator=\"A100-SXM4-80GB\""));
    }

    // Data left open shows what the simulation took, of the result of this scenario only: after a change of the scenario
    // nothing until its own result is there, also when the focus is still in a field.
    void automaticDataFollowsTheResult()
    {
        ViewState state;
        RunPanel panel(&state);
        Scenario scenario = llamaLike();
        LayoutSection layout = *scenario.layout;
        layout.data.reset();
        scenario.layout = std::make_shared<const LayoutSection>(layout);
        panel.setScenario(std::make_shared<const Scenario>(scenario), {}, {});
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto *data = named<QComboBox>(panel, QStringLiteral("Data"));
        QCOMPARE(data->currentText(), QStringLiteral("auto"));
        const auto resultWith = [this](std::int64_t degree) {
            auto result = std::make_shared<IterationResult>(*m_base);
            auto resolved = std::make_shared<ResolvedScenario>();
            resolved->degrees.data = degree;
            result->scenario = resolved;
            return result;
        };
        panel.setResult(resultWith(64));
        QCOMPARE(data->currentText(), QStringLiteral("auto (64)"));
        named<QComboBox>(panel, QStringLiteral("Tensor"))->setFocus();
        panel.setScenario(std::make_shared<const Scenario>(scenario), {}, {});
        QCOMPARE(data->currentText(), QStringLiteral("auto"));
        panel.setResult(resultWith(32));
        QCOMPARE(data->currentText(), QStringLiteral("auto (32)"));
        // A figure sets it, "auto" leaves it open again.
        QSignalSpy edits(&panel, &RunPanel::editRequested);
        data->setEditText(QStringLiteral("16"));
        QTest::keyClick(data->lineEdit(), Qt::Key_Return);
        QCOMPARE(pointersOf(edits.takeLast().at(0).value<QList<ScenarioEdit>>()), QStringList{QStringLiteral("/layout/data=16")});
        panel.setScenario(std::make_shared<const Scenario>(llamaLike()), {}, {});
        data->setEditText(QStringLiteral("auto"));
        QTest::keyClick(data->lineEdit(), Qt::Key_Return);
        QCOMPARE(pointersOf(edits.takeLast().at(0).value<QList<ScenarioEdit>>()), QStringList{QStringLiteral("/layout/data=")});
    }

    // Return gives the keys back to the window; undo is the run's unless the field has a text of its own.
    void fieldsGiveTheKeysBack()
    {
        ViewState state;
        RunPanel panel(&state);
        panel.setScenario(std::make_shared<const Scenario>(llamaLike()), {}, {});
        panel.show();
        panel.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&panel));
        auto *tensor = named<QComboBox>(panel, QStringLiteral("Tensor"));
        QLineEdit *line = tensor->lineEdit();
        QCOMPARE(line->accessibleName(), QStringLiteral("Tensor"));
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(tensor);
        QCOMPARE(spoken->text(QAccessible::Name), QStringLiteral("Tensor"));
        QCOMPARE(spoken->text(QAccessible::Value), QStringLiteral("8"));
        line->setFocus();
        QVERIFY(line->hasFocus());
        const auto takesUndo = [&](QWidget *widget) {
            QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            undo.ignore();
            QApplication::sendEvent(widget, &undo);
            return undo.isAccepted();
        };
        QVERIFY(!takesUndo(line) && !takesUndo(tensor));
        QTest::keyClicks(line, QStringLiteral("1"));
        QVERIFY(takesUndo(line));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(!line->hasFocus() && !tensor->hasFocus());
        QVERIFY(!takesUndo(line));
    }

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
        panel.setScenario(std::make_shared<const Scenario>(scenario), {}, {});
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
        panel.setScenario(std::make_shared<const Scenario>(llamaLike()), {}, {});
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
        panel.setScenario(std::make_shared<const Scenario>(), {}, {});
        QTRY_VERIFY(!panel.findChild<Switch *>());
    }

private:
    std::shared_ptr<const IterationResult> m_base;
};

QTEST_MAIN(TestRunPanel)
#include "tst_run_panel.moc"
