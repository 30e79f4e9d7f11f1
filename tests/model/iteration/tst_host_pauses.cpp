// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Pauses placed together are those of the definition: every instant of every host, one after the other.
#include "model/base/random.h"
#include "model/iteration/host_pauses.h"
#include "tests/model/iteration/random_plans.h"
#include "tests/model/iteration/random_scenarios.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

/// The purpose of a host's phase: a drawn phase stays the same from release to release.
constexpr std::uint64_t kPurpose = 0x6763706175736501ULL;

Perturbation pause(double everyS, double pauseS, std::int64_t seed, bool aligned = false)
{
    Perturbation perturbation;
    perturbation.kind = PerturbationKind::GcPause;
    perturbation.timing.everyS = everyS;
    perturbation.timing.pauseS = pauseS;
    perturbation.timing.aligned = aligned;
    perturbation.seed = seed;
    return perturbation;
}

std::vector<std::size_t> allOf(const IterationPlan &plan)
{
    std::vector<std::size_t> all(static_cast<std::size_t>(plan.ranks()));
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
}

/// Of one host on operation k of stage 0: an instant inside costs the pause, one in the wait before it what outlasts it.
TimeNs byDefinition(const IterationPlan &plan, const Trace &twin, std::size_t position, std::int32_t k, const std::vector<Perturbation> &list)
{
    const TimeNs free = k > 0 ? twin.finishOf(0, k - 1, 0) : twin.originOf(0, 0), start = startOfOperation(plan, twin, 0, k, 0), end = twin.finishOf(0, k, 0);
    TimeNs sum = 0;
    for (const Perturbation &each : list) {
        const TimeNs every = toNs(each.timing.everyS), length = toNs(each.timing.pauseS);
        const std::uint64_t host = each.timing.aligned ? ~std::uint64_t{0} : position;
        const double phase = randomUniform(randomStream({static_cast<std::uint64_t>(each.seed), host, kPurpose}), 0);
        for (TimeNs t = static_cast<TimeNs>(phase * static_cast<double>(every)) - every; t < end; t += every) {
            if (t >= start) sum += length;
            else if (t >= free) sum += std::max<TimeNs>(0, t + length - start);
        }
    }
    return sum;
}

} // namespace

class TestHostPauses final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asDefined();
    void whatIsKeptIsBounded();
};

// Few and many pauses of one rhythm, longer and shorter than the operations, on all hosts and on some, aligned or not.
void TestHostPauses::asDefined()
{
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
        Draws draw(seed);
        const IterationPlan base = randomPlan(seed);
        const Trace twin = executeUnperturbed(base);
        if (base.stages() == 0) continue;
        IterationPlan plan = base;
        const double iteration = toSeconds(twin.iteration);
        std::vector<Perturbation> everywhere, some;
        for (int rhythm = 0; rhythm < 3; ++rhythm) {
            const double every = iteration * draw.real(0.02, 3.0), length = every * draw.real(0.01, 0.9);
            const std::int64_t count = draw.of(std::array<std::int64_t, 3>{1, 6, 300});
            for (std::int64_t i = 0; i < count; ++i) everywhere.push_back(pause(every, length, draw.whole(0, 1 << 20), draw.once(5)));
        }
        some.push_back(pause(iteration * draw.real(0.05, 2.0), iteration * 0.03, 7));
        HostPauses pauses(plan, twin);
        for (const Perturbation &each : everywhere) pauses.add(each, allOf(plan));
        for (const Perturbation &each : some) pauses.add(each, {0});
        pauses.place(plan);
        for (const std::size_t position : {std::size_t{0}, static_cast<std::size_t>(plan.groupSize) - 1}) {
            std::vector<Perturbation> list = everywhere;
            if (position == 0) list.insert(list.end(), some.begin(), some.end());
            for (std::int32_t k = 0; k < static_cast<std::int32_t>(plan.schedule.order[0].size()); ++k)
                QCOMPARE(memberPause(plan, position, k), byDefinition(plan, twin, position, k, list));
        }
    }
}

// 4 micro-batches are 8 operations and the optimizer: however many pauses there are, a host keeps at most nine; one in
// ten iterations, at most two instants' worth.
void TestHostPauses::whatIsKeptIsBounded()
{
    const IterationPlan plan = simplePlan(ScheduleKind::OneFOneB, 1, 1, 4, 1'000'000, 2'000'000, 3, 2);
    const Trace twin = executeUnperturbed(plan);
    HostPauses dense(plan, twin), sparse(plan, twin);
    for (int i = 0; i < 1000; ++i) dense.add(pause(2e-6 + 1e-3, 1e-3, i), allOf(plan));
    QCOMPARE(dense.kept(), 9.0 * 6.0);
    sparse.add(pause(10.0 * toSeconds(twin.iteration), 1e-3, 1), allOf(plan));
    QVERIFY(sparse.kept() <= 2.0 * 6.0);
    QVERIFY(sparse.work() < dense.work() / 100.0);
}

QTEST_APPLESS_MAIN(TestHostPauses)
#include "tst_host_pauses.moc"
