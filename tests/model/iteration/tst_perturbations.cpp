// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/iteration/perturb_timing.h"
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"
#include "model/workload/documents.h"
#include "tests/model/iteration/random_plans.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

const Catalogue &catalogue()
{
    static const Catalogue loaded = loadCatalogue().value();
    return loaded;
}

Scenario scenario(std::initializer_list<const char *> edits)
{
    std::vector<PointerEdit> parsed;
    for (const char *edit : edits)
        parsed.push_back(parsePointerEdit(edit).value());
    return readPreset("llama3-8b-64", catalogue(), parsed).value();
}

SimulationOutcome run(const Scenario &scenario)
{
    StageCache cache;
    return simulate(scenario, catalogue(), cache);
}

TimeNs of(const Run &run, int member, Category category) { return categoryTimes(run, 0, 0, member)[categoryIndex(category)]; }

/// One stage, forward 10, backward 20, optimizer 4: order F0 B0 F1 B1 …
IterationPlan oneStage(int microBatches, int members = 1)
{
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, microBatches, 10, 20, 1, members);
    plan.optimizer = {4};
    return plan;
}

} // namespace

class TestPerturbations : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void pausesStallTheirGroup();
    void pausesFallOnTheUnperturbedClock();
    void dataLoading_data();
    void dataLoading();
    void checkpointsEndTheIteration();
    void documentsLengthenAttention();
    void warmUpSlowsTheFirst();
    void documentLengths();
    void distributions();
    void totalsByHand();
    void zeroChangesNoByte_data();
    void zeroChangesNoByte();
    void rootsAreNamed_data();
    void rootsAreNamed();
    void contradictionsAreErrors();
};

void TestPerturbations::pausesStallTheirGroup()
{
    // F [0,10), pause of member 1's host [10,17), B [17,37), before the optimizer step a pause of 3: T = 44.
    IterationPlan plan = oneStage(1, 2);
    plan.pauses = {{}, {{1, 7}, {kOptimizerOperation, 3}}};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{10 + 7 + 20 + 3 + 4});
    QCOMPARE(of(run, 1, Category::Host), TimeNs{10});
    QCOMPARE(of(run, 1, Category::StragglerWait), TimeNs{0});
    QCOMPARE(of(run, 0, Category::Host), TimeNs{0});
    QCOMPARE(of(run, 0, Category::StragglerWait), TimeNs{10});
    const auto why = whyThisLong(run);
    QVERIFY(why.back().kind == WhyKind::HostPause);
    QCOMPARE(why.back().member, 1);
    QCOMPARE(why.back().ns, TimeNs{10});
}

void TestPerturbations::pausesFallOnTheUnperturbedClock()
{
    // Two stages, one micro-batch, ms: stage 0 computes in [0,10) and [40,60), stage 1 in [10,40). A pause of 6 once in
    // 60, at an instant drawn for each of 400 hosts: on stage 0 it costs 6 in [0,10) and [40,60), nothing in [10,34],
    // what outlasts the wait in (34,40).
    constexpr TimeNs ms = 1'000'000;
    IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 2, 1, 1, 10 * ms, 20 * ms, 400);
    plan.forward[1][0].segments.front().ns = 10 * ms;
    const Trace twin = executeUnperturbed(plan);
    QCOMPARE(twin.finishOf(0, 1, 0), 60 * ms);
    std::vector<std::size_t> all(static_cast<std::size_t>(plan.ranks()));
    for (std::size_t i = 0; i < all.size(); ++i)
        all[i] = i;
    Perturbation perturbation;
    perturbation.kind = PerturbationKind::GcPause;
    perturbation.timing.pauseS = 0.006;
    perturbation.timing.everyS = 0.060;
    addPauses(plan, perturbation, all, twin);
    int absorbed = 0, whole = 0;
    for (int replica = 0; replica < 400; ++replica) {
        const auto &list = plan.pauses[plan.position(0, replica, 0)];
        TimeNs sum = 0;
        for (const IterationPlan::Pause &pause : list)
            sum += pause.ns;
        QVERIFY(sum <= 6 * ms);
        absorbed += list.empty() ? 1 : 0;
        whole += sum == 6 * ms ? 1 : 0;
    }
    // 24/60 and 30/60 of 400, within five standard deviations of the binomial.
    QVERIFY(qAbs(absorbed - 160) < 50);
    QVERIFY(qAbs(whole - 200) < 50);
    // Aligned: the same on all hosts of a stage.
    plan.pauses.clear();
    perturbation.timing.aligned = true;
    addPauses(plan, perturbation, all, twin);
    for (int replica = 1; replica < 400; ++replica) {
        const auto &first = plan.pauses[plan.position(1, 0, 0)], &other = plan.pauses[plan.position(1, replica, 0)];
        QCOMPARE(other.size(), first.size());
        if (!first.empty()) QCOMPARE(other.front().ns, first.front().ns);
    }
    QCOMPARE(executePlan(plan).classes, 1);
}

