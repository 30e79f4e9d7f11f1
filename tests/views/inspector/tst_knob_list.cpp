// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/scenario/scenario_json.h"
#include "views/inspector/choice_list.h"
#include "views/inspector/knob_field.h"
#include "views/inspector/knob_list.h"
#include "views/inspector/run_panel.h"
#include "views/text/knob_text.h"

#include <QAccessible>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QtTest>

using namespace clusterbeat;

/// The knobs of a preset, as the controller shows them.
class TestKnobList final : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;
    std::shared_ptr<const Scenario> m_scenario;
    ViewState m_state;
    std::unique_ptr<RunPanel> m_panel;

    [[nodiscard]] KnobField *field(KnobId id) const { return m_panel->knobs()->field(id); }
    [[nodiscard]] ChoiceCombo *combo(KnobId id) const { return field(id)->combo(); }
    void type(KnobId id, const QString &text)
    {
        QLineEdit *line = combo(id)->lineEdit();
        line->setFocus();
        line->selectAll();
        QTest::keyClicks(line, text);
        QTest::keyClick(line, Qt::Key_Return);
    }
    static QStringList sent(QSignalSpy &spy)
    {
        QStringList list;
        for (const auto &each : spy) list << QString::fromUtf8(knob(each.at(0).value<KnobId>()).pointer) + QLatin1Char('=') + each.at(1).toString();
        spy.clear();
        return list;
    }

