// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/settings/language.h"
#include "app/window/main_window.h"
#include "model/iteration/simulate.h"
#include "tests/tools/monkey.h"

#include <QAccessible>
#include <QApplication>
#include <QStandardPaths>
#include <QStringList>
#include <QTest>

#include <memory>

using namespace clusterbeat;

namespace {

QStringList g_messages;

void collectMessage(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    if (type != QtInfoMsg && type != QtDebugMsg && !isPlatformRemark(text)) g_messages.append(text);
}

} // namespace

/// A short run of random use: no crash and no message of Qt. Longer runs: monkey_offscreen.
class TestMonkey : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;

private Q_SLOTS:
    void initTestCase()
    {
        QStandardPaths::setTestModeEnabled(true);
        QApplication::setQuitOnLastWindowClosed(false);
        QAccessible::setActive(true);
        auto loaded = loadCatalogue();
        QVERIFY(loaded.ok());
        m_catalogue = std::make_shared<const Catalogue>(std::move(loaded).value());
    }

    void survivesRandomUse_data()
    {
        QTest::addColumn<int>("seed");
        for (const int seed : {1, 2, 3}) QTest::addRow("seed %d", seed) << seed;
    }

    void survivesRandomUse()
    {
        QFETCH(int, seed);
        const auto cache = std::make_shared<StageCache>();
        const auto simulator = [this, cache](const Scenario &scenario, std::stop_token stop, const ProgressSink &progress) {
            return simulate(scenario, *m_catalogue, *cache, stop, progress);
        };
        Preferences preferences;
        Language language;
        MainWindow window({m_catalogue, simulator, &preferences, &language});
        window.files()->setQuestion([] { return DocumentController::Answer::Discard; });
        window.resize(1366, 768);
        window.show();
        QVERIFY(window.files()->open(QStringLiteral("preset:llama3-8b-64")));
        Monkey monkey(&window, static_cast<std::uint64_t>(seed));
        g_messages.clear();
        const QtMessageHandler previous = qInstallMessageHandler(collectMessage);
        monkey.run(300);
        qInstallMessageHandler(previous);
        QVERIFY2(g_messages.isEmpty(), qPrintable(g_messages.join(QLatin1Char('\n')) + QLatin1Char('\n') + monkey.latest().join(QLatin1Char('\n'))));
        QCOMPARE(monkey.done(), 300);
    }
};

QTEST_MAIN(TestMonkey)
#include "tst_monkey.moc"