void TestPerturbations::dataLoading_data()
{
    QTest::addColumn<int>("prefetch");
    QTest::addColumn<qint64>("iteration");
    QTest::addColumn<qint64>("wait");
    // Three micro-batches, 50 to load each. Loaded when needed: F0 [50,60) B0 [60,80) F1 [130,140) B1 [140,160)
    // F2 [210,220) B2 [220,240), optimizer to 244.
    QTest::newRow("none") << 0 << qint64{244} << qint64{150};
    // One place: F0 [0,10) B0 [10,30); the next loads from 0 to 50: F1 [50,60) B1 [60,80); then from 50 to 100:
    // F2 [100,110) B2 [110,130).
    QTest::newRow("one") << 1 << qint64{134} << qint64{40};
    // Two places: the third loads from 0 to 50 and is there when F2 starts at 60.
    QTest::newRow("two") << 2 << qint64{94} << qint64{0};
}

void TestPerturbations::dataLoading()
{
    QFETCH(int, prefetch);
    QFETCH(qint64, iteration);
    QFETCH(qint64, wait);
    IterationPlan plan = oneStage(3);
    plan.data = {{prefetch, {50, 50, 50}}};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{iteration});
    QCOMPARE(of(run, 0, Category::DataWait), TimeNs{wait});
    QCOMPARE(of(run, 0, Category::StragglerWait), TimeNs{0});
    if (wait > 0) QVERIFY(whyThisLong(run).back().kind == WhyKind::DataLoading);
}

void TestPerturbations::checkpointsEndTheIteration()
{
    // Optimizer [30,34), then member 1 writes for 9: T = 43.
    IterationPlan plan = oneStage(1, 2);
    plan.checkpoint = {0, 9};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{43});
    QCOMPARE(of(run, 1, Category::CheckpointStall), TimeNs{9});
    QCOMPARE(of(run, 0, Category::StragglerWait), TimeNs{9});
    QVERIFY(whyThisLong(run).back().kind == WhyKind::Checkpoint);
    // The group's last two spans: its optimizer step, then the longest stall of its members.
    std::vector<Span> spans;
    spansOfGroup(run, 0, 0, 0, 43, spans);
    QVERIFY(spans.size() >= 2);
    const Span &optimizer = spans[spans.size() - 2], &stall = spans.back();
    QVERIFY(optimizer.category == Category::Optimizer && optimizer.begin == 30 && optimizer.end == 34);
    QVERIFY(stall.category == Category::CheckpointStall && stall.begin == 34 && stall.end == 43);
}

void TestPerturbations::documentsLengthenAttention()
{
    // Of F 10 attention 4, of B 20 attention 6; the second micro-batch has 2.5 times the work: F1 16, B1 29.
    IterationPlan plan = oneStage(2);
    plan.forward[0][0].segments.front().attention = 4;
    plan.backward[0][0].segments.front().attention = 6;
    plan.attention = {{1.0, 2.5}};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{10 + 20 + 16 + 29 + 4});
    QCOMPARE(of(run, 0, Category::Forward), TimeNs{26});
    QCOMPARE(of(run, 0, Category::Backward), TimeNs{49});
    QVERIFY(whyThisLong(run).back().kind == WhyKind::Documents);
}

void TestPerturbations::warmUpSlowsTheFirst()
{
    IterationPlan plan = oneStage(2);
    plan.warmUp = {{2.0, 1, 0, {}}};
    QCOMPARE(runPlan(plan).trace.iteration, TimeNs{20 + 20 + 10 + 20 + 4});
    plan.warmUp = {{2.0, 0, 1, {}}};
    const Run run = runPlan(plan);
    QCOMPARE(run.trace.iteration, TimeNs{20 + 40 + 10 + 20 + 4});
    QVERIFY(whyThisLong(run).back().kind == WhyKind::WarmUp);
}

