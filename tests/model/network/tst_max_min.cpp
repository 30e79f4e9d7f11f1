// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/network/max_min.h"

#include "model/base/random.h"

#include <QtTest>

#include <cmath>

using namespace clusterbeat;

namespace {

FlowTable table(const std::vector<std::vector<LinkUse>> &rows)
{
    FlowTable flows;
    for (const auto &row : rows) {
        for (const LinkUse &use : row)
            flows.use(use.link, use.weight);
        flows.endFlow();
    }
    return flows;
}

void compareRates(const MaxMinRates &result, const std::vector<double> &expected)
{
    QCOMPARE(result.rates.size(), expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i)
        QVERIFY2(std::abs(result.rates[i] - expected[i]) <= 1e-12 * expected[i], std::to_string(i).c_str());
}

} // namespace

class TestMaxMin final : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLongFlowSharesEveryLinkOfALine();
    void flowsTakeWhatBottleneckedOnesLeave();
    void weightsAreShares();
    void linksThatFillTogetherNameTheFirst();
    void edgeCases();
    void everyFlowHasABottleneck();
};

// Three links of capacity 1 in a line, one flow over all of them and one on each (the classic example): all get 1/2.
void TestMaxMin::aLongFlowSharesEveryLinkOfALine()
{
    compareRates(maxMinRates(table({{{0}, {1}, {2}}, {{0}}, {{1}}, {{2}}}), {1, 1, 1}), {0.5, 0.5, 0.5, 0.5});
    // With capacities 1, 2, 3: the long flow and the first stop at 1/2; the others take 3/2 and 5/2.
    const auto result = maxMinRates(table({{{0}, {1}, {2}}, {{0}}, {{1}}, {{2}}}), {1, 2, 3});
    compareRates(result, {0.5, 0.5, 1.5, 2.5});
    QVERIFY((result.limiting == std::vector<std::int32_t>{0, 0, 1, 2}));
}

// After Bertsekas & Gallager, section 6.5.2: links 0, 1, 2 of capacity 1; flow 0 on 0; flow 1 on 0 and 1; flows 2 on 1,
// 3 on 1 and 2; flow 4 on 2. Link 1 has three flows and fills at 1/3; then flow 0 takes 2/3 of link 0, flow 4 2/3 of 2.
void TestMaxMin::flowsTakeWhatBottleneckedOnesLeave()
{
    const auto result = maxMinRates(table({{{0}}, {{0}, {1}}, {{1}}, {{1}, {2}}, {{2}}}), {1, 1, 1});
    compareRates(result, {2.0 / 3, 1.0 / 3, 1.0 / 3, 1.0 / 3, 2.0 / 3});
    QVERIFY((result.limiting == std::vector<std::int32_t>{0, 1, 1, 1, 2}));
}

// Flow 0 splits evenly over links 0 and 1 (capacity 10 and 4), flow 1 is alone on link 1 with weight 1:
// link 1 fills at x/2 + x = 4, x = 8/3. A flow of weight 3 for three equal ones on link 2 (capacity 6): 2 each.
void TestMaxMin::weightsAreShares()
{
    compareRates(maxMinRates(table({{{0, 0.5}, {1, 0.5}}, {{1}}, {{2, 3.0}}}), {10, 4, 6}), {8.0 / 3, 8.0 / 3, 2.0});
}

void TestMaxMin::linksThatFillTogetherNameTheFirst()
{
    // Link 2 = three flows of 0.1 on capacity 0.3, links 0 and 1 = 0.1: equal but for rounding.
    const auto result = maxMinRates(table({{{2}, {1}}, {{2}, {0}}, {{2}}}), {0.1, 0.1, 0.1 + 0.2});
    QVERIFY((result.limiting == std::vector<std::int32_t>{1, 0, 2}));
}

void TestMaxMin::edgeCases()
{
    QVERIFY(maxMinRates({}, {1.0}).rates.empty());
    const auto result = maxMinRates(table({{}, {{0}}, {{1}}}), {0.0, 5.0});
    QVERIFY(std::isinf(result.rates[0]));
    QCOMPARE(result.limiting[0], -1);
    QCOMPARE(result.rates[1], 0.0);
    QCOMPARE(result.rates[2], 5.0);
}

// Bertsekas & Gallager's proposition: rates are max-min fair if and only if they fit the links and every flow has a
// link that is full and on which no other flow has a higher rate. Random networks of 40 links and 200 flows.
void TestMaxMin::everyFlowHasABottleneck()
{
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
        const std::uint64_t stream = randomStream({seed, 1, 2});
        std::uint64_t draw = 0;
        std::vector<double> capacities;
        for (int i = 0; i < 40; ++i)
            capacities.push_back(1.0 + 9.0 * randomUniform(stream, draw++));
        std::vector<std::vector<LinkUse>> rows(200);
        for (auto &row : rows)
            for (std::int32_t link = 0; link < 40; ++link)
                if (link == static_cast<std::int32_t>((&row - rows.data()) % 40) ||
                    randomUniform(stream, draw++) < 0.05)
                    row.push_back({link, 0.25 + randomUniform(stream, draw++)});
        const auto result = maxMinRates(table(rows), capacities);
        std::vector<double> load(40, 0.0), highest(40, 0.0);
        for (std::size_t f = 0; f < rows.size(); ++f)
            for (const LinkUse &use : rows[f]) {
                load[static_cast<std::size_t>(use.link)] += use.weight * result.rates[f];
                highest[static_cast<std::size_t>(use.link)] =
                    std::max(highest[static_cast<std::size_t>(use.link)], result.rates[f]);
            }
        for (std::size_t i = 0; i < 40; ++i)
            QVERIFY(load[i] <= capacities[i] * (1.0 + 1e-7));
        for (std::size_t f = 0; f < rows.size(); ++f) {
            const auto link = static_cast<std::size_t>(result.limiting[f]);
            QVERIFY(load[link] >= capacities[link] * (1.0 - 1e-7));
            QVERIFY(result.rates[f] >= highest[link] * (1.0 - 1e-7));
        }
    }
}

QTEST_APPLESS_MAIN(TestMaxMin)
#include "tst_max_min.moc"
