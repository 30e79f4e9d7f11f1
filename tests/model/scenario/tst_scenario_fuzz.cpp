// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/base/random.h"
#include "model/scenario/resolve.h"
#include "model/scenario/scenario_json.h"
#include "tests/model/scenario/scenario_fixtures.h"

#include <QtTest>

#include <array>

using namespace clusterbeat;
using test::catalogue;

class TestScenarioFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyTruncation();
    void mutatedBytes();
    void replacedValues();
};

namespace
{

/// Reads, resolves and writes back: whatever the text is, either an error or a scenario that survives the round trip.
bool survives(const std::string &text)
{
    const auto scenario = readScenario(text, catalogue());
    if (!scenario.ok()) return true;
    const auto resolved = resolve(scenario.value(), catalogue());
    if (resolved.ok() && resolved.value().degrees.ranks() > resolved.value().cluster.gpus) return false;
    const auto again = readScenario(writeScenario(scenario.value()), catalogue());
    return again.ok() && sameContent(scenario.value(), again.value());
}

} // namespace

void TestScenarioFuzz::everyTruncation()
{
    const std::string &text = catalogue().presets.front().json;
    // Without its last two characters, "}" and the line's end, nothing is a whole scenario.
    for (std::size_t length = 0; length + 2 <= text.size(); ++length)
        QVERIFY2(!readScenario(std::string_view(text).substr(0, length), catalogue()).ok(),
                 std::to_string(length).c_str());
}

void TestScenarioFuzz::mutatedBytes()
{
    constexpr std::string_view kBytes = "{}[]\",:0123456789.eE+-ntf\\ \n\x80\xff";
    for (const ScenarioPreset &preset : catalogue().presets)
        for (std::uint64_t round = 0; round < 1500; ++round) {
            std::string text = preset.json;
            const std::uint64_t stream = randomStream({round, text.size(), 1});
            const std::uint64_t changes = 1 + randomBits(stream, 0) % 4;
            for (std::uint64_t i = 0; i < changes; ++i) {
                const std::size_t at = randomBits(stream, 2 * i + 1) % text.size();
                const std::uint64_t draw = randomBits(stream, 2 * i + 2);
                if (draw % 3 == 0)
                    text.erase(at, 1 + draw / 3 % 5);
                else if (draw % 3 == 1)
                    text.insert(at, 1, kBytes[draw / 3 % kBytes.size()]);
                else
                    text[at] = kBytes[draw / 3 % kBytes.size()];
            }
            QVERIFY2(survives(text), text.c_str());
        }
}

// Every number of a preset in turn becomes each of these.
void TestScenarioFuzz::replacedValues()
{
    constexpr std::array<const char *, 14> kValues{
        "0", "-1", "1", "2", "3", "7", "1e300", "-0.0", "2.5", "1000000", "9007199254740993", "\"8\"", "null", "[]"};
    for (const ScenarioPreset &preset : catalogue().presets) {
        const std::string &text = preset.json;
        std::size_t at = text.find("\"model\"");
        while ((at = text.find(": ", at)) != std::string::npos) {
            at += 2;
            const std::size_t end = text.find_first_of(",\n", at);
            if (text[at] < '0' || text[at] > '9') continue;
            for (const char *value : kValues) {
                const std::string changed = text.substr(0, at) + value + text.substr(end);
                QVERIFY2(survives(changed), changed.c_str());
            }
        }
    }
}

QTEST_APPLESS_MAIN(TestScenarioFuzz)
#include "tst_scenario_fuzz.moc"
