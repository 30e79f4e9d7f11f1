// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/scenario/resolve.h"

#include <QtTest>

#include <algorithm>
#include <string>
#include <vector>

using namespace clusterbeat;

/// Megatron-Core's flags of context exchange, recompute and offload, with its own defaults.
class TestMegatronMemoryFlags : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void contextExchange();
    void recomputeAndOffload();

private:
    [[nodiscard]] Imported with(const std::string &options) const;
    [[nodiscard]] static bool says(const Imported &import, NoticeCode code, const std::string &first);
    Catalogue m_catalogue;
};

void TestMegatronMemoryFlags::initTestCase()
{
    auto loaded = loadCatalogue();
    QVERIFY(loaded.ok());
    m_catalogue = std::move(loaded).value();
}

Imported TestMegatronMemoryFlags::with(const std::string &options) const
{
    const std::string list = "--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --seq-length 1024 "
                             "--micro-batch-size 1 --bf16 ";
    auto result = importForeign(list + options, "run.sh", m_catalogue);
    if (!result.ok()) qFatal("the arguments are wrong");
    return std::move(result).value();
}

bool TestMegatronMemoryFlags::says(const Imported &import, NoticeCode code, const std::string &first)
{
    return std::any_of(import.notices.begin(), import.notices.end(), [&](const Notice &notice) {
        return notice.code == code && !notice.arguments.empty() &&
               notice.arguments.front() == Argument(first);
    });
}

// Keys and values go around a ring unless the flag says otherwise; without context ranks there is nothing to say.
void TestMegatronMemoryFlags::contextExchange()
{
    const Imported ring = with("--context-parallel-size 2");
    QVERIFY(ring.scenario.layout->contextExchange == ContextExchange::Ring);
    QVERIFY(says(ring, NoticeCode::DefaultTaken, "/layout/context_exchange"));
    const Imported gathered = with("--context-parallel-size 2 --cp-comm-type all_gather");
    QVERIFY(gathered.scenario.layout->contextExchange == ContextExchange::AllGather);
    QVERIFY(!says(gathered, NoticeCode::DefaultTaken, "/layout/context_exchange"));
    QVERIFY(!with("--cp-comm-type p2p").scenario.layout->contextExchange);
    QVERIFY(says(with("--context-parallel-size 2 --cp-comm-type a2a"), NoticeCode::NotSimulated, "--cp-comm-type a2a"));
}

// Selective recompute is of the attention core, or of the modules that the flag lists.
void TestMegatronMemoryFlags::recomputeAndOffload()
{
    QVERIFY(with("--recompute-granularity selective").scenario.training->recompute->mode == RecomputeMode::Selective);
    const Imported modules = with("--recompute-granularity selective --recompute-modules layernorm mlp new_one "
                                  "--cpu-offloading-num-layers 3");
    const TrainingSection &training = *modules.scenario.training;
    QVERIFY(training.recompute->mode == RecomputeMode::Modules);
    QCOMPARE(training.recompute->modules, (std::vector<std::string>{"layernorm", "mlp"}));
    QVERIFY(says(modules, NoticeCode::NotSimulated, "--recompute-modules new_one"));
    QCOMPARE(training.offloadLayers, 3);
    QVERIFY(resolve(modules.scenario, m_catalogue).ok());
}

QTEST_APPLESS_MAIN(TestMegatronMemoryFlags)
#include "tst_megatron_memory_flags.moc"
