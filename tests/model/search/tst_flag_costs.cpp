// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/search/flag_costs.h"
#include "tests/model/search/search_fixture.h"

using namespace clusterbeat;
using namespace clusterbeat::test;

namespace
{

const FlagCost *flagOf(const FlagCosts &costs, std::string_view pointer)
{
    for (const FlagCost &flag : costs.flags)
        if (flag.pointer == pointer) return &flag;
    return nullptr;
}

TimeNs iterationOf(const std::vector<PointerEdit> &edits)
{
    StageCache cache;
    return simulate(smallScenario(edits), catalogue(), cache).result->iteration();
}

} // namespace

class TestFlagCosts : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // A change is the difference of two runs of their own, for every flag and value.
    void everyChangeIsTheDifferenceOfTwoRuns()
    {
        const FlagCosts costs = flagCosts(smallScenario(), catalogue());
        QVERIFY(!costs.error && !costs.cancelled);
        QVERIFY(costs.flags.size() >= 6);
        const TimeNs now = iterationOf({});
        for (const FlagCost &flag : costs.flags)
            for (const FlagAlternative &other : flag.alternatives) {
                QVERIFY2(!other.error, flag.pointer.c_str());
                QCOMPARE(other.change, iterationOf({{flag.pointer, other.json}}) - now);
            }
    }

    // The fixture says "unfused": the file's value is in force and every fused kernel saves time. Hiding tensor-parallel
    // collectives saves time; fp32 gradients cost memory: 2 bytes more of every parameter that is not sharded.
    void valuesInForceAndTheirSigns()
    {
        const FlagCosts costs = flagCosts(smallScenario(), catalogue());
        const FlagCost *attention = flagOf(costs, "/software/attention_kernel");
        QVERIFY(attention);
        QCOMPARE(attention->json, std::string("\"unfused\""));
        QCOMPARE(attention->alternatives.size(), std::size_t{4});
        for (const FlagAlternative &other : attention->alternatives) {
            QVERIFY(other.change < 0);
            QVERIFY(other.memoryChange < 0);
        }
        const FlagCost *overlap = flagOf(costs, "/software/tensor_overlap");
        QVERIFY(overlap && overlap->alternatives.size() == 1);
        QCOMPARE(overlap->alternatives[0].json == "true", overlap->alternatives[0].change < 0);
        const FlagCost *gradient = flagOf(costs, "/training/gradient_bytes");
        QVERIFY(gradient && gradient->alternatives.size() == 1);
        QCOMPARE(gradient->alternatives[0].json == "4", gradient->alternatives[0].memoryChange > 0);
    }

    // A dense model in bf16 on one stage has no flags of experts, 8-bit recipes or pipelines.
    void flagsWithoutAMeaningAreLeftOut()
    {
        const FlagCosts costs = flagCosts(smallScenario(), catalogue());
        for (const char *pointer : {"/software/moe_dispatcher", "/software/token_drop", "/software/fp8_recipe",
                                    "/software/expert_overlap", "/layout/overlap/pipeline", "/software/fsdp"})
            QVERIFY2(!flagOf(costs, pointer), pointer);
        const FlagCosts fp8 = flagCosts(smallScenario({{"/training/precision", "fp8"}}), catalogue());
        QVERIFY(flagOf(fp8, "/software/fp8_recipe"));
    }

    void wrongAndCancelled()
    {
        const FlagCosts wrong = flagCosts(smallScenario({{"/layout/tensor", "64"}}), catalogue());
        QVERIFY(wrong.error.has_value());
        QVERIFY(wrong.flags.empty());
        std::stop_source stop;
        stop.request_stop();
        QVERIFY(flagCosts(smallScenario(), catalogue(), stop.get_token()).cancelled);
    }
};

QTEST_APPLESS_MAIN(TestFlagCosts)
#include "tst_flag_costs.moc"
