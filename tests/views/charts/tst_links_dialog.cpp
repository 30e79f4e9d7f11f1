// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/charts/link_model.h"
#include "views/charts/links_dialog.h"

#include <QSignalSpy>
#include <QTableView>
#include <QtTest>

using namespace clusterbeat;

namespace {

/// Two links over four quarters of an iteration of 2 s: a NIC that is fullest in the third, and one between switches.
std::shared_ptr<const LinkReport> reportOfTwo()
{
    auto report = std::make_shared<LinkReport>();
    report->bins = 4;
    LinkReport::Link nic;
    nic.name = "nic of pod.0/rack.2/server.1/gpu.5 out";
    nic.kind = "nic";
    nic.alike = 8;
    nic.gpu = 21;
    nic.usage.bytes = 3e9;
    nic.usage.byDimension[static_cast<std::size_t>(Dimension::Data)] = 3e9;
    nic.usage.mean = 0.25;
    nic.usage.peak = 0.75;
    nic.usage.overTime = {0.0, 0.25, 0.75, 0.0};
    LinkReport::Link spine = nic;
    spine.name = "leaf-spine pod.1/leaf.3 to pod.1/spine.2 up";
    spine.kind = "leaf-spine";
    spine.alike = 1;
    spine.gpu = 40;
    report->busiest = {nic, spine};
    LinkReport::Kind kind;
    kind.kind = "nic";
    kind.links = 64;
    kind.usage.mean = 0.05;
    kind.usage.peak = 0.75;
    report->kinds = {kind};
    return report;
}

QString plain(QString text) { return text.replace(QChar(0x00a0), QLatin1Char(' ')); }

} // namespace

class TestLinksDialog final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void linksAreNamed();
    void aRowShowsItsPlaceAndItsMoment();
    void nothingIsKnownYet();
};

void TestLinksDialog::linksAreNamed()
{
    LinkModel model;
    model.setReport(reportOfTwo(), 2 * kNsPerSecond);
    QCOMPARE(model.rowCount(), 2);
    const auto text = [&](int row, int column) { return plain(model.index(row, column).data().toString()); };
    QCOMPARE(text(0, LinkModel::Place), QStringLiteral("NIC of pod 0 / rack 2 / server 1 / GPU 5"));
    QCOMPARE(text(0, LinkModel::Direction), QStringLiteral("out"));
    QCOMPARE(text(0, LinkModel::Load), QStringLiteral("25.0 %"));
    QCOMPARE(text(0, LinkModel::Peak), QStringLiteral("75.0 %"));
    QCOMPARE(text(0, LinkModel::Bytes), QStringLiteral("3.00 GB"));
    QCOMPARE(text(0, LinkModel::Carries), QStringLiteral("DP"));
    QCOMPARE(text(0, LinkModel::Alike), QStringLiteral("8"));
    // the third quarter of 2 s begins at 1 s
    QCOMPARE(model.fullestAt(0), kNsPerSecond);
    QVERIFY(text(1, LinkModel::Place).contains(QStringLiteral("pod 1 / leaf switch 3")));
    QVERIFY(text(1, LinkModel::Place).contains(QStringLiteral("pod 1 / spine switch 2")));
    QCOMPARE(text(1, LinkModel::Direction), QStringLiteral("up"));
    QCOMPARE(plain(linkKindTexts(*reportOfTwo()).join(QStringLiteral("; "))), QStringLiteral("NIC 5.0 %, peak 75.0 %"));
}

void TestLinksDialog::aRowShowsItsPlaceAndItsMoment()
{
    ViewState state;
    state.setDuration(2 * kNsPerSecond);
    LinksDialog dialog(&state);
    dialog.setReport(reportOfTwo(), 2 * kNsPerSecond);
    dialog.show();
    const QSignalSpy places(&dialog, &LinksDialog::placeRequested);
    auto *table = dialog.findChild<QTableView *>();
    table->setFocus();
    table->selectRow(1);
    QCOMPARE(places.count(), 1);
    QCOMPARE(places.last().first().value<GpuIndex>(), 40);
    QCOMPARE(state.playhead(), 0);
    QTest::keyClick(table, Qt::Key_Up);
    QCOMPARE(places.last().first().value<GpuIndex>(), 21);
    QTest::keyClick(table, Qt::Key_Return);
    QCOMPARE(state.playhead(), kNsPerSecond);
}

void TestLinksDialog::nothingIsKnownYet()
{
    ViewState state;
    LinksDialog dialog(&state);
    dialog.setReport(nullptr, 0);
    QCOMPARE(dialog.findChild<QTableView *>()->model()->rowCount(), 0);
    dialog.setReport(reportOfTwo(), kNsPerSecond);
    dialog.setReport(nullptr, 0);
    QCOMPARE(dialog.findChild<QTableView *>()->model()->rowCount(), 0);
}

QTEST_MAIN(TestLinksDialog)
#include "tst_links_dialog.moc"