void TestPerturbations::documentLengths()
{
    // E(l^2)/E(l) = (1000^2 + 500^2)/1000 = 1250; at most the sequence; unmasked lengths change nothing.
    TrainingSection training;
    training.sequenceLength = 8192;
    training.documents = DocumentLengths{1000.0, 500.0, true};
    QCOMPARE(attentionLength(training), 1250.0);
    training.documents->masked = false;
    QCOMPARE(attentionLength(training), 8192.0);
    training.documents = DocumentLengths{8000.0, 8000.0, true};
    QCOMPARE(attentionLength(training), 8192.0);
    // Equal documents that divide the sequence: exactly the expectation.
    training.sequenceLength = 8000;
    training.documents = DocumentLengths{1000.0, 0.0, true};
    QCOMPARE(drawnAttention(training, 7), 1.0);
    training.sequenceLength = 100'000;
    training.documents = DocumentLengths{1000.0, 1000.0, true};
    double sum = 0.0;
    for (std::uint64_t i = 0; i < 400; ++i)
        sum += drawnAttention(training, randomStream({1, i, 2}));
    QVERIFY(qAbs(sum / 400 - 1.0) < 0.05);
}

void TestPerturbations::distributions()
{
    // Mean 1 and the stated deviation, over 100,000 draws (standard errors of 1/316 and less).
    double exponential = 0, exponentialSquare = 0, lognormal = 0, lognormalSquare = 0;
    constexpr int n = 100'000;
    for (std::uint64_t i = 0; i < n; ++i) {
        const double e = randomExponential(5, i), l = randomLognormal(6, i, 0.3);
        exponential += e / n;
        exponentialSquare += e * e / n;
        lognormal += l / n;
        lognormalSquare += l * l / n;
    }
    QVERIFY(qAbs(exponential - 1.0) < 0.02);
    QVERIFY(qAbs(exponentialSquare - 2.0) < 0.1);
    QVERIFY(qAbs(lognormal - 1.0) < 0.01);
    QVERIFY(qAbs(lognormalSquare - 1.0 - 0.09) < 0.01);
}

void TestPerturbations::totalsByHand()
{
    // Optimizer, host, checkpoint and the collectives inside operations of every rank, from the plan alone.
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        IterationPlan plan = randomPlan(seed);
        perturb(plan, seed);
        const Run run = runPlan(plan);
        for (int stage = 0; stage < plan.stages(); ++stage)
            for (int replica = 0; replica < plan.replicas; ++replica)
                for (int member = 0; member < plan.groupSize; ++member) {
                    const std::size_t position = plan.position(stage, replica, member);
                    TimeNs host = plan.hostAtStart[static_cast<std::size_t>(stage)], tensor = 0;
                    for (const ScheduledOperation &operation : plan.schedule.order[static_cast<std::size_t>(stage)])
                        for (const Segment &segment : plan.shapeOf(stage, operation).segments) {
                            if (segment.category == Category::Host) host += segment.ns;
                            if (segment.category == Category::ExposedTp) tensor += segment.ns;
                        }
                    if (!plan.pauses.empty())
                        for (const IterationPlan::Pause &pause : plan.pauses[position])
                            host += pause.ns;
                    const CategoryTimes times = categoryTimes(run, stage, replica, member);
                    QCOMPARE(times[categoryIndex(Category::Host)], host);
                    QCOMPARE(times[categoryIndex(Category::ExposedTp)], tensor);
                    QCOMPARE(times[categoryIndex(Category::CheckpointStall)], plan.checkpoint.empty() ? 0 : plan.checkpoint[position]);
                    QCOMPARE(times[categoryIndex(Category::Optimizer)],
                             scaled(plan.optimizer[static_cast<std::size_t>(stage)], memberFactor(plan, stage, replica, member, kOptimizerOperation)));
                    for (const TimeNs ns : times)
                        QVERIFY(ns >= 0);
                }
    }
}

void TestPerturbations::zeroChangesNoByte_data()
{
    QTest::addColumn<QByteArray>("edit");
    QTest::newRow("gc_pause") << QByteArray(R"(/perturbations/-={"kind":"gc_pause","pause_s":0,"every_s":1})");
    QTest::newRow("document_imbalance") << QByteArray(R"(/perturbations/-={"kind":"document_imbalance","sigma":0})");
    QTest::newRow("slow_data") << QByteArray(R"(/perturbations/-={"kind":"slow_data","wait_s":0})");
    QTest::newRow("checkpoint") << QByteArray(R"(/perturbations/-={"kind":"checkpoint","stall_s":0})");
    QTest::newRow("warm_up, speed") << QByteArray(R"(/perturbations/-={"kind":"warm_up","operations":3,"speed":1})");
    QTest::newRow("warm_up, count") << QByteArray(R"(/perturbations/-={"kind":"warm_up","micro_batches":0,"speed":0.5})");
    QTest::newRow("jitter") << QByteArray(R"(/perturbations/-={"kind":"jitter","sigma":0,"distribution":"exponential"})");
    QTest::newRow("documents, unmasked") << QByteArray(R"(/training/documents={"mean":1000})");
}

