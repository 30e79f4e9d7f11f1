// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/inspector/software_panel.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTest>
#include <QToolButton>
#include <QWheelEvent>

using namespace clusterbeat;

namespace {

std::shared_ptr<const FlagCosts> someCosts()
{
    auto costs = std::make_shared<FlagCosts>();
    FlagCost attention{"/software/attention_kernel", "\"fa2\"", {}};
    attention.alternatives.push_back({"\"unfused\"", 1'340'000'000, 5'000'000'000, false, std::nullopt});
    attention.alternatives.push_back({"\"cudnn\"", -310'000'000, 0, true, std::nullopt});
    FlagCost overlap{"/software/tensor_overlap", "false", {}};
    overlap.alternatives.push_back({"true", -100'000, 0, true, std::nullopt});
    FlagCost gradients{"/training/gradient_bytes", "4", {}};
    gradients.alternatives.push_back({"2", 0, 0, true, Error{ErrorCode::OutOfRange, {}, {}}});
    costs->flags = {attention, overlap, gradients};
    return costs;
}

} // namespace

class TestSoftwarePanel final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // However long a flag's name and its saving are, the panel is no wider than its column of fields: nothing is cut off.
    void longNamesWrap()
    {
        ViewState state;
        SoftwarePanel panel(&state);
        panel.setUnfolded(true);
        auto costs = std::make_shared<FlagCosts>();
        FlagCost fused{"/software/grouped_matmul_fused", "false", {}};
        fused.alternatives.push_back({"true", -1'234'000'000, 0, true, std::nullopt});
        costs->flags = {fused};
        panel.setCosts(costs);
        constexpr int kColumn = 224;    // the run panel's 248 px less its margins
        panel.resize(kColumn, 600);
        panel.show();
        QVERIFY(panel.minimumSizeHint().width() <= kColumn);
        for (const QLabel *label : panel.findChildren<QLabel *>()) {
            if (!label->isVisible()) continue;
            QVERIFY(label->mapTo(&panel, QPoint(label->width(), 0)).x() <= kColumn);
            QVERIFY(label->height() >= label->heightForWidth(label->width()));
        }
    }

    // 1.34 s dearer and too large, 310 ms saved, a tenth of a millisecond is no change, one is refused.
    void valuesSayWhatTheyCost()
    {
        ViewState state;
        SoftwarePanel panel(&state);
        panel.setUnfolded(true);
        panel.setCosts(someCosts());
        const auto combos = panel.findChildren<QComboBox *>();
        QCOMPARE(combos.size(), 3);
        QCOMPARE(combos[0]->itemText(0), QStringLiteral("FlashAttention 2"));
        QCOMPARE(combos[0]->itemText(1), QStringLiteral("not fused   +1.34 s, does not fit").replace(QStringLiteral("4 s"), QStringLiteral("4\u00a0s")));
        QCOMPARE(combos[0]->itemText(2), QStringLiteral("cuDNN   \u2212310\u00a0ms"));
        QVERIFY(combos[0]->accessibleName().startsWith(QStringLiteral("Attention kernel, could save 310")));
        QCOMPARE(combos[1]->itemText(1), QStringLiteral("on   ±0"));
        QCOMPARE(combos[1]->accessibleName(), QStringLiteral("Tensor overlap"));
        QCOMPARE(combos[2]->itemText(1), QStringLiteral("2 bytes   not possible"));
    }

    // A choice is one edit with the file's pointer and value; the field stays at the value in force until the document
    // answers. Figures of an older scenario are taken away.
    void aChoiceIsOneEditAndOldFiguresGo()
    {
        ViewState state;
        SoftwarePanel panel(&state);
        panel.setUnfolded(true);
        panel.setCosts(someCosts());
        QSignalSpy edits(&panel, &SoftwarePanel::editRequested);
        auto *attention = panel.findChildren<QComboBox *>().first();
        attention->setCurrentIndex(2);
        Q_EMIT attention->activated(2);
        QCOMPARE(edits.size(), 1);
        const auto edit = edits[0][0].value<QList<ScenarioEdit>>();
        QCOMPARE(edit, (QList<ScenarioEdit>{{QStringLiteral("/software/attention_kernel"), QStringLiteral("\"cudnn\""),
                                             QStringLiteral("Attention kernel: cuDNN")}}));
        QCOMPARE(attention->currentIndex(), 0);
        Q_EMIT attention->activated(0);
        QCOMPARE(edits.size(), 1);
        panel.setCosts(nullptr);
        QCOMPARE(attention->itemText(2), QStringLiteral("cuDNN"));
    }

    // A wheel over a list scrolls what is around it, with and without the focus; it never changes the run.
    void aWheelChangesNothing()
    {
        ViewState state;
        SoftwarePanel panel(&state);
        panel.setUnfolded(true);
        panel.setCosts(someCosts());
        panel.show();
        QSignalSpy edits(&panel, &SoftwarePanel::editRequested);
        auto *attention = panel.findChildren<QComboBox *>().first();
        for (const bool focused : {false, true}) {
            if (focused) attention->setFocus();
            const QPoint centre = attention->rect().center();
            QWheelEvent wheel(centre, attention->mapToGlobal(centre), {}, {0, -120}, Qt::NoButton, Qt::NoModifier,
                              Qt::NoScrollPhase, false);
            QApplication::sendEvent(attention, &wheel);
            QVERIFY(!wheel.isAccepted());
            QCOMPARE(attention->currentIndex(), 0);
        }
        QVERIFY(edits.isEmpty());
        QVERIFY(!(attention->focusPolicy() & ~Qt::StrongFocus));
    }

    void foldingAsksAndProgressShows()
    {
        ViewState state;
        SoftwarePanel panel(&state);
        QSignalSpy unfolded(&panel, &SoftwarePanel::unfolded);
        QSignalSpy cancel(&panel, &SoftwarePanel::cancelRequested);
        panel.show();
        auto *head = panel.findChild<QToolButton *>();
        QTest::keyClick(head, Qt::Key_Space);
        QCOMPARE(unfolded.size(), 1);
        QVERIFY(panel.isUnfolded());
        auto *bar = panel.findChild<QProgressBar *>();
        QVERIFY(!bar->isVisible());
        panel.setProgress(250);
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->value(), 250);
        panel.findChild<QPushButton *>()->click();
        QCOMPARE(cancel.size(), 1);
        panel.setProgress(-1);
        QVERIFY(!bar->isVisible());
    }
};

QTEST_MAIN(TestSoftwarePanel)
#include "tst_software_panel.moc"
