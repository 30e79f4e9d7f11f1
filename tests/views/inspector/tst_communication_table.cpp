// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/inspector/communication_table.h"
#include "views/text/communication_text.h"

#include <QtTest>

#include <cstdint>
#include <utility>

using namespace clusterbeat;

namespace {

std::int64_t thousandths(const CommunicationModel &model, int column, CommunicationModel::Row row)
{
    const QString text = model.data(model.index(row, column), Qt::DisplayRole).toString();
    return static_cast<std::int64_t>(QLocale().toDouble(text) * 1000.0 + 0.5);
}

} // namespace

class TestCommunicationTable final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void columnsAndRowsAddUpAsPrinted();
    void everyRowSaysWhatItIs();
    void wordsOfASpan();
};

// 1.0004 + 0.5003 + 0.2504 = 1.7511: parts printed as 1.000, 0.500 and 0.251 or 0.250 must give the busy time printed.
void TestCommunicationTable::columnsAndRowsAddUpAsPrinted()
{
    DimensionTimes times{};
    times[static_cast<std::size_t>(Dimension::Tensor)] = {1.7511, 1.0004, 0.5003, 0.2504, 0.2, 1.5511, 0.1};
    times[static_cast<std::size_t>(Dimension::Data)] = {0.0016, 0.0004, 0.0006, 0.0006, 0.0004, 0.0012, 0.0};
    CommunicationModel model;
    model.setTimes(sampleResult({}), times);
    QCOMPARE(model.columnCount(), 3);
    QCOMPARE(model.rowCount(), int(CommunicationModel::RowCount));
    using M = CommunicationModel;
    for (int column = 0; column < model.columnCount(); ++column) {
        QCOMPARE(thousandths(model, column, M::Hidden) + thousandths(model, column, M::Exposed) + thousandths(model, column, M::Idle),
                 thousandths(model, column, M::Busy));
        QCOMPARE(thousandths(model, column, M::Startup) + thousandths(model, column, M::Transfer), thousandths(model, column, M::Busy));
    }
    for (const M::Row row : {M::Busy, M::Hidden, M::Exposed, M::Idle, M::Startup, M::Transfer, M::PeerWait})
        QCOMPARE(thousandths(model, 0, row) + thousandths(model, 1, row), thousandths(model, 2, row));
    QCOMPARE(thousandths(model, 0, M::Busy), std::int64_t{1751});
    QCOMPARE(thousandths(model, 0, M::Hidden), std::int64_t{1000});
}

void TestCommunicationTable::everyRowSaysWhatItIs()
{
    DimensionTimes times{};
    times[static_cast<std::size_t>(Dimension::Pipeline)] = {1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0};
    CommunicationModel model;
    model.setTimes(sampleResult({}), times);
    for (int row = 0; row < model.rowCount(); ++row) {
        QVERIFY(!model.headerData(row, Qt::Vertical, Qt::DisplayRole).toString().isEmpty());
        QVERIFY(!model.headerData(row, Qt::Vertical, Qt::ToolTipRole).toString().isEmpty());
    }
    QCOMPARE(model.headerData(0, Qt::Horizontal, Qt::DisplayRole).toString(), QStringLiteral("PP"));
    QVERIFY(model.data(model.index(0, 0), Qt::AccessibleTextRole).toString().contains(QStringLiteral("1.000")));
    model.setTimes(nullptr, {});
    QCOMPARE(model.rowCount(), 0);
}

void TestCommunicationTable::wordsOfASpan()
{
    const auto result = sampleResult({});
    const CommunicationAccount account(*result);
    bool reduced = false, sent = false;
    for (const CommunicationSpan &span : communicationOfGroup(result->run, 0, 0)) {
        const QString title = communicationTitle(span, *result, QLocale::c());
        const QStringList details = communicationDetails(span, 0, 0, 0, account, *result, QLocale::c());
        QVERIFY(details.size() >= 2 && details[1].contains(QLatin1Char('%')));
        if (span.kind == CommunicationKind::GradientReduce) reduced = title.startsWith(QStringLiteral("Gradient ")) && details[1].contains(QStringLiteral("exposed"));
        if (span.kind == CommunicationKind::SendForward) sent = details[1].contains(QStringLiteral("receiver"));
    }
    QVERIFY(reduced && sent);
}

QTEST_MAIN(TestCommunicationTable)
#include "tst_communication_table.moc"
