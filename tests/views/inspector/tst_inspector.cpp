// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "tests/support/sample_result.h"
#include "views/inspector/breakdown_table.h"
#include "views/inspector/gpu_header.h"
#include "views/inspector/inspector.h"
#include "views/inspector/memory_chart.h"
#include "views/inspector/why_chain.h"
#include "views/text/names.h"

#include <QAccessible>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>
#include <QToolButton>
#include <QtTest>

using namespace clusterbeat;

namespace {

template <typename Widget>
Widget *named(QWidget &parent, const QString &accessibleName)
{
    for (Widget *each : parent.findChildren<Widget *>())
        if (each->accessibleName() == accessibleName) return each;
    return nullptr;
}

} // namespace

class TestInspector final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The dot of a step has the colour of what the rank does: an optimizer step and a checkpoint are no backward.
    void dotsOfOptimizerAndCheckpoint()
    {
        const auto result = sampleResult({});
        WhyStep step;
        step.kind = WhyKind::Computing;
        QCOMPARE(categoryOfStep(step, *result), Category::Optimizer);
        step.operation = 0;     // 1F1B begins with a forward
        QCOMPARE(categoryOfStep(step, *result), Category::Forward);
        step.kind = WhyKind::Checkpoint, step.operation = kNone;
        QCOMPARE(categoryOfStep(step, *result), Category::CheckpointStall);
    }

    void initTestCase()
    {
        SampleOptions options;
        options.replicas = 8;
        m_base = sampleResult(options);
        options.slow = SampleOptions::Slow{1, 3, 1, 0.5};
        m_slow = sampleResult(options);
    }

    // 1F1B, 4 stages: the first rank fills up to 4 micro-batches (21.1 GB over 41.3 GB that stay), the last holds one.
    void memoryOverTheIteration()
    {
        ViewState state;
        state.setDuration(m_base->iteration());
        Inspector inspector(&state);
        inspector.resize(300, 1400);
        inspector.setResult(m_base);
        auto *chart = inspector.findChild<MemoryChart *>();
        QVERIFY(chart && chart->accessibleName() == QStringLiteral("Memory over the iteration"));
        QVERIFY(chart->accessibleDescription().contains(QStringLiteral("41.3")) && chart->accessibleDescription().contains(QStringLiteral("62.4")));
        state.setSelectedGpu(m_base->placement->gpuOfRank[std::size_t(m_base->placement->rankAt(3, 2, 0))]);
        const auto end = [this](int operation) { return m_base->run.trace.finishOf(3, operation, 0); };
        QCOMPARE(chart->at(0).total(), Bytes{41'300'000'000});
        QCOMPARE(chart->at(end(0)).total(), Bytes{62'400'000'000});
        QCOMPARE(chart->at(end(1)).total(), Bytes{41'300'000'000});
        // A click in the middle is the middle of the iteration.
        inspector.show();
        QVERIFY(QTest::qWaitForWindowExposed(&inspector));
        QTest::mouseClick(chart, Qt::LeftButton, {}, chart->rect().center());
        const double share = double(state.playhead()) / double(m_base->iteration());
        QVERIFY2(share > 0.48 && share < 0.52, qPrintable(QStringLiteral("%1, width %2").arg(share).arg(chart->width())));
        inspector.setResult(nullptr);
        QVERIFY(!chart->isVisibleTo(&inspector));
    }

    // Columns add up as printed, and a category that did not change shows none: 1.0004 + 1.0004 + 0.5 -> 2.501 -> after
    // +0.3004 in the last: 2.801, so the change of the sum is the change of that row.
    void breakdownAddsUp()
    {
        std::array<double, kCategoryCount> before{}, now{};
        before[categoryIndex(Category::Forward)] = 1.0004;
        before[categoryIndex(Category::Backward)] = 1.0004;
        before[categoryIndex(Category::Bubble)] = 0.5;
        now = before;
        now[categoryIndex(Category::StragglerWait)] = 0.3004;
        const std::vector<BreakdownRow> rows = breakdownRows(now, before);
        QCOMPARE(rows.size(), std::size_t{5});
        std::int64_t sum = 0, change = 0;
        for (std::size_t i = 0; i + 1 < rows.size(); ++i) {
            sum += rows[i].milliseconds;
            change += rows[i].change;
            if (rows[i].category != static_cast<std::int32_t>(categoryIndex(Category::StragglerWait))) QCOMPARE(rows[i].change, std::int64_t{0});
        }
        QCOMPARE(rows.back().category, -1);
        QCOMPARE(rows.back().milliseconds, std::int64_t{2801});
        QCOMPARE(rows.back().milliseconds, sum);
        QCOMPARE(rows.back().change, change);
        QCOMPARE(breakdownRows(now, std::nullopt).back().change, std::int64_t{0});
        // A category that went away keeps its row.
        const std::vector<BreakdownRow> back = breakdownRows(before, now);
        QCOMPARE(back.size(), std::size_t{5});
        QVERIFY(back.back().change < 0);
    }

    // The root always stays: of six steps four are kept: the first and the last three.
    void shortChainKeepsTheRoot()
    {
        QCOMPARE(keptSteps(3, 4), (std::vector<std::size_t>{0, 1, 2}));
        QCOMPARE(keptSteps(6, 4), (std::vector<std::size_t>{0, 3, 4, 5}));
        QVERIFY(keptSteps(0, 4).empty());
    }

    // A click on the last step of the chain goes to the slow GPU and to an instant of the iteration.
    void chainJumpsToTheRoot()
    {
        ViewState state;
        state.setDuration(m_slow->iteration());
        Inspector inspector(&state);
        inspector.resize(324, 900);
        inspector.setResult(m_slow);
        inspector.setBaseline(m_base);
        // A victim in another replica, near the end of the iteration.
        const GpuIndex victim = m_slow->placement->gpuOfRank[static_cast<std::size_t>(m_slow->placement->rankAt(3, 6, 0))];
        state.setSelectedGpu(victim);
        state.setPlayhead(m_slow->iteration() * 9 / 10);
        inspector.show();
        auto *chain = inspector.findChild<WhyChain *>();
        QTRY_VERIFY(chain->accessibleDescription().contains(QStringLiteral("runs at")));
        for (int i = 0; i < 8; ++i) QTest::keyClick(chain, Qt::Key_Down);
        QTest::keyClick(chain, Qt::Key_Return);
        QCOMPARE(state.selectedGpu(), m_slow->slowest.gpu);
        QVERIFY(state.playhead() >= state.visible().begin && state.playhead() < m_slow->iteration());
    }

    // The slider acts on the root cause; keys and presets are whole steps, holding it is dragging.
    void whatIfReports()
    {
        ViewState state;
        state.setDuration(m_slow->iteration());
        Inspector inspector(&state);
        inspector.setResult(m_slow);
        QSignalSpy requested(&inspector, &Inspector::slowGpuRequested);
        auto *slider = named<QSlider>(inspector, QStringLiteral("Speed of the GPU in percent"));
        QCOMPARE(slider->value(), 50);
        const QString path = QString::fromStdString(m_slow->expansion->pathOf(m_slow->slowest.gpu));
        slider->setSliderDown(true);
        slider->setValue(80);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested.at(0).at(0).toString(), path);
        QCOMPARE(requested.at(0).at(1).toDouble(), 0.8);
        QCOMPARE(requested.at(0).at(2).toBool(), true);
        slider->setSliderDown(false);
        QCOMPARE(requested.last().at(2).toBool(), false);
        named<QPushButton>(inspector, QStringLiteral("Nominal speed"))->click();
        QCOMPARE(requested.last().at(1).toDouble(), 1.0);
        // Nothing slow and nothing selected: there is nothing to change.
        inspector.setResult(m_base);
        QVERIFY(slider->parentWidget()->isHidden());
        state.setSelectedGpu(0);
        QVERIFY(!slider->parentWidget()->isHidden());
        QCOMPARE(slider->value(), 100);
    }

    // The contents never ask for more than the narrowest inspector gives, less the scroll bar, whatever the letters:
    // with a slow GPU selected every section is there.
    void narrowInspectorHoldsItsContents()
    {
        for (const ThemeKind kind : {ThemeKind::Light, ThemeKind::Projector}) {
            ViewState state;
            state.setTheme(Theme(kind));
            state.setCompact(true);
            state.setDuration(m_slow->iteration());
            Inspector inspector(&state);
            inspector.setStyleSheet(styleSheet(Theme(kind)));
            inspector.setResult(m_slow);
            state.setSelectedGpu(m_slow->slowest.gpu);
            inspector.resize(inspector.minimumSizeHint().width(), 500);
            inspector.show();
            auto *scroll = inspector.findChild<QScrollArea *>();
            QVERIFY2(scroll->widget()->width() <= scroll->viewport()->width(),
                     qPrintable(QStringLiteral("%1 in %2").arg(scroll->widget()->width()).arg(scroll->viewport()->width())));
        }
        ViewState plain, large;
        large.setTheme(Theme(ThemeKind::Projector));
        QVERIFY(Inspector(&large).minimumSizeHint().width() > Inspector(&plain).minimumSizeHint().width());
    }

    // The state shown is that of the playhead's instant at every move; the first row names the collective that the GPU
    // is in; the chain's height is the same at every instant.
    void stateFollowsThePlayhead()
    {
        ViewState state;
        state.setDuration(m_slow->iteration());
        Inspector inspector(&state);
        inspector.setResult(m_slow);
        const GpuIndex gpu = m_slow->slowest.gpu;
        state.setSelectedGpu(gpu);
        auto *header = inspector.findChild<GpuHeader *>();
        auto *chain = inspector.findChild<WhyChain *>();
        const int height = chain->sizeHint().height();
        const RankCoordinates position = m_slow->placement->coordinates[static_cast<std::size_t>(m_slow->placement->rankOfGpu[static_cast<std::size_t>(gpu)])];
        std::vector<std::uint8_t> states(static_cast<std::size_t>(m_slow->run.plan.ranks()));
        for (TimeNs t = 0; t < m_slow->iteration(); t += m_slow->iteration() / 97) {
            state.setPlayhead(t);
            statesAt(m_slow->run, t, states);
            QCOMPARE(header->accessibleDescription(), stateName(states[m_slow->run.plan.position(position.pipeline, position.data, position.member)]));
            QCOMPARE(chain->sizeHint().height(), height);
        }
        std::vector<Span> spans;
        spansOfRank(m_slow->run, position.pipeline, position.data, position.member, 0, m_slow->iteration(), spans);
        const auto inside = std::find_if(spans.begin(), spans.end(), [](const Span &span) { return span.category == Category::ExposedTp && span.operation != kNone; });
        QVERIFY(inside != spans.end());
        state.setPlayhead((inside->begin + inside->end) / 2);
        QTRY_VERIFY2(chain->accessibleDescription().startsWith(QStringLiteral("Tensor-parallel all-")), qPrintable(chain->accessibleDescription()));
    }

    // The lists show what the result says of the selected GPU, of all perturbations together, and report a choice once:
    // 0.5 of its own and a rack at half are 25 %; another GPU has its NVLink and a NIC at half.
    void linksOfTheSelectedGpu()
    {
        ViewState state;
        Inspector inspector(&state);
        const GpuIndex gpu = m_base->placement->gpuOfRank[3];
        const std::string path = m_base->expansion->pathOf(gpu), rack = path.substr(0, path.find("/server"));
        const auto with = [this](const PerturbationList &list) {
            auto result = std::make_shared<IterationResult>(*m_base);
            auto scenario = std::make_shared<ResolvedScenario>(*m_base->scenario);
            scenario->perturbations = list;
            result->scenario = scenario;
            return result;
        };
        state.setSelectedGpu(gpu);
        inspector.setResult(m_base);
        auto *nvlink = named<QComboBox>(inspector, QStringLiteral("NVLink of the GPU")), *nic = named<QComboBox>(inspector, QStringLiteral("NIC of the GPU"));
        QVERIFY(nvlink && nic && nvlink->isVisibleTo(&inspector) && nic->isVisibleTo(&inspector));
        QCOMPARE(nic->currentText(), QStringLiteral("Nominal"));
        QSignalSpy requested(&inspector, &Inspector::gpuLinksRequested);
        const auto choose = [](QComboBox *combo, double capacity) {
            combo->setCurrentIndex(combo->findData(capacity));
            Q_EMIT combo->activated(combo->currentIndex());
        };
        choose(nic, 0.1);
        QCOMPARE(requested.size(), 1);
        QCOMPARE(requested.at(0).at(0).toString(), QString::fromStdString(path));
        QVERIFY(requested.at(0).at(1).value<LinkDomain>() == LinkDomain::Nic);
        QCOMPARE(requested.takeFirst().at(2).toDouble(), 0.1);
        Perturbation own, shared;
        own.kind = shared.kind = PerturbationKind::DegradedLink;
        own.target = path, own.link.capacity = 0.5;
        shared.target = rack, shared.link.capacity = 0.5;
        inspector.setResult(with({own}));
        QCOMPARE(nic->currentData().toDouble(), 0.5);
        QVERIFY(nic->toolTip().isEmpty());
        inspector.setResult(with({own, shared}));
        QVERIFY(nic->currentText().startsWith(QStringLiteral("25")));
        QVERIFY(!nic->toolTip().isEmpty());
        QCOMPARE(nvlink->currentText(), QStringLiteral("Nominal"));
        // Taking what is shown changes nothing; a wheel over a list that has no focus does neither.
        Q_EMIT nic->activated(nic->currentIndex());
        QVERIFY(requested.isEmpty());
        own.kind = PerturbationKind::DeadLink;
        inspector.setResult(with({own, shared}));
        QCOMPARE(nic->currentText(), QStringLiteral("Dead"));
        own.link.cables = 1;
        inspector.setResult(with({own}));
        QCOMPARE(nic->currentText(), QStringLiteral("Other"));
        state.setSelectedGpu(m_base->placement->gpuOfRank[40]);
        QCOMPARE(nic->currentText(), QStringLiteral("Nominal"));
    }

private:
    std::shared_ptr<const IterationResult> m_base, m_slow;
};

QTEST_MAIN(TestInspector)
#include "tst_inspector.moc"
