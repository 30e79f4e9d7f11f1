// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/validation_page.h"

#include <QAbstractItemModelTester>
#include <QCheckBox>
#include <QComboBox>
#include <QGraphicsView>
#include <QLineEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <set>

using namespace clusterbeat;

namespace {

ValidatedRow row(const std::string &id, const std::string &tier, const std::string &accelerator, bool moe, double measured, double error)
{
    ValidatedRow r;
    r.id = id;
    r.model = "model " + id;
    r.source = "paper " + tier;
    r.tier = tier;
    r.accelerator = accelerator;
    r.moe = moe;
    r.gpus = 64;
    r.measuredS = measured;
    r.predictedS = measured * (1.0 + error);
    r.timeError = error;
    if (std::abs(error) > toleranceOfTier(tier)) r.reasons = {{RangeReason::TokenDrop, {}}, {RangeReason::LargeScale, {std::int64_t{64}}}};
    return r;
}

/// Errors 2 %, -4 % (tier A, dense), +20 % (tier B, experts), and a row that is refused.
std::vector<ValidatedRow> fourRows()
{
    std::vector<ValidatedRow> rows{row("one", "A", "H100", false, 10.0, 0.02), row("two", "A", "A100", false, 1.0, -0.04),
                                   row("three", "B", "H100", true, 100.0, 0.20)};
    ValidatedRow refused;
    refused.id = refused.model = "four";
    refused.tier.assign(1, 'B');
    refused.refused = Error{ErrorCode::MissingKey, {}, {std::string("layers")}};
    rows.push_back(refused);
    return rows;
}

} // namespace

class TestValidationPage : public QObject {
    Q_OBJECT
    ViewState m_state;
    std::unique_ptr<ValidationPage> m_page;

    [[nodiscard]] QString cell(int line, int column) const
    {
        return m_page->filter()->index(line, column).data().toString();
    }
    [[nodiscard]] QStringList ids() const
    {
        QStringList list;
        for (const ValidatedRow &each : m_page->filter()->shownRows()) list << QString::fromStdString(each.id);
        list.sort();
        return list;
    }
    template <typename W> [[nodiscard]] W *named(const char *accessibleName) const
    {
        for (W *widget : m_page->findChildren<W *>())
            if (widget->accessibleName() == QLatin1String(accessibleName)) return widget;
        return nullptr;
    }
    [[nodiscard]] QGraphicsView *chart() const { return m_page->findChild<QGraphicsView *>(QStringLiteral("validationChart")); }

private Q_SLOTS:
    void init()
    {
        m_page = std::make_unique<ValidationPage>(&m_state);
        m_page->resize(1400, 800);
        m_page->show();
        m_page->begin();
        m_page->append(fourRows());
        m_page->finish(false);
        QCoreApplication::sendPostedEvents();
    }
    void cleanup() { m_page.reset(); }