private Q_SLOTS:
    void initTestCase()
    {
        auto loaded = loadCatalogue();
        QVERIFY(loaded.ok());
        m_catalogue = std::make_shared<const Catalogue>(std::move(loaded).value());
        m_scenario = std::make_shared<const Scenario>(readPreset("llama3-405b-16k", *m_catalogue).value());
    }
    void init()
    {
        m_panel = std::make_unique<RunPanel>(&m_state);
        m_panel->knobs()->setCatalogue(m_catalogue);
        m_panel->knobs()->setScenario(m_scenario, m_scenario);
        m_panel->setScenario(m_scenario);
        m_panel->resize(248, 900);
        m_panel->show();
        m_panel->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_panel.get()));
    }

    // Every knob has a field with a name, a term explained, and the document's value.
    void everyKnobIsThere()
    {
        for (const Knob &each : knobs()) {
            QCOMPARE(combo(each.id)->accessibleName(), knobName(each.id));
            QVERIFY(!knobDescription(each.id).isEmpty());
            QVERIFY(combo(each.id)->toolTip().contains(knobDescription(each.id)));
            QVERIFY(!combo(each.id)->currentText().isEmpty());
        }
        QCOMPARE(combo(KnobId::Tensor)->currentText(), QStringLiteral("8"));
        QCOMPARE(combo(KnobId::Data)->currentText(), QStringLiteral("auto (128)"));
        QCOMPARE(combo(KnobId::NicSpeed)->currentText(), QStringLiteral("400 Gb/s"));
        QCOMPARE(combo(KnobId::GpusPerServer)->currentText(), QStringLiteral("8"));
        QCOMPARE(combo(KnobId::MicroBatchGroup)->currentText(), QStringLiteral("auto (16)"));
        QCOMPARE(combo(KnobId::Oversubscription)->currentText(), QStringLiteral("1 : 7"));
        QCOMPARE(combo(KnobId::Model)->currentText(), QStringLiteral("Llama 3 405B"));
        QCOMPARE(combo(KnobId::Schedule)->currentText(), QStringLiteral("Interleaved 1F1B"));
        QAccessibleInterface *spoken = QAccessible::queryAccessibleInterface(combo(KnobId::Tensor));
        QCOMPARE(spoken->text(QAccessible::Name), QStringLiteral("Tensor"));
        QCOMPARE(spoken->text(QAccessible::Value), QStringLiteral("8"));
    }

    // A dense model has no experts: greyed with the reason.
    void whatMeansNothingIsGreyedWithTheReason()
    {
        QVERIFY(!combo(KnobId::Expert)->isEnabled());
        QVERIFY(combo(KnobId::Expert)->toolTip().startsWith(knobNeedText(KnobNeed::Experts)));
        QVERIFY(!combo(KnobId::RecomputedLayers)->isEnabled());
        QVERIFY(combo(KnobId::MicroBatchGroup)->isEnabled());
        QVERIFY(combo(KnobId::Context)->isEnabled());
    }

    // Typed text becomes JSON: digits with separators, units, "auto"; what is no number goes out as it is.
    void textBecomesJson()
    {
        QSignalSpy turned(m_panel->knobs(), &KnobList::turned);
        type(KnobId::Tensor, QStringLiteral("4"));
        type(KnobId::GlobalBatch, QStringLiteral("4,096"));
        type(KnobId::SequenceLength, QStringLiteral("128k"));
        type(KnobId::NicSpeed, QStringLiteral("0.8 Tb/s"));
        type(KnobId::Oversubscription, QStringLiteral("1 : 2.5"));
        type(KnobId::Data, QStringLiteral("64"));
        type(KnobId::Pipeline, QStringLiteral("many"));
        QCOMPARE(sent(turned), (QStringList{QStringLiteral("/layout/tensor=4"), QStringLiteral("/training/global_batch=4096"),
                                            QStringLiteral("/training/sequence_length=131072"), QStringLiteral("/cluster/nic_gbps_per_gpu=800"),
                                            QStringLiteral("/cluster/core_oversubscription=2.5"), QStringLiteral("/layout/data=64"),
                                            QStringLiteral("/layout/pipeline=\"many\"")}));
        // Back to what the document has: nothing to report.
        type(KnobId::Data, QStringLiteral("auto"));
        type(KnobId::Tensor, QStringLiteral("8"));
        QVERIFY(sent(turned).isEmpty());
    }

    // A refused value stays marked, also when the focus goes on and another one is refused; Esc takes it back, and the
    // document's next state takes all back.
    void aRefusedValueIsNeverUnmarked()
    {
        connect(m_panel->knobs(), &KnobList::turned, this, [this](KnobId id, const QString &) {
            m_panel->knobs()->showRefusal(id, QStringLiteral("no"), QStringLiteral("Set another too"));
        });
        type(KnobId::Tensor, QStringLiteral("7"));
        type(KnobId::Pipeline, QStringLiteral("32"));
        combo(KnobId::Context)->setFocus();
        for (const auto &[id, text] : {std::pair(KnobId::Tensor, "7"), std::pair(KnobId::Pipeline, "32")}) {
            QCOMPARE(combo(id)->currentText(), QString::fromUtf8(text));
            QVERIFY(combo(id)->property("invalid").toBool() && field(id)->isRefused());
            QCOMPARE(combo(id)->accessibleDescription(), QStringLiteral("no"));
        }
        // Looking at the choices changes neither.
        m_panel->knobs()->setConsequences(KnobId::Tensor, {});
        combo(KnobId::Tensor)->lineEdit()->setFocus();
        QCOMPARE(combo(KnobId::Tensor)->currentText(), QStringLiteral("7"));
        QVERIFY(field(KnobId::Tensor)->isRefused());
        QTest::keyClick(combo(KnobId::Tensor)->lineEdit(), Qt::Key_Escape);
        QCOMPARE(combo(KnobId::Tensor)->currentText(), QStringLiteral("8"));
        QVERIFY(!field(KnobId::Tensor)->isRefused() && field(KnobId::Pipeline)->isRefused());
        m_panel->knobs()->setScenario(m_scenario, m_scenario);
        QCOMPARE(combo(KnobId::Pipeline)->currentText(), QStringLiteral("16"));
        QVERIFY(!combo(KnobId::Pipeline)->property("invalid").toBool());
        disconnect(m_panel->knobs(), &KnobList::turned, this, nullptr);
    }

    // The button under a refusal asks for the second change; the same mistake twice is refused twice.
    void aRepairIsAButton()
    {
        QSignalSpy turned(m_panel->knobs(), &KnobList::turned), repairs(m_panel->knobs(), &KnobList::repairRequested);
        type(KnobId::Pipeline, QStringLiteral("32"));
        m_panel->knobs()->showRefusal(KnobId::Pipeline, QStringLiteral("no"), QStringLiteral("Set virtual stages to 4 too"));
        auto *button = field(KnobId::Pipeline)->findChild<QPushButton *>();
        QVERIFY(button && button->isVisible() && button->text() == QStringLiteral("Set virtual stages to 4 too"));
        button->click();
        QTRY_COMPARE(repairs.size(), 1);
        type(KnobId::Pipeline, QStringLiteral("16"));
        QVERIFY(!field(KnobId::Pipeline)->isRefused());
        type(KnobId::Pipeline, QStringLiteral("32"));
        QCOMPARE(sent(turned), (QStringList{QStringLiteral("/layout/pipeline=32"), QStringLiteral("/layout/pipeline=32")}));
    }

    // Focus selects all of "auto (128)", and so does a double click; Return gives the keys back; undo is the run's.
    void fieldsTakeAndGiveTheKeys()
    {
        QLineEdit *line = combo(KnobId::Data)->lineEdit();
        line->setFocus(Qt::MouseFocusReason);
        QTRY_COMPARE(line->selectedText(), QStringLiteral("auto (128)"));
        line->deselect();
        QTest::mouseDClick(line, Qt::LeftButton, Qt::NoModifier, QPoint(10, line->height() / 2));
        QTRY_COMPARE(line->selectedText(), QStringLiteral("auto (128)"));
        const auto takesUndo = [&](QWidget *widget) {
            QKeyEvent undo(QEvent::ShortcutOverride, Qt::Key_Z, Qt::ControlModifier);
            undo.ignore();
            QApplication::sendEvent(widget, &undo);
            return undo.isAccepted();
        };
        QVERIFY(!takesUndo(line));
        QTest::keyClicks(line, QStringLiteral("6"));
        QVERIFY(takesUndo(line));
        QTest::keyClick(line, Qt::Key_Return);
        QVERIFY(!line->hasFocus());
    }

    // Choices are listed when somebody looks; figures come beside them, what is impossible is greyed with its reason.
    void choicesCarryTheirConsequences()
    {
        QSignalSpy wanted(m_panel->knobs(), &KnobList::choicesWanted);
        combo(KnobId::Schedule)->setFocus();
        QVERIFY(!wanted.isEmpty());
        QCOMPARE(combo(KnobId::Schedule)->count(), 9);
        FlagAlternative slower{"\"gpipe\"", 1'500'000'000, 2'000'000'000, true, std::nullopt};
        FlagAlternative tooLarge{"\"1f1b\"", 1'000'000, 9'000'000'000, false, std::nullopt};
        FlagAlternative refused{"\"dualpipe\"", 0, 0, true, Error{ErrorCode::OutOfRange, {}, {std::string("2048"), std::int64_t{4096}, std::int64_t{65536}}}};
        m_panel->knobs()->setConsequences(KnobId::Schedule, {slower, tooLarge, refused});
        const auto consequenceOf = [this](const char *json) {
            return combo(KnobId::Schedule)->itemData(combo(KnobId::Schedule)->findData(QString::fromUtf8(json)), kChoiceConsequence).toString().replace(QChar(0x00a0), QLatin1Char(' '));
        };
        QCOMPARE(consequenceOf("\"gpipe\""), QStringLiteral("+1.50 s · +2.00 GB"));
        QVERIFY(consequenceOf("\"1f1b\"").endsWith(QStringLiteral("does not fit")));
        const int row = combo(KnobId::Schedule)->findData(QStringLiteral("\"dualpipe\""));
        auto *model = qobject_cast<QStandardItemModel *>(combo(KnobId::Schedule)->model());
        QVERIFY(!model->item(row)->isEnabled() && model->item(row)->toolTip().contains(QStringLiteral("4,096")));
        // Accelerators: by vendor, with peak and memory.
        combo(KnobId::Accelerator)->setFocus();
        const int gpu = combo(KnobId::Accelerator)->findData(QStringLiteral("\"H200-SXM-141GB\""));
        QCOMPARE(combo(KnobId::Accelerator)->itemData(gpu, kChoiceDetail).toString(), QStringLiteral("989 TFLOP/s, 141 GB"));
    }

    // The search finds by name, key and group; "Changed" leaves what differs from the opened run, and marks it.
    void knobsAreFoundAndFiltered()
    {
        const auto shown = [this] {
            QStringList names;
            for (const Knob &each : knobs())
                if (field(each.id)->isVisible()) names << knobName(each.id);
            return names;
        };
        QCOMPARE(shown().size(), static_cast<qsizetype>(kKnobCount));
        auto *search = m_panel->findChild<QLineEdit *>(QString(), Qt::FindDirectChildrenOnly);
        for (QLineEdit *each : m_panel->findChildren<QLineEdit *>())
            if (each->accessibleName() == QStringLiteral("Find a knob")) search = each;
        QVERIFY(search);
        search->setText(QStringLiteral("nic"));
        QCOMPARE(shown(), QStringList{QStringLiteral("NIC speed")});
        QTest::keyClick(search, Qt::Key_Return);
        QVERIFY(combo(KnobId::NicSpeed)->hasFocus() || combo(KnobId::NicSpeed)->lineEdit()->hasFocus());
        search->setText(QStringLiteral("zzz"));
        QVERIFY(shown().isEmpty());
        search->clear();
        Scenario changed = *m_scenario;
        LayoutSection layout = *changed.layout;
        layout.tensor = 4;
        changed.layout = std::make_shared<const LayoutSection>(layout);
        m_panel->knobs()->setScenario(std::make_shared<const Scenario>(changed), m_scenario);
        for (QPushButton *each : m_panel->findChildren<QPushButton *>())
            if (each->text() == QStringLiteral("Changed")) each->click();
        QCOMPARE(shown(), QStringList{QStringLiteral("Tensor")});
    }

    // Nothing is wider than the panel, in any theme, whatever the model.
    void nothingIsCutOff()
    {
        for (const ThemeKind kind : {ThemeKind::Dark, ThemeKind::Projector}) {
            m_state.setTheme(Theme(kind));
            const int wide = m_panel->minimumSizeHint().width();
            m_panel->resize(wide, 900);
            QTest::qWait(1);
            for (const Knob &each : knobs()) {
                const QRect place(field(each.id)->mapTo(m_panel.get(), QPoint()), field(each.id)->size());
                QVERIFY2(place.right() <= wide && place.width() >= field(each.id)->minimumSizeHint().width(), each.pointer);
            }
        }
        m_state.setTheme(Theme(ThemeKind::Dark));
    }
};

QTEST_MAIN(TestKnobList)
#include "tst_knob_list.moc"
