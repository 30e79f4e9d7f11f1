// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "views/imports/import_dialog.h"
#include "views/imports/import_model.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

#include <string>

using namespace clusterbeat;

/// The report of an import as a table: every row's texts, filters, and values that ask for an edit.
class TestImportDialog : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void rowsAndOrigins();
    void aValueAsksForAnEdit();
    void valuesFollowTheDocument();
    void filters();
    void everythingIsReachable();

private:
    int rowOf(const ImportModel &model, const std::string &pointer) const;
    Imported m_imported;
    Catalogue m_catalogue;
};

void TestImportDialog::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = std::move(loaded).value();
    auto imported = importForeign("torchrun --nproc_per_node 8 pretrain_gpt.py --num-layers 24 --hidden-size 2048 --num-attention-heads 16 --seq-length 4096 "
                                  "--micro-batch-size 1 --global-batch-size 64 --bf16 --lr 1e-4 --delay-wgrad-compute --frobnicate", "run.sh", m_catalogue);
    QVERIFY(imported.ok());
    m_imported = std::move(imported).value();
}

int TestImportDialog::rowOf(const ImportModel &model, const std::string &pointer) const
{
    for (std::size_t i = 0; i < model.report().size(); ++i)
        if (model.report()[i].pointer == pointer) return static_cast<int>(i);
    return -1;
}

void TestImportDialog::rowsAndOrigins()
{
    ImportModel model(m_imported.report, m_imported.scenario);
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
    QCOMPARE(model.rowCount(), static_cast<int>(m_imported.report.size()));
    const int layers = rowOf(model, "/model/layers");
    QCOMPARE(model.index(layers, ImportModel::What).data().toString(), QStringLiteral("model › layers"));
    QCOMPARE(model.index(layers, ImportModel::Value).data().toString(), QStringLiteral("24"));
    QCOMPARE(model.index(layers, ImportModel::Origin).data().toString(), QStringLiteral("read"));
    QCOMPARE(model.index(layers, ImportModel::Key).data().toString(), QStringLiteral("--num-layers, line 1"));
    const int vocabulary = rowOf(model, "/model/vocab");
    QCOMPARE(model.index(vocabulary, ImportModel::Origin).data().toString(), QStringLiteral("assumed"));
    QVERIFY(!model.index(vocabulary, ImportModel::Reason).data().toString().isEmpty());
}

// A number stays a number, a word becomes a string; the same value asks for nothing; what sets nothing cannot be changed.
void TestImportDialog::aValueAsksForAnEdit()
{
    ImportModel model(m_imported.report, m_imported.scenario);
    QSignalSpy edits(&model, &ImportModel::editRequested);
    const QModelIndex sequence = model.index(rowOf(model, "/training/sequence_length"), ImportModel::Value);
    QVERIFY(sequence.flags() & Qt::ItemIsEditable);
    QVERIFY(model.setData(sequence, QStringLiteral(" 8192 "), Qt::EditRole));
    QVERIFY(!model.setData(sequence, QStringLiteral("4096"), Qt::EditRole));
    QVERIFY(model.setData(model.index(rowOf(model, "/training/precision"), ImportModel::Value), QStringLiteral("fp8"), Qt::EditRole));
    QCOMPARE(edits.count(), 2);
    const auto first = edits[0][0].value<ScenarioEdit>();
    QCOMPARE(first.pointer, QStringLiteral("/training/sequence_length"));
    QCOMPARE(first.json, QStringLiteral("8192"));
    QVERIFY(!first.label.isEmpty());
    QCOMPARE(edits[1][0].value<ScenarioEdit>().json, QStringLiteral("\"fp8\""));
    for (int row = 0; row < model.rowCount(); ++row) {
        const int origin = model.index(row, 0).data(ImportModel::OriginRole).toInt();
        if (origin > static_cast<int>(ImportOrigin::Assumed)) QVERIFY(!(model.index(row, ImportModel::Value).flags() & Qt::ItemIsEditable));
    }
}

void TestImportDialog::valuesFollowTheDocument()
{
    ImportDialog dialog(QStringLiteral("run.sh"), m_imported.report, m_imported.scenario);
    const auto shown = [&] {
        const QAbstractItemModel *model = dialog.table()->model();
        for (int row = 0; row < model->rowCount(); ++row)
            if (model->index(row, ImportModel::What).data().toString() == QStringLiteral("training › sequence_length")) return model->index(row, ImportModel::Value).data().toString();
        return QString();
    };
    QCOMPARE(shown(), QStringLiteral("4096"));
    Scenario changed = m_imported.scenario;
    TrainingSection training = *changed.training;
    training.sequenceLength = 16384;
    changed.training = std::make_shared<const TrainingSection>(training);
    dialog.setScenario(changed);
    QCOMPARE(shown(), QStringLiteral("16384"));
    dialog.setScenario(m_imported.scenario);
    QCOMPARE(shown(), QStringLiteral("4096"));
}

void TestImportDialog::filters()
{
    ImportDialog dialog(QStringLiteral("run.sh"), m_imported.report, m_imported.scenario);
    const QAbstractItemModel *model = dialog.table()->model();
    const int all = model->rowCount();
    auto *text = dialog.findChild<QLineEdit *>();
    auto *origin = dialog.findChild<QComboBox *>();
    QVERIFY(text && origin);
    text->setText(QStringLiteral("FROBNICATE"));
    QCOMPARE(model->rowCount(), 1);
    text->clear();
    QCOMPARE(model->rowCount(), all);
    int sum = 0;
    for (int i = 1; i < origin->count(); ++i) {
        origin->setCurrentIndex(i);
        sum += model->rowCount();
    }
    QCOMPARE(sum, all); // the origins add up
}

void TestImportDialog::everythingIsReachable()
{
    ImportDialog dialog(QStringLiteral("run.sh"), m_imported.report, m_imported.scenario);
    dialog.show();
    QVERIFY(!dialog.table()->accessibleName().isEmpty());
    QVERIFY(!dialog.findChild<QLineEdit *>()->accessibleName().isEmpty());
    QVERIFY(!dialog.findChild<QComboBox *>()->accessibleName().isEmpty());
    QVERIFY(dialog.table()->focusPolicy() & Qt::TabFocus);
    QVERIFY(dialog.table()->editTriggers() & QAbstractItemView::EditKeyPressed);
    QTest::keyClick(&dialog, Qt::Key_Escape);
    QVERIFY(!dialog.isVisible());
}

QTEST_MAIN(TestImportDialog)
#include "tst_import_dialog.moc"