    void modelsKeepTheContract()
    {
        const QAbstractItemModelTester model(m_page->model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester filter(m_page->filter(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        m_page->append({row("five", "C", "B200", true, 5.0, 0.1)});
        m_page->filter()->setConditions({{}, QStringLiteral("B200"), {}, {}, false, {}});
        QCOMPARE(ids(), QStringList{QStringLiteral("five")});
        m_page->begin();
        QCOMPARE(m_page->filter()->rowCount(), 0);
    }

    // The worst first; sorting is by number: 1 s before 10 s before 100 s.
    void sortsByNumber()
    {
        QCOMPARE(cell(0, ValidationModel::Model), QStringLiteral("model three"));
        m_page->table()->sortByColumn(ValidationModel::Measured, Qt::AscendingOrder);
        QCOMPARE(cell(0, ValidationModel::Model), QStringLiteral("model two"));
        QCOMPARE(cell(1, ValidationModel::Model), QStringLiteral("model one"));
        QCOMPARE(cell(2, ValidationModel::Model), QStringLiteral("model three"));
        QCOMPARE(cell(3, ValidationModel::Measured), QStringLiteral("–"));
    }

    void filtersTogether()
    {
        QComboBox *accelerator = named<QComboBox>("Accelerator"), *kind = named<QComboBox>("Kind of model");
        accelerator->setCurrentIndex(accelerator->findData(QStringLiteral("H100")));
        QCOMPARE(ids(), (QStringList{QStringLiteral("one"), QStringLiteral("three")}));
        kind->setCurrentIndex(kind->findData(QStringLiteral("moe")));
        QCOMPARE(ids(), QStringList{QStringLiteral("three")});
        named<QPushButton>("Clear every filter")->click();
        QCOMPARE(ids().size(), 4);
        QComboBox *tier = named<QComboBox>("Tier");
        tier->setCurrentIndex(tier->findData(QStringLiteral("A")));
        QCOMPARE(ids(), (QStringList{QStringLiteral("one"), QStringLiteral("two")}));
        // Mean of 2 and 4 %.
        QVERIFY2(m_page->summary().contains(QStringLiteral("tier A 3.0")), qPrintable(m_page->summary()));
        named<QLineEdit>("Filter by model, source or id")->setText(QStringLiteral("PAPER two"));
        QCOMPARE(ids(), QStringList{QStringLiteral("two")});
        named<QPushButton>("Clear every filter")->click();
        m_page->findChild<QCheckBox *>()->setChecked(true);
        QCOMPARE(ids(), QStringList{QStringLiteral("three")});
        QVERIFY(m_page->summary().contains(QStringLiteral("1 out of range")));
    }

    // A row chosen in the table or in the plot is chosen in both, and told in full below.
    void selectionIsShared()
    {
        QTableView *table = m_page->table();
        for (int line = 0; line < 4; ++line) {
            table->selectRow(line);
            QCOMPARE(m_page->selectedId(), QString::fromStdString(m_page->filter()->shownRows()[static_cast<std::size_t>(line)].id));
        }
        chart()->setFocus();
        QTest::keyClick(chart(), Qt::Key_Home);
        QCOMPARE(m_page->selectedId(), QStringLiteral("two"));
        QTest::keyClick(chart(), Qt::Key_Right);
        QCOMPARE(m_page->selectedId(), QStringLiteral("one"));
        QVERIFY(chart()->accessibleDescription().contains(QStringLiteral("model one")));
        QTest::keyClick(chart(), Qt::Key_End);
        QCOMPARE(m_page->selectedId(), QStringLiteral("three"));
        QCOMPARE(table->currentIndex().data().toString(), QStringLiteral("model three"));
        // A filter that keeps the chosen row keeps it chosen.
        m_page->findChild<QCheckBox *>()->setChecked(true);
        QCOMPARE(m_page->selectedId(), QStringLiteral("three"));
    }

    // Every mark can be clicked: a click on a raster of 6 px reaches the three rows that have one, and no other.
    void marksAreClicked()
    {
        std::set<QString> reached;
        QWidget *viewport = chart()->viewport();
        for (int y = 3; y < viewport->height(); y += 6)
            for (int x = 3; x < viewport->width(); x += 6) {
                m_page->table()->clearSelection();
                m_page->table()->setCurrentIndex({});
                QTest::mouseClick(viewport, Qt::LeftButton, Qt::NoModifier, QPoint(x, y));
                if (!m_page->selectedId().isEmpty()) reached.insert(m_page->selectedId());
            }
        QCOMPARE(reached, (std::set<QString>{QStringLiteral("one"), QStringLiteral("three"), QStringLiteral("two")}));
    }

    // Enter in the table or the plot and the button ask for the row; a refused row cannot be opened.
    void opensARow()
    {
        QSignalSpy open(m_page.get(), &ValidationPage::openRequested);
        chart()->setFocus();
        QTest::keyClick(chart(), Qt::Key_End);
        QTest::keyClick(chart(), Qt::Key_Return);
        QCOMPARE(open.takeFirst().at(0).toString(), QStringLiteral("three"));
        QPushButton *button = nullptr;
        for (QPushButton *each : m_page->findChildren<QPushButton *>())
            if (each->text() == QLatin1String("Open as Scenario")) button = each;
        button->click();
        QCOMPARE(open.takeFirst().at(0).toString(), QStringLiteral("three"));
        for (int line = 0; line < 4; ++line)
            if (cell(line, ValidationModel::Model) == QLatin1String("four")) m_page->table()->selectRow(line);
        QVERIFY(!button->isEnabled());
    }

    // Tab goes from the filters over the plot and its button to the table and on; the table does not keep it.
    void tabVisitsEverything()
    {
        m_page->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(m_page.get()));
        named<QLineEdit>("Filter by model, source or id")->setFocus();
        QStringList visited;
        for (int i = 0; i < 10; ++i) {
            QTest::keyClick(QApplication::focusWidget(), Qt::Key_Tab);
            visited << QApplication::focusWidget()->accessibleName();
        }
        QCOMPARE(visited.mid(0, 4), (QStringList{QStringLiteral("Tier"), QStringLiteral("Kind of model"),
                                                 QStringLiteral("Accelerator"), QStringLiteral("Source")}));
        QCOMPARE(visited[5], QStringLiteral("Predicted against measured time"));
        QCOMPARE(visited[7], QStringLiteral("Why out of range"));
        QCOMPARE(visited[8], QStringLiteral("Published runs"));
        QCOMPARE(QApplication::focusWidget()->property("text").toString(), QStringLiteral("Compute Again"));
    }

    void progressAndCancel()
    {
        QSignalSpy cancel(m_page.get(), &ValidationPage::cancelRequested), again(m_page.get(), &ValidationPage::computeRequested);
        auto *bar = m_page->findChild<QProgressBar *>();
        QVERIFY(bar->isHidden());
        m_page->begin();
        m_page->append({row("one", "A", "H100", false, 10.0, 0.02)});
        m_page->setProgress(1, 348);
        QVERIFY(bar->isVisible());
        QCOMPARE(bar->maximum(), 348);
        const auto button = [&](const char *text) -> QPushButton * {
            for (QPushButton *each : m_page->findChildren<QPushButton *>())
                if (each->text() == QLatin1String(text) && each->isVisible()) return each;
            return nullptr;
        };
        button("Cancel")->click();
        QCOMPARE(cancel.size(), 1);
        m_page->finish(true);
        QVERIFY(bar->isHidden());
        QVERIFY(m_page->summary().contains(QStringLiteral("cancelled")));
        button("Compute Again")->click();
        QCOMPARE(again.size(), 1);
    }
};

QTEST_MAIN(TestValidationPage)
#include "tst_validation_page.moc"
