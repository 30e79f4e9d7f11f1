// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/layer_pattern.h"
#include "model/workload/parameters.h"

#include <QtTest>

#include <random>
#include <vector>

using namespace clusterbeat;

/// Lists of layers in the scenario's words, and the two small languages that write such lists.
class TestLayerPattern : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    void expertRules();
    void windowRules();
    void anyListKeepsItsLayers();
    void pythonLists_data();
    void pythonLists();
    void notPython();
    void stageLayouts();
};

namespace
{

std::vector<bool> layersOf(const char *text)
{
    std::vector<bool> layers;
    for (; *text != '\0'; ++text) layers.push_back(*text == '1');
    return layers;
}

} // namespace

void TestLayerPattern::expertRules()
{
    QCOMPARE(expertPattern(layersOf("1111")), std::optional(ExpertPattern{0, 1, true}));
    QCOMPARE(expertPattern(layersOf("0001111")), std::optional(ExpertPattern{3, 1, true}));
    QCOMPARE(expertPattern(layersOf("010101")), std::optional(ExpertPattern{1, 2, true}));
    QCOMPARE(expertPattern(layersOf("100100100")), std::optional(ExpertPattern{0, 3, true}));
    QCOMPARE(expertPattern(layersOf("0001")), std::optional(ExpertPattern{3, 1, true}));
    QCOMPARE(expertPattern(layersOf("0000")), std::optional<ExpertPattern>());
    // No rule says it: five of eight have experts, and so has the answer.
    QCOMPARE(expertPattern(layersOf("11010011")), std::optional(ExpertPattern{3, 1, false}));
}

void TestLayerPattern::windowRules()
{
    QCOMPARE(windowPattern(9, layersOf("1111")), std::optional(AttentionWindow{9, 1}));
    QCOMPARE(windowPattern(9, layersOf("101010")), std::optional(AttentionWindow{9, 2}));
    QCOMPARE(windowPattern(9, layersOf("11111011111011")), std::optional(AttentionWindow{9, 1, 6}));
    QCOMPARE(windowPattern(9, layersOf("0111")), std::optional(AttentionWindow{9, 1, 0, {0}}));
    QCOMPARE(windowPattern(9, layersOf("0000")), std::optional<AttentionWindow>());
}

// The law: whatever the list, the scenario's model windows exactly those layers, and as many layers have experts.
void TestLayerPattern::anyListKeepsItsLayers()
{
    std::mt19937 random(11);
    for (int round = 0; round < 500; ++round) {
        std::vector<bool> layers(1 + random() % 40);
        const auto period = 1 + random() % 7;
        for (std::size_t i = 0; i < layers.size(); ++i)
            layers[i] = round % 3 == 0 ? random() % 2 == 0 : (i % period == random() % 1 || (round % 3 == 1 && i % period != period - 1));
        ModelSection model;
        model.layers = static_cast<std::int64_t>(layers.size());
        model.attentionWindow = windowPattern(128, layers);
        const auto experts = expertPattern(layers);
        if (experts) model.moe = MoeShape{8, 2, 0, 64, experts->denseLayers, experts->every};
        std::int64_t listed = 0, counted = 0;
        for (std::size_t i = 0; i < layers.size(); ++i) {
            QCOMPARE(isWindowed(model, static_cast<std::int64_t>(i)), layers[i]);
            listed += layers[i] ? 1 : 0;
            counted += isMoeLayer(model, static_cast<std::int64_t>(i)) ? 1 : 0;
            if (experts && experts->exact) QCOMPARE(isMoeLayer(model, static_cast<std::int64_t>(i)), layers[i]);
        }
        QCOMPARE(counted, listed);
    }
}

// What python3 -c "print(…)" prints.
void TestLayerPattern::pythonLists_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("ones");
    QTest::newRow("dense first") << "([0]*3+[1]*5)" << "00011111";
    QTest::newRow("times first") << "3*[0]+[1]*2" << "00011";
    QTest::newRow("alternating") << "([0,1]*3)" << "010101";
    QTest::newRow("one dense") << "[0]+[1]*4" << "01111";
    QTest::newRow("nested product") << "([1]+[0]*2)*2+[1]" << "1001001";
    QTest::newRow("written out") << "[0, 0, 1, 1]" << "0011";
    QTest::newRow("lists in lists") << "[[0]*2, [1, 1]]" << "0011";
    QTest::newRow("quoted") << "'[1]*2'" << "11";
    QTest::newRow("arithmetic") << "[0]*(1+1)+[1]*(2*2)" << "001111";
    QTest::newRow("comma at the end") << "[1,0,]" << "10";
}

void TestLayerPattern::pythonLists()
{
    QFETCH(const QString, text);
    QFETCH(const QString, ones);
    const auto list = readPythonList(text.toStdString());
    QVERIFY(list.has_value());
    QVERIFY(!list->number);
    QString found;
    for (const std::int64_t item : list->items) found += QString::number(item);
    QCOMPARE(found, ones);
}

void TestLayerPattern::notPython()
{
    QCOMPARE(readPythonList("2")->number, std::optional<std::int64_t>(2));
    for (const char *text : {"", "[", "[0]*", "[0]+1", "[0]*[1]", "layers", "[0]*3)", "[1]*99999999999", "1 2", "[0 1]*-1", "[1]*100000"})
        QVERIFY2(!readPythonList(text), text);
    QVERIFY(!readPythonList(std::string(5000, '(')));
}

void TestLayerPattern::stageLayouts()
{
    const auto layers = [](const char *text) { return readStageLayout(text).value_or(StageLayout{}).layers; };
    QCOMPARE(layers("Et|(tt|)*6L"), (std::vector<std::int64_t>{1, 2, 2, 2, 2, 2, 2, 0}));
    QCOMPARE(layers("Ett|tt|tt|ttL"), (std::vector<std::int64_t>{2, 2, 2, 2}));
    QCOMPARE(layers("Et*3|(tt|)*2,mL"), (std::vector<std::int64_t>{3, 2, 2, 0}));
    QCOMPARE(layers("E|(t|t|)*2L"), (std::vector<std::int64_t>{0, 1, 1, 1, 1, 0}));
    QCOMPARE(readStageLayout("Ett|ttm|L")->predictionPart, std::optional<std::size_t>(1));
    QVERIFY(!readStageLayout("Ett|tt|L")->predictionPart);
    for (const char *text : {"", "E(t", "Et)|L", "Et*|L", "decoder|L", "(t|)*99999999", "Et*-1|L"}) QVERIFY2(!readStageLayout(text), text);
}

QTEST_APPLESS_MAIN(TestLayerPattern)
#include "tst_layer_pattern.moc"
