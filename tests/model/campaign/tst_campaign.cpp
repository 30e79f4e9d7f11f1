// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// Figures of a whole run that are estimated from one iteration.
#include "model/campaign/goodput.h"
#include "model/campaign/power.h"

#include <QtTest>

using namespace clusterbeat;

class TestCampaign : public QObject {
    Q_OBJECT
private slots:
    void goodputWithRestart();
    void goodputWithoutFailures();
    void powerWithSpares();
};

// Daly 2006, eq. 13. 1,000 GPUs with 0.0864 failures a GPU day: M = 86,400 / 86.4 = 1,000 s. An interval of 95 s, a write of
// 5 s, a restart of 100 s: 1,000 e^0.1 (e^0.1 - 1) = 1,000 (e^0.2 - e^0.1) = 1,000 (1.2214027582 - 1.1051709181) =
// 116.2318401 s for 95 s of training, 81.733 %. Without the restart it would be 105.1709181 s.
void TestCampaign::goodputWithRestart()
{
    CampaignSection campaign;
    campaign.failuresPerGpuDay = 0.0864;
    campaign.checkpointIntervalS = 95.0;
    campaign.checkpointWriteS = 5.0;
    campaign.restartS = 100.0;
    QVERIFY(qAbs(estimatedGoodput(campaign, 1000) - 95.0 / 116.2318401) < 1e-9);
    campaign.restartS = 0.0;
    QVERIFY(qAbs(estimatedGoodput(campaign, 1000) - 95.0 / 105.1709181) < 1e-9);
}

// Only the writes: 900 of 905 s.
void TestCampaign::goodputWithoutFailures()
{
    CampaignSection campaign;
    campaign.failuresPerGpuDay = 0.0;
    QCOMPARE(estimatedGoodput(campaign, 1000), 900.0 / 905.0);
}

// 6 of 8 GPUs of 700 W have a rank and compute half of the time, at 60 % while they wait: 6 · 700 · (0.5 + 0.5 · 0.6) =
// 3,360 W; two spares idle at a tenth: 140 W; the hosts of all eight: 8 · 575 = 4,600 W; times 1.2: 9,720 W.
void TestCampaign::powerWithSpares()
{
    ShareBins pulse{1, 1'000, std::vector<float>(kCategoryCount, 0.0F)};
    pulse.share[categoryIndex(Category::Forward)] = 0.5F;
    pulse.share[categoryIndex(Category::Bubble)] = 0.5F;
    ResolvedScenario scenario;
    scenario.accelerator.tdpW = 700.0;
    scenario.degrees.tensor = 2;
    scenario.degrees.pipeline = 3;
    scenario.cluster.gpus = 8;
    const std::vector<float> watts = clusterPowerW(pulse, scenario);
    QCOMPARE(watts.size(), std::size_t{1});
    QCOMPARE(watts.front(), 9720.0F);
    // A limit of 350 W halves what the GPUs draw: (1,680 + 70 + 4,600) · 1.2.
    scenario.software.powerLimitW = 350.0;
    QCOMPARE(clusterPowerW(pulse, scenario).front(), 7620.0F);
}

QTEST_APPLESS_MAIN(TestCampaign)
#include "tst_campaign.moc"
