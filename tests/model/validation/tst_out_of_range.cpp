// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/validation/out_of_range.h"
#include "model/validation/validated_rows.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

/// A row of tier A, 20 % slower than predicted, that no rule applies to: 64 micro-batches on 4 stages, 5 ms a layer.
RowFacts plain()
{
    RowFacts facts;
    facts.tier.assign(1, 'A');
    facts.error = -0.2;
    facts.microBatches = 64;
    facts.stages = 4;
    facts.gpus = 512;
    facts.layerForwardS = 5e-3;
    facts.memoryShare = 0.5;
    return facts;
}

std::vector<RangeReason> codes(const RowFacts &facts)
{
    std::vector<RangeReason> list;
    for (const RowReason &reason : reasonsOutOfRange(facts)) list.push_back(reason.reason);
    return list;
}

MeasuredRow measured(std::string id, std::string gpu, std::int64_t month, double seconds)
{
    MeasuredRow row;
    row.id = std::move(id);
    row.gpuName = std::move(gpu);
    row.releaseMonth = month;
    row.iterationS = seconds;
    return row;
}

} // namespace

class TestOutOfRange : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The tolerance is 10 % for tiers A and B, 25 % for the aggregates of C.
    void insideTheToleranceNothingNeedsAReason()
    {
        RowFacts facts = plain();
        facts.memoryShare = 1.0;
        for (const auto &[tier, error, reasons] : {std::tuple{'A', -0.1, false}, std::tuple{'A', -0.101, true}, std::tuple{'B', 0.1, false},
                                                   std::tuple{'C', -0.25, false}, std::tuple{'C', -0.26, true}}) {
            facts.tier.assign(1, tier);
            facts.error = error;
            QCOMPARE(!reasonsOutOfRange(facts).empty(), reasons);
        }
    }

    void withoutAFittingRuleItIsUnexplained() { QCOMPARE(codes(plain()), std::vector{RangeReason::Unexplained}); }

    // One fact changed in the plain row gives exactly its reason; the facts just inside a rule's bound give none.
    void eachFactGivesItsReason_data()
    {
        QTest::addColumn<int>("expected");
        QTest::addColumn<RowFacts>("facts");
        const auto row = [](const char *name, RangeReason reason, const std::function<void(RowFacts &)> &change) {
            RowFacts facts = plain();
            change(facts);
            QTest::newRow(name) << static_cast<int>(reason) << facts;
        };
        row("memory at 93 %", RangeReason::MemoryLimit, [](RowFacts &f) { f.memoryShare = 0.93; });
        row("memory at 92 %", RangeReason::Unexplained, [](RowFacts &f) { f.memoryShare = 0.92; });
        row("FSDP 1 at 88 %", RangeReason::MemoryLimit, [](RowFacts &f) { f.memoryShare = 0.88; f.heldByStreams = true; });
        row("token drop", RangeReason::TokenDrop, [](RowFacts &f) { f.tokenDrop = true; });
        row("first release", RangeReason::EarlySoftware, [](RowFacts &f) { f.monthsSinceFirstRelease = 0; });
        row("four months on", RangeReason::Unexplained, [](RowFacts &f) { f.monthsSinceFirstRelease = 4; });
        row("releases 10 % apart", RangeReason::ReleaseSpread, [](RowFacts &f) { f.releases = 3; f.releaseSpread = 0.10; });
        row("releases 9 % apart", RangeReason::Unexplained, [](RowFacts &f) { f.releases = 3; f.releaseSpread = 0.09; });
        row("fetch order", RangeReason::FetchOrder, [](RowFacts &f) { f.unknownFetchOrder = true; });
        row("7 micro-batches on 4 stages", RangeReason::FewMicroBatches, [](RowFacts &f) { f.microBatches = 7; });
        row("2 micro-batches on 1 stage", RangeReason::FewMicroBatches, [](RowFacts &f) { f.microBatches = 2; f.stages = 1; });
        row("8 micro-batches on 4 stages", RangeReason::Unexplained, [](RowFacts &f) { f.microBatches = 8; });
        row("0.9 ms a layer", RangeReason::ShortKernels, [](RowFacts &f) { f.layerForwardS = 9e-4; });
        row("0.9 ms a layer in one graph", RangeReason::Unexplained, [](RowFacts &f) { f.layerForwardS = 9e-4; f.launchesHidden = true; });
        row("a fifth exposed", RangeReason::ExposedNetwork, [](RowFacts &f) { f.exposedShare = 0.2; });
        row("1,024 GPUs", RangeReason::LargeScale, [](RowFacts &f) { f.gpus = 1024; });
        row("recompute assumed", RangeReason::AssumedKnob, [](RowFacts &f) { f.assumed = {"recompute"}; });
        row("eager", RangeReason::EagerKernels, [](RowFacts &f) { f.elementwiseFactor = 2.0; });
        row("aggregate", RangeReason::Aggregate, [](RowFacts &f) { f.tier.assign(1, 'C'); f.error = -0.3; });
    }
    void eachFactGivesItsReason()
    {
        QFETCH(int, expected);
        QFETCH(RowFacts, facts);
        QCOMPARE(codes(facts), std::vector{static_cast<RangeReason>(expected)});
    }

    // A full memory, a network or a large job make a run slower than predicted, never faster.
    void aFasterRunIsNotExplainedByWhatSlows()
    {
        RowFacts facts = plain();
        facts.memoryShare = 1.0;
        facts.exposedShare = 0.5;
        facts.gpus = 16384;
        facts.unknownFetchOrder = true;
        facts.monthsSinceFirstRelease = 0;
        QCOMPARE(codes(facts), (std::vector{RangeReason::MemoryLimit, RangeReason::EarlySoftware, RangeReason::FetchOrder,
                                            RangeReason::ExposedNetwork, RangeReason::LargeScale}));
        facts.error = 0.2;
        QCOMPARE(codes(facts), std::vector{RangeReason::Unexplained});
        facts.tokenDrop = true;
        facts.assumed = {"recompute", "micro_batch"};
        const auto reasons = reasonsOutOfRange(facts);
        QCOMPARE(codes(facts), (std::vector{RangeReason::TokenDrop, RangeReason::AssumedKnob}));
        QCOMPARE(reasons[1].arguments, (std::vector<Argument>{std::string("recompute, micro_batch")}));
    }

    // Three measurements of one configuration, 10, 11 and 12 s: 12 / 10 - 1 = 20 % apart. The fourth differs in a degree.
    void contextComesFromTheWholeTable()
    {
        std::vector<MeasuredRow> table{measured("a", "X", 100, 10.0), measured("b", "X", 102, 12.0), measured("c", "X", 0, 11.0),
                                       measured("d", "X", 103, 99.0), measured("e", "Y", 101, 5.0)};
        LayoutSection wide;
        wide.tensor = 8;
        table[3].scenario.layout = std::make_shared<const LayoutSection>(wide);
        table[4].scenario.layout = table[3].scenario.layout;
        ModelSection small;
        small.layers = 12;
        table[4].scenario.model = std::make_shared<const ModelSection>(small);
        const auto contexts = contextOfRows(table, table);
        QCOMPARE(contexts[0].releases, 3);
        QVERIFY(std::abs(contexts[1].releaseSpread - 0.2) < 1e-12);
        QCOMPARE(contexts[1].monthsSinceFirstRelease, std::optional<std::int64_t>(2));
        QVERIFY(!contexts[2].monthsSinceFirstRelease);
        QCOMPARE(contexts[3].releases, 1);
        QCOMPARE(contexts[3].monthsSinceFirstRelease, std::optional<std::int64_t>(3));
        QCOMPARE(contexts[4].monthsSinceFirstRelease, std::optional<std::int64_t>(0));
        // One row alone has the same context as in the list.
        const auto alone = contextOfRows({table[1]}, table);
        QCOMPARE(alone[0].releases, 3);
        QCOMPARE(alone[0].releaseSpread, contexts[1].releaseSpread);
    }

    // Errors 2, 4 and -12 %: mean 6, median 4, worst 12; one of them is out of range.
    void summaryByEveryProperty()
    {
        std::vector<ValidatedRow> rows(4);
        const double errors[] = {0.02, 0.04, -0.12};
        for (std::size_t i = 0; i < 3; ++i) rows[i].timeError = errors[i];
        for (std::size_t i = 0; i < 4; ++i) rows[i].tier.assign(1, i < 2 ? 'A' : 'B');
        rows[2].moe = true;
        rows[2].reasons = {{RangeReason::Unexplained, {}}};
        rows[3].refused = Error{};
        for (ValidatedRow &row : rows) row.accelerator.assign(1, 'X');
        const ValidationSummary summary = summaryOf(rows);
        QCOMPARE(summary.all.time.rows, std::size_t{3});
        QVERIFY(std::abs(summary.all.time.mean - 0.06) < 1e-12);
        QCOMPARE(summary.all.time.median, 0.04);
        QCOMPARE(summary.all.time.worst, 0.12);
        QCOMPARE(summary.all.refused, std::size_t{1});
        QCOMPARE(summary.byTier.at("B").outOfRange, std::size_t{1});
        QCOMPARE(summary.byKind.at("moe").time.worst, 0.12);
        QCOMPARE(summary.byKind.at("dense").time.rows, std::size_t{2});
        QCOMPARE(summary.byAccelerator.at("X").time.rows, std::size_t{3});
        QCOMPARE(worstRows(rows, 2), (std::vector<std::size_t>{2, 1}));
    }
};

QTEST_APPLESS_MAIN(TestOutOfRange)
#include "tst_out_of_range.moc"
