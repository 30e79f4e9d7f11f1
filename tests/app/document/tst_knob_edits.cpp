// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/knob_edits.h"

#include "model/scenario/scenario_json.h"
#include "tests/model/iteration/random_scenarios.h"

#include <QtTest>

using namespace clusterbeat;
using namespace clusterbeat::knob_edits;

namespace {

constexpr std::uint64_t kScenarios = 40;

QByteArray where(std::uint64_t seed, KnobId id, const std::string &value)
{
    return QByteArray::number(static_cast<qulonglong>(seed)) + ' ' + knob(id).pointer + " = " + value.c_str();
}

} // namespace

class TestKnobEdits final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase()
    {
        auto loaded = loadCatalogue();
        QVERIFY(loaded.ok());
        m_catalogue = std::move(loaded).value();
        m_presets.emplace(m_catalogue);
        m_llama = readPreset("llama3-405b-16k", m_catalogue, {{"/layout/data", "128"}}).value();
    }

    // The table is in the order of its identifiers, each has its own place, and a place below finds its knob.
    void theTableIsWhole()
    {
        QCOMPARE(knobs().size(), kKnobCount);
        QSet<QString> pointers;
        for (std::size_t i = 0; i < kKnobCount; ++i) {
            const Knob &each = knobs()[i];
            QCOMPARE(static_cast<std::size_t>(each.id), i);
            QVERIFY(each.lowest <= each.highest);
            pointers.insert(QString::fromUtf8(each.pointer));
            QVERIFY(knobAt(each.pointer) && knobAt(each.pointer)->id == each.id);
        }
        QCOMPARE(static_cast<std::size_t>(pointers.size()), kKnobCount);
        QCOMPARE(knobAt("/training/recompute/modules/0")->id, KnobId::Recompute);
        QCOMPARE(knobAt("/training/recompute/layers")->id, KnobId::RecomputedLayers);
        QVERIFY(!knobAt("/model/heads") && !knobAt("/layout") && !knobAt("/layout/tensors"));
    }

    // Whatever is offered and possible is what the knob says afterwards, the run is valid, and turning the knob to where
    // it is changes nothing.
    void turningAKnobSetsIt()
    {
        int turned = 0;
        for (std::uint64_t seed = 0; seed < kScenarios; ++seed) {
            const Scenario scenario = randomScenario(seed);
            const auto resolved = resolve(scenario, m_catalogue);
            if (!resolved.ok()) continue;
            for (const Knob &each : knobs()) {
                if (missingNeed(each.id, scenario, resolved.value())) continue;
                for (const std::string &value : knobChoices(each.id, scenario, resolved.value(), m_catalogue, *m_presets)) {
                    const auto next = validWithKnob(scenario, each.id, value, m_catalogue);
                    if (!next.ok()) continue;
                    ++turned;
                    const auto after = resolve(next.value(), m_catalogue);
                    QVERIFY2(after.ok(), where(seed, each.id, value));
                    const std::string said = knobValue(each.id, next.value(), &after.value(), *m_presets);
                    const std::string taken = knobTaken(each.id, after.value());
                    QVERIFY2(said == value || taken == value || sameContent(next.value(), scenario), where(seed, each.id, value));
                }
                const std::string now = knobValue(each.id, scenario, nullptr, *m_presets);
                const auto same = withKnob(scenario, each.id, now, m_catalogue);
                if (each.kind != KnobKind::Choice) QVERIFY2(same.ok() && sameContent(same.value(), scenario), where(seed, each.id, now));
            }
        }
        QVERIFY(turned > 1000);
    }

    // The offered second change always resolves, keeps the first one, and changes what it says it changes.
    void anOfferedRepairAlwaysResolves()
    {
        int refused = 0, repaired = 0;
        for (std::uint64_t seed = 0; seed < kScenarios; ++seed) {
            const Scenario scenario = randomScenario(seed);
            const auto resolved = resolve(scenario, m_catalogue);
            if (!resolved.ok()) continue;
            Draws draw(seed + 500);
            for (const Knob &each : knobs()) {
                std::vector<std::string> values = knobChoices(each.id, scenario, resolved.value(), m_catalogue, *m_presets);
                if (each.kind == KnobKind::Integer) values.push_back(std::to_string(draw.whole(1, 40)));
                if (missingNeed(each.id, scenario, resolved.value())) continue;
                for (const std::string &value : values) {
                    const auto first = withKnob(scenario, each.id, value, m_catalogue);
                    if (!first.ok() || resolve(first.value(), m_catalogue).ok()) continue;
                    ++refused;
                    const auto repair = repairOf(scenario, each.id, value, m_catalogue, *m_presets);
                    if (!repair) continue;
                    ++repaired;
                    const auto after = resolve(repair->scenario, m_catalogue);
                    QVERIFY2(after.ok(), where(seed, each.id, value));
                    QVERIFY2(repair->knob != each.id, where(seed, each.id, value));
                    QCOMPARE(knobValue(each.id, repair->scenario, nullptr, *m_presets), knobValue(each.id, first.value(), nullptr, *m_presets));
                    QCOMPARE(knobValue(repair->knob, repair->scenario, &after.value(), *m_presets), repair->value);
                    QVERIFY2(repair->value != knobValue(repair->knob, first.value(), nullptr, *m_presets), where(seed, each.id, value));
                }
            }
        }
        QVERIFY(refused > 150);
        QVERIFY2(repaired * 2 > refused, qPrintable(QStringLiteral("%1 of %2").arg(repaired).arg(refused)));
    }

    // 126 layers, embedding and head counted: 128 parts. 32 stages hold 4 chunks each, 8 were set; 16,384 GPUs hold 64
    // replicas of 8 x 32 instead of 128 of 8 x 16, and 2,048 sequences divide by 64.
    void pipeline32NeedsFourVirtualStages()
    {
        const auto repair = repairOf(m_llama, KnobId::Pipeline, "32", m_catalogue, *m_presets);
        QVERIFY(repair.has_value());
        QCOMPARE(repair->knob, KnobId::VirtualStages);
        QCOMPARE(repair->before, std::string("8"));
        QCOMPARE(repair->value, std::string("4"));
        QCOMPARE(*repair->scenario.layout->data, std::int64_t{64});
        // What is possible needs no repair; a value that is no number has none.
        QVERIFY(!repairOf(m_llama, KnobId::Tensor, "16", m_catalogue, *m_presets));
        QVERIFY(!repairOf(m_llama, KnobId::Pipeline, "\"many\"", m_catalogue, *m_presets));
    }

    // 128 heads do not divide by 7, whatever else is changed.
    void headsHaveNoRepairBySize() { QVERIFY(!repairOf(m_llama, KnobId::Tensor, "7", m_catalogue, *m_presets)); }

    // A schedule brings its chunks: 1F1B and ZB-H1 one, the V shapes two, interleaving at least two.
    void schedulesBringTheirChunks()
    {
        const auto chunksWith = [&](const char *schedule) {
            const auto next = validWithKnob(m_llama, KnobId::Schedule, schedule, m_catalogue);
            return next.ok() ? resolve(next.value(), m_catalogue).value().degrees.virtualPipeline : -1;
        };
        QCOMPARE(chunksWith("\"1f1b\""), 1);
        QCOMPARE(chunksWith("\"gpipe\""), 1);
        QCOMPARE(chunksWith("\"zb-h1\""), 1);
        QCOMPARE(chunksWith("\"zb-v\""), 2);
        QCOMPARE(chunksWith("\"interleaved\""), 8);
        const auto plain = validWithKnob(m_llama, KnobId::Schedule, "\"1f1b\"", m_catalogue);
        const auto back = validWithKnob(plain.value(), KnobId::VirtualStages, "4", m_catalogue);
        QVERIFY(back.ok());
        QCOMPARE(resolve(back.value(), m_catalogue).value().degrees.schedule, ScheduleKind::Interleaved);
    }

    // 8 x 16 x 128 = 16,384: all GPUs are used, so half of them hold 64 replicas and twice as many up to 256; a layout that
    // left some idle keeps its replicas.
    void replicasFollowTheGpus()
    {
        const auto dataWith = [&](const Scenario &scenario, KnobId id, const char *value) {
            const auto next = validWithKnob(scenario, id, value, m_catalogue);
            return next.ok() ? next.value().layout->data.value_or(0) : -1;
        };
        QCOMPARE(dataWith(m_llama, KnobId::Gpus, "8192"), 64);
        // 2,048 sequences are 8 for each of 256 replicas, fewer than 16 interleaved stages can run; 4,096 are 16.
        QCOMPARE(dataWith(m_llama, KnobId::Gpus, "32768"), 128);
        const auto batch = validWithKnob(m_llama, KnobId::GlobalBatch, "4096", m_catalogue);
        QCOMPARE(dataWith(batch.value(), KnobId::Gpus, "32768"), 256);
        QCOMPARE(dataWith(m_llama, KnobId::Tensor, "16"), 64);
        QCOMPARE(dataWith(m_llama, KnobId::Pipeline, "8"), 128);
        const auto fewer = validWithKnob(m_llama, KnobId::Data, "64", m_catalogue);
        QCOMPARE(dataWith(fewer.value(), KnobId::Gpus, "32768"), 64);
    }

    // Another accelerator stands in its own servers: GB200 in trays of 4 of 72 GPUs, of which 64 are used.
    void anAcceleratorBringsItsShape()
    {
        const auto next = validWithKnob(m_llama, KnobId::Accelerator, "\"GB200-NVL72\"", m_catalogue);
        QVERIFY(next.ok());
        const auto resolved = resolve(next.value(), m_catalogue);
        QCOMPARE(resolved.value().cluster.scaleupDomain, 72);
        QCOMPARE(resolved.value().cluster.gpusPerServer, 4);
        QVERIFY(resolved.value().degrees.ranks() <= 16384);
    }

    // An own split of the layers is of a number of chunks.
    void theLayerSplitGoesWithItsChunks()
    {
        Scenario scenario = m_llama;
        LayoutSection layout = *scenario.layout;
        layout.layersPerStage.assign(128, 1);
        layout.layersPerStage.front() = layout.layersPerStage.back() = 0;
        scenario.layout = std::make_shared<const LayoutSection>(layout);
        QVERIFY(resolve(scenario, m_catalogue).ok());
        QVERIFY(validWithKnob(scenario, KnobId::Pipeline, "8", m_catalogue).value().layout->layersPerStage.empty());
        QCOMPARE(validWithKnob(scenario, KnobId::Tensor, "4", m_catalogue).value().layout->layersPerStage.size(), std::size_t{128});
    }

    // By vendor, none lost.
    void acceleratorsAreSortedByVendor()
    {
        const auto names = acceleratorsByVendor(m_catalogue);
        QCOMPARE(names.size(), m_catalogue.accelerators.size());
        int changes = 0;
        for (std::size_t i = 1; i < names.size(); ++i) changes += vendorOf(names[i]) != vendorOf(names[i - 1]) ? 1 : 0;
        QSet<QString> vendors;
        for (const auto &name : names) {
            QVERIFY2(!vendorOf(name).empty(), name.c_str());
            vendors.insert(QString::fromStdString(std::string(vendorOf(name))));
        }
        QCOMPARE(changes + 1, static_cast<int>(vendors.size()));
    }

private:
    Catalogue m_catalogue;
    std::optional<KnobPresets> m_presets;
    Scenario m_llama;
};

QTEST_GUILESS_MAIN(TestKnobEdits)
#include "tst_knob_edits.moc"
