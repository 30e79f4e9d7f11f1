// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/dependencies.h"
#include "model/layout/schedule.h"

#include <QtTest>

#include <set>
#include <tuple>

using namespace clusterbeat;

namespace {

/// "F0 F1 B0" or, with chunks, "F0.1" = forward of micro-batch 0, chunk 1.
QString text(const PipelineSchedule &schedule, int stage)
{
    QStringList words;
    for (const ScheduledOperation &operation : schedule.order[static_cast<std::size_t>(stage)]) {
        QString word = QString::fromLatin1(operation.kind == OperationKind::Forward ? "F%1" : "B%1").arg(operation.microBatch);
        if (schedule.chunks > 1) word += QStringLiteral(".%1").arg(operation.chunk);
        words << word;
    }
    return words.join(QLatin1Char(' '));
}

} // namespace

class TestSchedule : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ordersByHand();
    void everyOrderIsCompleteAndExecutable();
    void liveActivations();
};

void TestSchedule::ordersByHand()
{
    // 1F1B (Narayanan et al. 2021, figure 4 top): stage s warms up with p-1-s forwards.
    const PipelineSchedule oneF = makeSchedule(ScheduleKind::OneFOneB, 3, 1, 4);
    QCOMPARE(text(oneF, 0), QStringLiteral("F0 F1 F2 B0 F3 B1 B2 B3"));
    QCOMPARE(text(oneF, 1), QStringLiteral("F0 F1 B0 F2 B1 F3 B2 B3"));
    QCOMPARE(text(oneF, 2), QStringLiteral("F0 B0 F1 B1 F2 B2 F3 B3"));
    // GPipe (Huang et al. 2019): all forwards, then all backwards.
    QCOMPARE(text(makeSchedule(ScheduleKind::GPipe, 2, 1, 3), 1), QStringLiteral("F0 F1 F2 B0 B1 B2"));
    // Interleaved, p = 2, v = 2, m = 4: groups of 2 micro-batches; stage 0 warms up with 2(p-1) + (v-1)p = 4 forwards,
    // stage 1 with 2. Backwards take chunk 1 first.
    const PipelineSchedule interleaved = makeSchedule(ScheduleKind::Interleaved, 2, 2, 4);
    QCOMPARE(text(interleaved, 0), QStringLiteral("F0.0 F1.0 F0.1 F1.1 F2.0 B0.1 F3.0 B1.1 F2.1 B0.0 F3.1 B1.0 B2.1 B3.1 B2.0 B3.0"));
    QCOMPARE(text(interleaved, 1), QStringLiteral("F0.0 F1.0 F0.1 B0.1 F1.1 B1.1 F2.0 B0.0 F3.0 B1.0 F2.1 B2.1 F3.1 B3.1 B2.0 B3.0"));
}

void TestSchedule::everyOrderIsCompleteAndExecutable()
{
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Interleaved}) {
        for (int p = 1; p <= 5; ++p) {
            for (int v = 1; v <= (kind == ScheduleKind::OneFOneB ? 1 : 3); ++v) {
                for (int m = 1; m <= 11; ++m) {
                    const PipelineSchedule schedule = makeSchedule(kind, p, v, m);
                    const Dependencies dependencies = dependenciesOf(schedule);
                    QVERIFY2(dependencies.executable(), qPrintable(QStringLiteral("p=%1 v=%2 m=%3").arg(p).arg(v).arg(m)));
                    for (const auto &order : schedule.order) {
                        std::set<std::tuple<int, int, int>> seen;
                        for (const ScheduledOperation &o : order)
                            seen.insert({static_cast<int>(o.kind), o.chunk, o.microBatch});
                        QCOMPARE(order.size(), static_cast<std::size_t>(2 * v * m));
                        QCOMPARE(seen.size(), order.size());
                    }
                }
            }
        }
    }
}

void TestSchedule::liveActivations()
{
    // 1F1B keeps min(m, p-s) (Narayanan et al. 2021); GPipe m.
    QCOMPARE(peakLiveActivations(makeSchedule(ScheduleKind::OneFOneB, 4, 1, 8)), (std::vector<std::int32_t>{4, 3, 2, 1}));
    QCOMPARE(peakLiveActivations(makeSchedule(ScheduleKind::OneFOneB, 4, 1, 2)), (std::vector<std::int32_t>{2, 2, 2, 1}));
    QCOMPARE(peakLiveActivations(makeSchedule(ScheduleKind::GPipe, 4, 1, 8)), (std::vector<std::int32_t>{8, 8, 8, 8}));
    // Interleaved, first rank: p(1 + (p-1)/(pv)) stage equivalents of v chunks = pv + p - 1 chunks (Korthikanti et al.
    // 2022, section 4.2.3): p = 4, v = 2: 11.
    QCOMPARE(peakLiveActivations(makeSchedule(ScheduleKind::Interleaved, 4, 2, 16)).front(), 11);
}

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