void TestPerturbations::zeroChangesNoByte()
{
    QFETCH(QByteArray, edit);
    const auto plain = run(scenario({})), perturbed = run(scenario({edit.constData()}));
    QVERIFY(plain.result && perturbed.result);
    QCOMPARE(resultJson(*perturbed.result), resultJson(*plain.result));
}

void TestPerturbations::rootsAreNamed_data()
{
    QTest::addColumn<QByteArray>("edit");
    QTest::addColumn<int>("root");
    QTest::addColumn<int>("category");
    QTest::newRow("gc_pause") << QByteArray(R"(/perturbations/-={"kind":"gc_pause","pause_s":0.3,"every_s":0.4,"target":"rank:9"})") << int(WhyKind::HostPause) << int(Category::Host);
    QTest::newRow("documents") << QByteArray(R"(/perturbations/-={"kind":"document_imbalance","sigma":2})") << int(WhyKind::Documents) << int(Category::StragglerWait);
    QTest::newRow("slow_data") << QByteArray(R"(/perturbations/-={"kind":"slow_data","wait_s":20,"prefetch":0})") << int(WhyKind::DataLoading) << int(Category::DataWait);
    QTest::newRow("checkpoint") << QByteArray(R"(/perturbations/-={"kind":"checkpoint"})") << int(WhyKind::Checkpoint) << int(Category::CheckpointStall);
    QTest::newRow("warm_up") << QByteArray(R"(/perturbations/-={"kind":"warm_up","micro_batches":1,"speed":0.3,"target":"rank:9"})") << int(WhyKind::WarmUp) << int(Category::StragglerWait);
}

void TestPerturbations::rootsAreNamed()
{
    QFETCH(QByteArray, edit);
    QFETCH(int, root);
    QFETCH(int, category);
    const auto plain = run(scenario({})), perturbed = run(scenario({edit.constData()}));
    QVERIFY(plain.result && perturbed.result);
    QVERIFY(perturbed.result->iteration() > plain.result->iteration());
    QCOMPARE(int(perturbed.result->why.back().kind), root);
    QVERIFY(perturbed.result->metrics.breakdownS[static_cast<std::size_t>(category)] > plain.result->metrics.breakdownS[static_cast<std::size_t>(category)]);
    // Every rank's change is the iteration's.
    for (RankIndex rank = 0; rank < 64; rank += 7) {
        const CategoryTimes now = categoryTimesOfRank(*perturbed.result, rank), then = categoryTimesOfRank(*plain.result, rank);
        TimeNs change = 0;
        for (std::size_t c = 0; c < kCategoryCount; ++c)
            change += now[c] - then[c];
        QCOMPARE(change, perturbed.result->iteration() - plain.result->iteration());
    }
    // A cache that has seen other scenarios, and one thread, give the same bytes.
    StageCache cache;
    cache.limitThreads(1);
    static_cast<void>(simulate(scenario({"/layout/pipeline=4"}), catalogue(), cache));
    static_cast<void>(simulate(scenario({}), catalogue(), cache));
    QCOMPARE(resultJson(*simulate(scenario({edit.constData()}), catalogue(), cache).result), resultJson(*perturbed.result));
}

void TestPerturbations::contradictionsAreErrors()
{
    const auto storage = run(scenario({R"(/perturbations/-={"kind":"slow_storage","speed":0.5})"}));
    QVERIFY(storage.error && storage.error->code == ErrorCode::Contradiction);
    QCOMPARE(storage.error->place.pointer, std::string("/perturbations/0/kind"));
    const auto documents = run(scenario({R"(/perturbations/-={"kind":"document_imbalance"})"}));
    QVERIFY(documents.error && documents.error->code == ErrorCode::MissingKey);
    QCOMPARE(documents.error->place.pointer, std::string("/perturbations/0/sigma"));
    // Half the speed doubles the stall.
    const auto once = run(scenario({R"(/perturbations/-={"kind":"checkpoint","stall_s":2})"}));
    const auto twice = run(scenario({R"(/perturbations/-={"kind":"checkpoint","stall_s":2})", R"(/perturbations/-={"kind":"slow_storage","speed":0.5})"}));
    QVERIFY(once.result && twice.result);
    QCOMPARE(twice.result->iteration() - once.result->iteration(), TimeNs{2'000'000'000});
    // Masked documents shorten attention.
    const auto plain = run(scenario({})), masked = run(scenario({R"(/training/documents={"mean":1000,"sigma":500,"masked":true})"}));
    QVERIFY(masked.result && masked.result->iteration() < plain.result->iteration());
    QVERIFY(masked.result->metrics.hfu / masked.result->metrics.mfu < plain.result->metrics.hfu / plain.result->metrics.mfu);
}

QTEST_APPLESS_MAIN(TestPerturbations)
#include "tst_perturbations.moc"
