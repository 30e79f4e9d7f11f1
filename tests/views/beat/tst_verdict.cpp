// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/beat/breakdown.h"
#include "views/beat/kpi_model.h"
#include "views/beat/verdict.h"
#include "views/text/format.h"

#include <QtTest>

#include <numeric>

using namespace clusterbeat;

namespace {

const QLocale kEnglish(QLocale::English, QLocale::UnitedStates);
QString plain(QString text) { return text.replace(QChar(0x00a0), QLatin1Char(' ')); }

} // namespace

class TestVerdict final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Three thirds of 1.00: 33 + 33 + 33 = 99, so the first gets one more; 1.40 + 2.91 + … as shown sum to the whole.
    void roundedPartsAddUp()
    {
        const std::array<double, 3> thirds{1.0 / 3.0, 1.0 / 3.0, 1.0 / 3.0};
        QCOMPARE(largestRemainder(thirds, 0.01), (std::vector<std::int64_t>{34, 33, 33}));
        const std::array<double, 4> parts{1.404, 2.916, 0.837, 1.083};   // 140.4 + 291.6 + 83.7 + 108.3 = 624
        QCOMPARE(largestRemainder(parts, 0.01), (std::vector<std::int64_t>{140, 292, 84, 108}));
        const std::array<double, 3> odd{-1.0, std::numeric_limits<double>::quiet_NaN(), 0.02};
        QCOMPARE(largestRemainder(odd, 0.01), (std::vector<std::int64_t>{0, 0, 2}));
        QVERIFY(largestRemainder({}, 0.01).empty());
        // Whatever the parts: the sum is the rounded total, and no part is off by a quantum or more.
        for (int seed = 1; seed < 200; ++seed) {
            std::vector<double> values;
            for (int i = 0; i < 15; ++i) values.push_back(static_cast<double>((seed * 7919 + i * 104729) % 10007) / 3001.0);
            const std::vector<std::int64_t> units = largestRemainder(values, 0.01);
            const double total = std::accumulate(values.begin(), values.end(), 0.0);
            QCOMPARE(std::accumulate(units.begin(), units.end(), std::int64_t{0}), static_cast<std::int64_t>(std::floor(total * 100.0 + 0.5)));
            for (std::size_t i = 0; i < values.size(); ++i) QVERIFY(std::abs(static_cast<double>(units[i]) - values[i] * 100.0) < 1.0 + 1e-9);
        }
    }

    // 15.6e12 tokens / (2,048 x 8,192) = 0.930 M iterations; 0.1 s x 16,384 GPUs x $2 / 3600 s each = $0.85 M.
    void tenthOfASecondOverTheRun()
    {
        const auto result = sampleResult(largeSample());
        QVERIFY(std::abs(iterationsOfRun(*result) - 0.9298e6) < 100.0);
        QVERIFY(std::abs(usdOverRun(*result, 0.1) - 0.846e6) < 1000.0);
    }

    // A slow GPU in the middle of a 16-stage pipeline: every other replica waits for its gradients, 127 of 128,
    // that is 127 x 16 x 8 = 16,256 GPUs; the words say that figure, the speed, and point at that GPU.
    void slowGpuIsNamed()
    {
        SampleOptions options = largeSample();
        options.slow = SampleOptions::Slow{7, 41, 5, 0.7};
        const auto result = sampleResult(options);
        const HeldUp held = heldUp(*result);
        QCOMPARE(held.replicas, 127);
        QCOMPARE(held.gpus, 16256);
        QVERIFY(held.meanWaitS > 0.0 && held.meanWaitS < result->metrics.iterationS);
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(verdict.tone, Verdict::Tone::Worse);
        QCOMPARE(plain(verdict.cause), QStringLiteral("One GPU at 70 % holds up 16,256 GPUs"));
        QVERIFY(plain(verdict.effect).startsWith(QStringLiteral("Straggler wait +")));
        QVERIFY(plain(verdict.effect).contains(QStringLiteral("on 127 replicas · +$")));
        QCOMPARE(verdict.gpu, result->placement->gpuOfRank[static_cast<std::size_t>(result->slowest.rank)]);
        QVERIFY(!verdict.button.isEmpty());
    }

    // A last stage with nothing to wait for it: one micro-batch, one replica, and a delay of 0.1 % of one operation
    // stays under the threshold. The verdict says so instead of blaming it.
    void harmlessSlowGpu()
    {
        SampleOptions options;
        options.slow = SampleOptions::Slow{0, 0, 0, 0.9999};
        const auto result = sampleResult(options);
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(verdict.tone, Verdict::Tone::Opportunity);
        QVERIFY(verdict.cause.contains(QStringLiteral("costs nothing")));
    }

    // p = 4, m = 8 without communication: bubble (p-1)/(m+p-1) = 3/11 = 27.3 % of the pipeline's time is the largest
    // share that is not compute.
    void opportunityIsTheBubble()
    {
        SampleOptions options;
        options.tensorS = 0.0, options.reduceS = 0.0, options.optimizerS = 0.0, options.replicas = 1;
        const auto result = sampleResult(options);
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(verdict.tone, Verdict::Tone::Opportunity);
        QVERIFY2(verdict.cause.startsWith(QStringLiteral("Pipeline bubbles take 2")), qPrintable(verdict.cause));
        // The same as baseline changes nothing.
        QCOMPARE(verdictOf(*result, result.get(), kEnglish), verdict);
    }

    // Twice the forward time against the baseline: longer, mostly forward; and the other way round shorter.
    void changeAgainstBaseline()
    {
        const auto base = sampleResult({});
        SampleOptions options;
        options.forwardS *= 2.0;
        const auto longer = sampleResult(options);
        const Verdict worse = verdictOf(*longer, base.get(), kEnglish);
        QCOMPARE(worse.tone, Verdict::Tone::Worse);
        QVERIFY(worse.cause.contains(QStringLiteral("longer than the baseline")));
        QVERIFY(worse.effect.contains(QStringLiteral("Forward +")));
        const Verdict better = verdictOf(*base, longer.get(), kEnglish);
        QCOMPARE(better.tone, Verdict::Tone::Opportunity);
        QVERIFY(better.effect.contains(QStringLiteral("Forward −")));
    }

    // Every kind says its own cause with its own figure, and what it costs how often: a checkpoint of 5 s once in 900 s, a
    // warm-up once, everything else in every iteration.
    void causesAreNamed_data()
    {
        QTest::addColumn<int>("kind");
        QTest::addColumn<int>("reason");
        QTest::addColumn<QString>("cause");
        QTest::addColumn<QString>("effect");
        const auto row = [](const char *name, PerturbationKind kind, Slowest::Reason reason, const char *cause, const char *effect) {
            QTest::newRow(name) << int(kind) << int(reason) << QString::fromUtf8(cause) << QString::fromUtf8(effect);
        };
        row("jitter", PerturbationKind::Jitter, Slowest::Reason::Jitter, "Small random delays add up", "+0.50 s an iteration · +$");
        row("pauses", PerturbationKind::GcPause, Slowest::Reason::HostPause, "Hosts pause for 200 ms, each at its own time", "+0.50 s an iteration · +$");
        row("documents", PerturbationKind::DocumentImbalance, Slowest::Reason::Documents, "Long documents in replica 3", "+0.50 s an iteration · +$");
        row("data", PerturbationKind::SlowData, Slowest::Reason::DataLoading, "Training data come late: a micro-batch takes 300 ms", "+0.50 s an iteration · +$");
        row("checkpoint", PerturbationKind::Checkpoint, Slowest::Reason::Checkpoint, "A checkpoint stops training for 0.40 s",
            "+0.50 s in this iteration, a checkpoint every 15.0 min · +$");
        row("warm-up", PerturbationKind::WarmUp, Slowest::Reason::WarmUp, "The first operations run at 70 % speed", "+0.50 s in the first iteration only");
    }
    void causesAreNamed()
    {
        QFETCH(int, kind);
        QFETCH(int, reason);
        QFETCH(QString, cause);
        QFETCH(QString, effect);
        auto result = std::make_shared<IterationResult>(*sampleResult({}));
        auto scenario = std::make_shared<ResolvedScenario>(*result->scenario);
        Perturbation each;
        each.kind = static_cast<PerturbationKind>(kind);
        each.speed = 0.7, each.timing.pauseS = 0.2, each.timing.waitS = 0.3;
        scenario->perturbations = {each};
        result->scenario = scenario;
        result->run.twin = std::make_shared<const Trace>(result->run.trace);
        result->run.trace.iteration += toNs(0.5);
        if (each.kind == PerturbationKind::Checkpoint) result->run.plan.checkpoint.assign(static_cast<std::size_t>(result->run.plan.ranks()), toNs(0.4));
        result->slowest.reason = static_cast<Slowest::Reason>(reason);
        result->why.back().replica = 3;
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(verdict.tone, Verdict::Tone::Worse);
        QVERIFY2(plain(verdict.cause).startsWith(cause), qPrintable(verdict.cause));
        QVERIFY2(plain(verdict.effect).startsWith(effect), qPrintable(verdict.effect));
        // The same without a delay: said to cost nothing rather than passed over.
        result->run.trace.iteration -= toNs(0.5);
        result->slowest.reason = Slowest::Reason::MostWork;
        const Verdict hidden = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(hidden.tone, Verdict::Tone::Opportunity);
        QVERIFY2(hidden.cause.endsWith(QStringLiteral("costs nothing")), qPrintable(hidden.cause));
    }

    // Several perturbations: the delay of 0.5 s is said to be of all of them. Over the run the
    // stall of 0.4 s counts once in 900 s: 0.1 + 0.4 x T / 900 with T of the unperturbed iteration. A warm-up comes once a
    // run: no money. Slow storage is in the stall, so that a checkpoint with it is one cause.
    void severalAreChargedTogether_data()
    {
        using Kinds = QList<int>;
        QTest::addColumn<Kinds>("kinds");
        QTest::addColumn<int>("reason");
        QTest::addColumn<QString>("effect");
        QTest::addColumn<bool>("money");
        const auto row = [](const char *name, std::initializer_list<PerturbationKind> kinds, Slowest::Reason reason, const char *effect, bool money) {
            Kinds list;
            for (const PerturbationKind kind : kinds) list << int(kind);
            QTest::newRow(name) << list << int(reason) << QString::fromUtf8(effect) << money;
        };
        using Kind = PerturbationKind;
        row("each iteration", {Kind::SlowData, Kind::Jitter, Kind::GcPause}, Slowest::Reason::DataLoading,
            "+0.50 s an iteration, all 3 perturbations together · %1 over the run", true);
        row("data and checkpoint", {Kind::SlowData, Kind::Checkpoint}, Slowest::Reason::DataLoading,
            "+0.50 s in this iteration, all 2 perturbations together, a checkpoint every 15.0 min · %1 over the run", true);
        row("checkpoint and data", {Kind::SlowData, Kind::Checkpoint}, Slowest::Reason::Checkpoint,
            "+0.50 s in this iteration, all 2 perturbations together, a checkpoint every 15.0 min · %1 over the run", true);
        row("warm-up", {Kind::Jitter, Kind::WarmUp}, Slowest::Reason::Jitter, "+0.50 s in this iteration, all 2 perturbations together", false);
        row("slow storage", {Kind::Checkpoint, Kind::SlowStorage}, Slowest::Reason::Checkpoint,
            "+0.50 s in this iteration, a checkpoint every 15.0 min · %1 over the run", true);
    }
    void severalAreChargedTogether()
    {
        QFETCH(QList<int>, kinds);
        QFETCH(int, reason);
        QFETCH(QString, effect);
        QFETCH(bool, money);
        auto result = std::make_shared<IterationResult>(*sampleResult({}));
        auto scenario = std::make_shared<ResolvedScenario>(*result->scenario);
        scenario->perturbations.clear();
        for (const int kind : kinds) {
            Perturbation each;
            each.kind = static_cast<PerturbationKind>(kind);
            each.timing.waitS = 0.3, each.timing.pauseS = 0.2;
            scenario->perturbations.push_back(each);
        }
        result->scenario = scenario;
        result->run.twin = std::make_shared<const Trace>(result->run.trace);
        result->run.trace.iteration += toNs(0.5);
        const bool stalls = kinds.contains(int(PerturbationKind::Checkpoint));
        if (stalls) result->run.plan.checkpoint.assign(static_cast<std::size_t>(result->run.plan.ranks()), toNs(0.4));
        result->slowest.reason = static_cast<Slowest::Reason>(reason);
        const double mean = stalls ? 0.1 + 0.4 * toSeconds(result->unperturbedIteration) / 900.0 : 0.5;
        const QString usd = usdText(usdOverRun(*result, mean), kEnglish, Sign::Always);
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(plain(verdict.effect), plain(money ? effect.arg(usd) : effect));
        QCOMPARE(verdict.shortEffect.contains(QLatin1Char('$')), money);
        if (result->slowest.reason == Slowest::Reason::Checkpoint) QCOMPARE(plain(verdict.cause), QStringLiteral("A checkpoint stops training for 0.40 s"));
    }

    // A slow GPU and jitter: the money and the seconds are of both.
    void slowGpuAmongOthers()
    {
        SampleOptions options;
        options.slow = SampleOptions::Slow{1, 2, 0, 0.5};
        auto result = std::make_shared<IterationResult>(*sampleResult(options));
        auto scenario = std::make_shared<ResolvedScenario>(*result->scenario);
        scenario->perturbations.assign(2, Perturbation{});
        result->scenario = scenario;
        QVERIFY(verdictOf(*result, nullptr, kEnglish).effect.startsWith(QStringLiteral("Straggler wait")));
        scenario->perturbations.back().kind = PerturbationKind::Jitter;
        const QString effect = plain(verdictOf(*result, nullptr, kEnglish).effect);
        QVERIFY2(effect.contains(QStringLiteral("s an iteration, all 2 perturbations together · +$")), qPrintable(effect));
    }

    // What does not fit comes before a slow GPU: 60 + 10 + 10 + 5 + 3.1 = 88.1 GB of 85.1 GB; mostly parameters, so the
    // layout is what helps. Rank 17 of 4 stages x 4 replicas x 2 members in the order tensor, pipeline, data:
    // 17 = 1 + 2 x (0 + 4 x 2), so it is stage 0.
    void memoryComesFirst()
    {
        SampleOptions options;
        options.slow = SampleOptions::Slow{1, 1, 0, 0.5};
        auto result = std::make_shared<IterationResult>(*sampleResult(options));
        QCOMPARE(verdictOf(*result, nullptr, kEnglish).cause.left(3), QStringLiteral("One"));
        result->memory.peak = {60'000'000'000, 10'000'000'000, 10'000'000'000, 5'000'000'000, 3'100'000'000};
        result->memory.capacity = 85'100'000'000;
        result->memory.fits = false;
        result->memory.rank = 17;
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(verdict.tone, Verdict::Tone::Worse);
        QCOMPARE(plain(verdict.cause), QStringLiteral("Memory does not fit: 88.1 of 85.1 GB (estimate)"));
        QVERIFY2(verdict.effect.startsWith(QStringLiteral("Stage 0, rank 17 · ")), qPrintable(verdict.effect));
        QVERIFY(verdict.effect.contains(QStringLiteral("ZeRO")));
        QCOMPARE(verdict.gpu, result->placement->gpuOfRank[17]);
        // Mostly activations: the layout of the states does not help.
        std::swap(result->memory.peak.parameters, result->memory.peak.activations);
        QVERIFY(verdictOf(*result, nullptr, kEnglish).effect.contains(QStringLiteral("micro-batch")));
    }

    // The change has the unit and the digits of the value: 0.47 M less 2.70 M tokens/s is -2.23 M, not -2,230 k; 1.2 ct
    // of 6.24 ct show.
    void changesReadLikeTheirValues()
    {
        IterationResult now = *sampleResult({}), before = now;
        now.metrics.tokensPerS = 0.47e6, before.metrics.tokensPerS = 2.70e6;
        now.metrics.usdPerMillionTokens = 0.0624, before.metrics.usdPerMillionTokens = 0.0504;
        auto figures = kpiFigures(now, &before, kEnglish);
        QCOMPARE(plain(figures[2].delta), QStringLiteral("−2.23 M"));
        QCOMPARE(plain(figures[3].value.text()), QStringLiteral("$0.0624"));
        QCOMPARE(plain(figures[3].delta), QStringLiteral("+$0.0120"));
        now.metrics.tokensPerS = 16.2e6, before.metrics.tokensPerS = 15.04e6;
        QCOMPARE(plain(kpiFigures(now, &before, kEnglish)[2].delta), QStringLiteral("+1.2 M"));
    }

    // One GPU alone: computing (with the optimizer) all the time. At an HFU of 0.36 and, by the sample's breakdown, a
    // share c of compute, it runs at 0.36 / c of the peak while it computes.
    void computeIsNearlyAll()
    {
        SampleOptions options;
        options.stages = 1, options.replicas = 1, options.tensor = 1;
        options.tensorS = 0.0, options.reduceS = 0.0;
        auto result = std::make_shared<IterationResult>(*sampleResult(options));
        result->metrics.hfu = 0.36;
        const auto &breakdown = result->metrics.breakdownS;
        double other = 0.0;
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            if (!isCompute(static_cast<Category>(i))) other += breakdown[i];
        const double share = 1.0 - other / result->metrics.iterationS;
        const Verdict verdict = verdictOf(*result, nullptr, kEnglish);
        QCOMPARE(verdict.tone, Verdict::Tone::Opportunity);
        QCOMPARE(plain(verdict.cause), QStringLiteral("Compute takes %1 of the iteration").arg(plain(percentText(share, kEnglish))));
        QCOMPARE(plain(verdict.effect), QStringLiteral("at %1 of the dense peak; nothing is slow").arg(plain(percentText(0.36 / share, kEnglish))));
        // Without any time there is nothing to say.
        result->metrics.breakdownS = {};
        QCOMPARE(verdictOf(*result, nullptr, kEnglish).tone, Verdict::Tone::None);
    }
};

QTEST_APPLESS_MAIN(TestVerdict)
#include "tst_verdict.moc"
