// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/search_controller.h"
#include "app/document/document.h"
#include "views/charts/search_dialog.h"
#include "views/charts/search_model.h"

#include <QCheckBox>
#include <QFloat16>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QUndoStack>

using namespace clusterbeat;

class TestSearchWindow final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        auto loaded = loadCatalogue();
        QVERIFY(loaded.ok());
        m_catalogue = std::make_shared<const Catalogue>(std::move(loaded).value());
    }

    // The list is ranked, each layout once, the first is the fastest that fits; taking one is one undo step that gives
    // exactly that layout, and undo brings the run back.
    void aFoundLayoutIsTakenAsOneStep()
    {
        Document document(m_catalogue);
        QVERIFY(!document.open(QStringLiteral("preset:llama3-8b-64")));
        ViewState state;
        QWidget window;
        SearchController search(&document, &state, &window);
        // A part of the space is enough, and quick: without recompute, micro-batch and schedule as they are.
        for (QCheckBox *box : search.dialog()->findChildren<QCheckBox *>()) box->setChecked(!box->isChecked());
        search.show();
        auto *table = search.dialog()->findChild<QTableView *>();
        auto *model = search.dialog()->findChild<SearchModel *>();
        QTRY_VERIFY_WITH_TIMEOUT(model->rowCount() > 1, 60'000);
        TimeNs last = 0;
        for (int row = 0; row < model->rowCount(); ++row) {
            const FoundLayout *found = model->layoutAt(row);
            for (int other = 0; other < row; ++other) QVERIFY(!(model->layoutAt(other)->choice == found->choice));
            for (int column = 0; column < model->columnCount(); ++column)
                QVERIFY(!model->index(row, column).data().toString().isEmpty());
            if (row >= 2 || found->detail.memory.total() > found->detail.capacity) continue;
            QVERIFY(found->detail.iteration >= last);
            last = found->detail.iteration;
        }
        QCOMPARE(model->layoutAt(0)->reason.kind, LossReason::Kind::Best);
        QCOMPARE(table->currentIndex().row(), 0);
        const Scenario before = document.scenario();
        const LayoutChoice choice = model->layoutAt(1)->choice;
        table->selectRow(1);
        QTest::keyClick(table, Qt::Key_Return);
        QCOMPARE(document.undoStack()->count(), 1);
        QCOMPARE(document.scenario().layout->tensor, choice.tensor);
        QCOMPARE(document.scenario().layout->pipeline, choice.pipeline);
        QCOMPARE(document.scenario().training->microBatch, choice.microBatch);
        QCOMPARE(document.scenario().training->globalBatch, before.training->globalBatch);
        document.undoStack()->undo();
        QVERIFY(sameContent(document.scenario(), before));
    }

    // What is restricted is not searched; closing the dialog ends the work.
    void optionsRestrictAndClosingCancels()
    {
        ViewState state;
        SearchDialog dialog(&state);
        const CandidateSpace all = dialog.space(2, ScheduleKind::OneFOneB);
        QVERIFY(all.schedules.size() > 1 && all.recompute.size() > 1 && all.largestMicroBatch > 2);
        for (QCheckBox *box : dialog.findChildren<QCheckBox *>()) box->setChecked(!box->isChecked());
        const CandidateSpace few = dialog.space(2, ScheduleKind::OneFOneB);
        QCOMPARE(few.schedules, std::vector<ScheduleKind>{ScheduleKind::OneFOneB});
        QCOMPARE(few.recompute, std::vector<RecomputeMode>{RecomputeMode::None});
        QVERIFY(few.recomputeQuarters.empty());
        QCOMPARE(few.largestMicroBatch, 2);
        QSignalSpy cancels(&dialog, &SearchDialog::cancelRequested);
        dialog.show();
        dialog.close();
        QCOMPARE(cancels.size(), 1);
    }

private:
    std::shared_ptr<const Catalogue> m_catalogue;
};

QTEST_MAIN(TestSearchWindow)
#include "tst_search_window.moc"
