// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/layout/dependencies.h"
#include "model/layout/schedule.h"
#include "tests/model/layout/schedule_measures.h"

#include <QtTest>

#include <algorithm>
#include <set>
#include <tuple>

using namespace clusterbeat;
using clusterbeat::test::bubbleOf;
using clusterbeat::test::highestPeak;

namespace {

constexpr const char *kLetters[] = {"F", "B", "I", "W"};

/// "F0 F1 B0" or, with chunks, "F0.1" = forward of micro-batch 0, chunk 1.
QString text(const PipelineSchedule &schedule, int stage)
{
    QStringList words;
    for (const ScheduledOperation &operation : schedule.order[static_cast<std::size_t>(stage)]) {
        QString word = QString::fromLatin1(kLetters[std::size_t(operation.kind)]) + QString::number(operation.microBatch);
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
    void unsplitBubbles();
    void groupsOfAnySize();
    void zeroBubbleOrdersByHand();
    void zeroBubbleClosedForms();
    void dualPipeVMatchesThePublishedOrder();
    void dualPipeOrderByHand();
    void dualPipeClosedForms();
    void searchedOrders();
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
    for (const ScheduleKind kind : {ScheduleKind::GPipe, ScheduleKind::OneFOneB, ScheduleKind::Interleaved, ScheduleKind::ZbH1, ScheduleKind::ZbH2,
                                    ScheduleKind::ZbV, ScheduleKind::ZbAuto, ScheduleKind::DualPipe, ScheduleKind::DualPipeV}) {
        for (int p = 1; p <= 5; ++p) {
            if (kind == ScheduleKind::DualPipe && p % 2 == 1) continue;
            const int fixed = prescribedChunks(kind).value_or(0), fewest = fewestMicroBatches(kind, p);
            for (int v = fixed ? fixed : 1; v <= (fixed ? fixed : 3); ++v) {
                for (int m = fewest; m <= fewest + 10; m += kind == ScheduleKind::DualPipe ? 2 : 1) {
                    const PipelineSchedule schedule = makeSchedule(kind, p, v, m);
                    const Dependencies dependencies = dependenciesOf(schedule);
                    QVERIFY2(dependencies.executable(), qPrintable(QStringLiteral("p=%1 v=%2 m=%3").arg(p).arg(v).arg(m)));
                    for (const auto &order : schedule.order) {
                        std::set<std::tuple<int, int, int>> seen;
                        for (const ScheduledOperation &o : order)
                            seen.insert({static_cast<int>(o.kind), o.chunk, o.microBatch});
                        QCOMPARE(seen.size(), order.size());
                        // Every micro-batch of a chunk: one forward, and one full backward or one of each half.
                        const int per = schedule.microBatchesPerChunk();
                        for (int chunk = 0; chunk < v; ++chunk) {
                            for (int mb = 0; mb < per; ++mb) {
                                const auto has = [&](OperationKind k) { return seen.count({static_cast<int>(k), chunk, mb}) == 1; };
                                QVERIFY(has(OperationKind::Forward));
                                QVERIFY(has(OperationKind::Backward) != has(OperationKind::InputGradient));
                                QCOMPARE(has(OperationKind::InputGradient), has(OperationKind::WeightGradient));
                            }
                        }
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
    // 2022, section 4.2.3): p = 4, v = 2: 11. Each rank further on warms up with two fewer: 9, 7, 5.
    QCOMPARE(peakLiveActivations(makeSchedule(ScheduleKind::Interleaved, 4, 2, 16)), (std::vector<std::int32_t>{11, 9, 7, 5}));
}

void TestSchedule::unsplitBubbles()
{
    // GPipe and 1F1B lose (p-1)(F+B), interleaving a v-th of it in units of a whole stage (Narayanan et al. 2021, section
    // 2.2): with chunk times F, B it is (p-1)(F+B).
    for (const int p : {2, 4, 8}) {
        QCOMPARE(bubbleOf(makeSchedule(ScheduleKind::GPipe, p, 1, 3 * p), 10, 12, 8).fromStart, TimeNs{p - 1} * 30);
        QCOMPARE(bubbleOf(makeSchedule(ScheduleKind::OneFOneB, p, 1, 3 * p), 10, 12, 8).fromStart, TimeNs{p - 1} * 30);
        for (const int v : {2, 3})
            QCOMPARE(bubbleOf(makeSchedule(ScheduleKind::Interleaved, p, v, 3 * p), 10, 12, 8).fromStart, TimeNs{p - 1} * 30);
    }
}

void TestSchedule::groupsOfAnySize()
{
    const auto groups = [](int p, int v, int m, int n) {
        ScheduleHints hints;
        hints.microBatchGroup = n;
        return makeSchedule(ScheduleKind::Interleaved, p, v, m, hints);
    };
    // p = 2, v = 2, groups of N = 3: stage 0 warms up with 2(p-1) + (v-1)N = 5 forwards.
    QCOMPARE(text(groups(2, 2, 6, 3), 0), QStringLiteral("F0.0 F1.0 F2.0 F0.1 F1.1 F2.1 B0.1 F3.0 B1.1 F4.0 B2.1 F5.0 B0.0 F3.1 B1.0 F4.1 B2.0 F5.1 B3.1 "
                                                         "B4.1 B5.1 B3.0 B4.0 B5.0"));
    // N = p is Megatron's order, N = m runs each chunk for all micro-batches (breadth first) as far as the warm-up goes.
    QVERIFY(groups(4, 2, 12, 4).order == makeSchedule(ScheduleKind::Interleaved, 4, 2, 12).order);
    // Figure 6 of Grattafiori et al. 2024: p = 4, v = 2, N = 5, M = 10. Rank r warms up with 2(p-1-r) + (v-1)N forwards
    // and holds one more; the bubble does not depend on N: (p-1)(F+B) of a chunk.
    QCOMPARE(peakLiveActivations(groups(4, 2, 10, 5)), (std::vector<std::int32_t>{12, 10, 8, 6}));
    for (const auto &[p, v, m, n] : {std::tuple{4, 2, 10, 5}, std::tuple{4, 2, 12, 6}, std::tuple{4, 3, 24, 8}, std::tuple{8, 2, 24, 12}}) {
        const PipelineSchedule schedule = groups(p, v, m, n);
        for (int rank = 0; rank < p; ++rank)
            QCOMPARE(peakLiveActivations(schedule)[std::size_t(rank)], std::min(v * m, 2 * (p - 1 - rank) + (v - 1) * n + 1));
        QCOMPARE(bubbleOf(schedule, 10, 12, 8).fromStart, TimeNs{p - 1} * 30);
    }
    // Below p a rank would wait for its own later operations; fewer micro-batches than stages are one group.
    QVERIFY(!groupExecutable(8, 2, 16, 4));
    QVERIFY(groupExecutable(8, 2, 5, 5));
    QVERIFY(groupExecutable(8, 2, 24, 12));
    // Groups of at least p, the last one too, run: what resolve() takes for granted.
    for (int p = 2; p <= 9; ++p)
        for (int v = 2; v <= 4; ++v)
            for (int n = p; n <= 2 * p + 1; ++n)
                for (int m = n; m <= 3 * n; ++m)
                    if (m % n == 0 || m % n >= p) QVERIFY2(groupExecutable(p, v, m, n), qPrintable(QStringLiteral("%1 %2 %3 %4").arg(p).arg(v).arg(m).arg(n)));
}

void TestSchedule::zeroBubbleOrdersByHand()
{
    // ZB-H1 (Qi et al. 2023, figure 3), p = 4: the first stage follows every input gradient with its weight gradient,
    // stage s lets them lag by s, so that all hold p activations.
    const PipelineSchedule h1 = makeSchedule(ScheduleKind::ZbH1, 4, 1, 6);
    QCOMPARE(text(h1, 0), QStringLiteral("F0 F1 F2 F3 I0 W0 F4 I1 W1 F5 I2 W2 I3 W3 I4 W4 I5 W5"));
    QCOMPARE(text(h1, 3), QStringLiteral("F0 I0 F1 I1 F2 I2 F3 I3 W0 F4 I4 W1 F5 I5 W2 W3 W4 W5"));
    QCOMPARE(peakLiveActivations(h1), (std::vector<std::int32_t>{4, 4, 4, 4}));
    // ZB-H2 (figure 3, below): stage s runs 2(p-1-s) + 1 forwards first, W lags by 2s; 2p-1 activations on every stage.
    const PipelineSchedule h2 = makeSchedule(ScheduleKind::ZbH2, 4, 1, 8);
    QCOMPARE(text(h2, 0), QStringLiteral("F0 F1 F2 F3 F4 F5 F6 I0 W0 F7 I1 W1 I2 W2 I3 W3 I4 W4 I5 W5 I6 W6 I7 W7"));
    QCOMPARE(text(h2, 3), QStringLiteral("F0 I0 F1 I1 F2 I2 F3 I3 F4 I4 F5 I5 F6 I6 W0 F7 I7 W1 W2 W3 W4 W5 W6 W7"));
    // ZB-V (section 6), p = 2, m = 4: 2(p-s) - 1 forwards down, s times one up and one down, p-s times F I W of the way up;
    // then F I W of either way in turn, and what is left. The first rank's last chunk comes back after both ranks.
    const PipelineSchedule v = makeSchedule(ScheduleKind::ZbV, 2, 2, 4);
    QCOMPARE(text(v, 0), QStringLiteral("F0.0 F1.0 F2.0 F0.1 I0.1 W0.1 F1.1 I1.1 W1.1 F3.0 I0.0 W0.0 F2.1 I2.1 W2.1 I1.0 W1.0 F3.1 I3.1 W3.1 "
                                        "I2.0 W2.0 I3.0 W3.0"));
    QCOMPARE(text(v, 1), QStringLiteral("F0.0 F0.1 F1.0 F1.1 I0.1 W0.1 F2.0 I0.0 W0.0 F2.1 I1.1 W1.1 F3.0 I1.0 W1.0 F3.1 I2.1 W2.1 "
                                        "I2.0 I3.1 I3.0 W2.0 W3.1 W3.0"));
    QCOMPARE(peakLiveActivations(v), (std::vector<std::int32_t>{4, 4}));
    QCOMPARE(peakLiveActivations(makeSchedule(ScheduleKind::ZbH2, 4, 1, 12)), (std::vector<std::int32_t>{7, 7, 7, 7}));
}

void TestSchedule::zeroBubbleClosedForms()
{
    // Qi et al. 2023, table 2: 1F1B (p-1)(F+B+W), ZB-H1 (p-1)(F+B-W), ZB-H2 (p-1)(F+B-2W), each rank from its first
    // to its last operation.
    for (const int p : {2, 4, 8}) {
        for (const auto &[f, b, w] : {std::tuple{10, 10, 10}, std::tuple{10, 12, 8}, std::tuple{11, 12, 10}}) {
            QCOMPARE(bubbleOf(makeSchedule(ScheduleKind::OneFOneB, p, 1, 4 * p), f, b, w).fromStart, TimeNs{p - 1} * (f + b + w));
            QCOMPARE(bubbleOf(makeSchedule(ScheduleKind::ZbH1, p, 1, 4 * p), f, b, w).ownWindow, TimeNs{p - 1} * (f + b - w));
            QCOMPARE(bubbleOf(makeSchedule(ScheduleKind::ZbH2, p, 1, 4 * p), f, b, w).ownWindow, TimeNs{p - 1} * (f + b - 2 * w));
        }
    }
}

void TestSchedule::dualPipeVMatchesThePublishedOrder()
{
    // PyTorch's pipelining artifact for DualPipeV on 4 ranks with 10 micro-batches (overlapped pairs written one after
    // the other, forward first): ranks 0 and 3.
    const PipelineSchedule v = makeSchedule(ScheduleKind::DualPipeV, 4, 2, 10);
    QCOMPARE(text(v, 0), QStringLiteral("F0.0 F1.0 F2.0 F3.0 F4.0 F5.0 F6.0 F0.1 I0.1 W0.1 F1.1 I1.1 W1.1 F2.1 I2.1 W2.1 F3.1 F7.0 B3.1 F4.1 B0.0 "
                                        "F8.0 B4.1 F5.1 B1.0 F9.0 B5.1 F6.1 B2.0 B6.1 F7.1 B3.0 B7.1 F8.1 B4.0 B8.1 F9.1 B5.0 B9.1 "
                                        "I6.0 W6.0 I7.0 W7.0 I8.0 W8.0 I9.0 W9.0"));
    QCOMPARE(text(v, 3), QStringLiteral("F0.0 F0.1 F1.0 F1.1 F2.0 F2.1 F3.0 F3.1 F4.0 B0.1 F4.1 B0.0 F5.0 B1.1 F5.1 B1.0 F6.0 B2.1 F6.1 B2.0 "
                                        "F7.0 B3.1 F7.1 B3.0 F8.0 B4.1 F8.1 B4.0 F9.0 B5.1 F9.1 B5.0 B6.1 B6.0 B7.1 B7.0 I8.1 I8.0 I9.1 I9.0 "
                                        "W8.1 W8.0 W9.1 W9.0"));
    // All times 1 (full backward 2): bubble 6, at most 9 chunk activations (2p+1).
    QCOMPARE(bubbleOf(v, 1, 1, 1).fromStart, TimeNs{6});
    QCOMPARE(highestPeak(v), 9);
}

void TestSchedule::dualPipeOrderByHand()
{
    // DeepSeek-AI 2024, figure 5, with p = 4 and m = 8 (4 each way): the first rank runs p/2 - 1 = 1 pair of forwards of its
    // own way, one of both ways, one I W F of the other way; then forwards over backwards, the last backwards, those from
    // the middle on split. The last rank is its mirror image.
    const PipelineSchedule dual = makeSchedule(ScheduleKind::DualPipe, 4, 2, 8);
    QCOMPARE(text(dual, 0), QStringLiteral("F0.0 F1.0 F2.0 F0.1 I0.1 W0.1 F1.1 F3.0 B1.1 F2.1 B0.0 B2.1 F3.1 B1.0 B3.1 I2.0 W2.0 I3.0 W3.0"));
    QString mirrored = text(dual, 3);
    mirrored.replace(QLatin1String(".0"), QLatin1String(".x")).replace(QLatin1String(".1"), QLatin1String(".0")).replace(QLatin1String(".x"), QLatin1String(".1"));
    QCOMPARE(mirrored, text(dual, 0));
    // F3.0 with B1.1, F2.1 with B0.0 and F3.1 with B1.0 overlap.
    QCOMPARE(std::count_if(dual.order[0].begin(), dual.order[0].end(), [](const ScheduledOperation &o) { return o.joinsNext; }), std::ptrdiff_t{3});
}

void TestSchedule::dualPipeClosedForms()
{
    // DeepSeek-AI 2024, table 2: (p/2 - 1)(F&B + B - 3W) with B the full backward and F&B the pair one after the other;
    // p + 1 activations. DualPipeV: p/2 becomes the number of ranks, 2p + 1 chunk activations.
    for (const int p : {4, 8, 16}) {
        for (const auto &[f, i, w] : {std::tuple{10, 10, 10}, std::tuple{10, 12, 10}}) {
            const TimeNs full = i + w, pair = f + full;
            const PipelineSchedule dual = makeSchedule(ScheduleKind::DualPipe, p, 2, 4 * p), v = makeSchedule(ScheduleKind::DualPipeV, p, 2, 4 * p);
            // The form is exact where all three times are equal; executed, unequal ones lose no more than it says.
            const TimeNs lostDual = bubbleOf(dual, f, i, w).fromStart, lostV = bubbleOf(v, f, i, w).fromStart;
            QVERIFY(lostDual <= TimeNs{p / 2 - 1} * (pair + full - 3 * w));
            QVERIFY(lostV <= TimeNs{p - 1} * (pair + full - 3 * w));
            if (f != i || i != w) continue;
            QCOMPARE(lostDual, TimeNs{p / 2 - 1} * (pair + full - 3 * w));
            QCOMPARE(lostV, TimeNs{p - 1} * (pair + full - 3 * w));
            QCOMPARE(highestPeak(dual), p + 1);
            QCOMPARE(highestPeak(v), 2 * p + 1);
        }
    }
}

void TestSchedule::searchedOrders()
{
    for (const int p : {2, 4, 8}) {
        const int m = 4 * p;
        // ZB-1p keeps 1F1B's memory: p activations, and is not longer than ZB-H1; ZB-2p has no bubble when F = B = W
        // (Qi et al. 2023, section 3 and table 5).
        ScheduleHints hints{10, 10, 10, 0, 1.0};
        const PipelineSchedule one = makeSchedule(ScheduleKind::ZbAuto, p, 1, m, hints);
        QVERIFY(highestPeak(one) <= p);
        QVERIFY(bubbleOf(one, 10, 10, 10).ownWindow <= TimeNs{p - 1} * 10);
        hints.activationLimit = 2.0;
        const PipelineSchedule two = makeSchedule(ScheduleKind::ZbAuto, p, 1, m, hints);
        QCOMPARE(bubbleOf(two, 10, 10, 10).ownWindow, TimeNs{0});
        // ZB-V: no bubble at F = B = W with the memory of 1F1B: 2p chunk activations of half size.
        const PipelineSchedule v = makeSchedule(ScheduleKind::ZbV, p, 2, m);
        QVERIFY(highestPeak(v) <= 2 * p);
        QCOMPARE(bubbleOf(v, 10, 10, 10).ownWindow, TimeNs{0});
    }
}

QTEST_APPLESS_MAIN(TestSchedule)
#include "tst_schedule.moc"
