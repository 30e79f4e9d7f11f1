// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// monkey_offscreen [SEED] [COUNT] [SEEDS]: random actions on the real window without a screen, for SEEDS seeds from SEED
// on. Ends with 1 at the first message of Qt that is more than information, and aborts when one action takes a minute;
// the latest actions are printed. Meant for a build under sanitizers: cmake --preset asan-window.
#include "app/settings/language.h"
#include "app/window/main_window.h"
#include "model/iteration/simulate.h"
#include "tests/tools/monkey.h"

#include <QAccessible>
#include <QApplication>
#include <QFileDialog>
#include <QElapsedTimer>
#include <QStandardPaths>
#include <QStyleFactory>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

using namespace clusterbeat;

namespace {

constexpr std::chrono::seconds kHang{60};
Monkey *g_monkey = nullptr;

void tell()
{
    if (!g_monkey) return;
    const QStringList latest = g_monkey->latest();
    for (const QString &action : latest) std::fprintf(stderr, "  %s\n", qPrintable(action));
}

void onMessage(QtMsgType type, const QMessageLogContext &, const QString &text)
{
    if (isPlatformRemark(text)) return;
    std::fprintf(stderr, "%s\n", qPrintable(text));
    if (type == QtInfoMsg || type == QtDebugMsg) return;
    tell();
    std::_Exit(1);
}

void watch(std::stop_token stop)
{
    int seen = -1;
    auto since = std::chrono::steady_clock::now();
    while (!stop.stop_requested()) {
        std::this_thread::sleep_for(std::chrono::milliseconds(500));
        const int done = g_monkey ? g_monkey->done() : -1;
        const auto now = std::chrono::steady_clock::now();
        if (done != seen || done < 0) since = now;
        seen = done;
        if (now - since < kHang) continue;
        std::fputs("monkey: hang\n", stderr);
        tell();
        std::abort();
    }
}

void runSeed(const std::shared_ptr<const Catalogue> &catalogue, int seed, int count)
{
    const auto cache = std::make_shared<StageCache>();
    const auto simulator = [catalogue, cache](const Scenario &scenario, std::stop_token stop, const ProgressSink &progress) {
        return simulate(scenario, *catalogue, *cache, stop, progress);
    };
    Preferences preferences;
    Language language;
    MainWindow window({catalogue, simulator, &preferences, &language});
    window.files()->setQuestion([] { return DocumentController::Answer::Discard; });
    window.resize(1366, 768);
    window.show();
    const char *first = seed % 2 == 0 ? "preset:llama3-405b-16k" : "preset:llama3-8b-64";
    window.files()->open(QString::fromLatin1(first));
    Monkey monkey(&window, static_cast<std::uint64_t>(seed));
    g_monkey = &monkey;
    QElapsedTimer clock;
    clock.start();
    monkey.run(count);
    g_monkey = nullptr;
    std::printf("seed %d: %d actions in %.1f s\n", seed, monkey.done(), static_cast<double>(clock.elapsed()) * 1e-3);
    std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv)
{
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QStandardPaths::setTestModeEnabled(true);
    QApplication application(argc, argv);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setQuitOnLastWindowClosed(false);
    QAccessible::setActive(true);
    const QStringList arguments = QCoreApplication::arguments();
    const int seed = arguments.value(1, QStringLiteral("1")).toInt(), count = arguments.value(2, QStringLiteral("2000")).toInt();
    const int seeds = arguments.value(3, QStringLiteral("1")).toInt();
    auto loaded = loadCatalogue();
    if (!loaded.ok()) return 1;
    const auto catalogue = std::make_shared<const Catalogue>(std::move(loaded).value());
    qInstallMessageHandler(onMessage);
    std::jthread watchdog(watch);
    for (int i = 0; i < seeds; ++i) runSeed(catalogue, seed + i, count);
    return 0;
}
