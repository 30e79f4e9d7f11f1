// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// The window's budgets on the default scenario at 1920x1080, software rendering: every widget of the window painted
// anew, at once, while it plays; from a click to the repainted window.
#include "app/controllers/document_controller.h"
#include "app/window/main_window.h"
#include "model/iteration/simulate.h"
#include "tests/benchmarks/measure.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QEventLoop>

#include <memory>

using namespace clusterbeat;

namespace {

/// Waits in the event loop for the next result.
void waitForResult(ResultController *results)
{
    QEventLoop loop;
    QObject::connect(results, &ResultController::resultChanged, &loop, &QEventLoop::quit);
    loop.exec();
}

void measureFrames(MainWindow &window, ThemeKind theme, const char *name)
{
    window.setTheme(theme);
    window.repaint();
    Measurement frames(name, 16);
    ViewState *state = window.viewState();
    for (int i = 0; i < 240; ++i) {
        frames.once([&] {
            state->setPlayhead(state->duration() * i / 240);
            static_cast<void>(window.grab());
        });
    }
    frames.print();
}

} // namespace

int main(int argc, char **argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    auto loaded = loadCatalogue();
    if (!loaded.ok()) return 1;
    const auto catalogue = std::make_shared<const Catalogue>(std::move(loaded).value());
    const auto cache = std::make_shared<StageCache>();
    const auto simulator = [catalogue, cache](const Scenario &scenario, std::stop_token stop, const ProgressSink &progress) {
        return simulate(scenario, *catalogue, *cache, stop, progress);
    };
    Preferences preferences;
    Language language;
    MainWindow window({catalogue, simulator, &preferences, &language});
    window.resize(1920, 1080);
    window.show();
    if (!window.files()->open(QStringLiteral("preset:llama3-405b-16k"))) return 1;
    waitForResult(window.results());
    window.clock()->setPlaying(false);

    measureFrames(window, ThemeKind::Dark, "whole window repainted while playing, dark");
    measureFrames(window, ThemeKind::Light, "whole window repainted while playing, light");

    Measurement clicks("click to repainted window (budget for the p95)", 100);
    for (int i = 0; i < 40; ++i) {
        clicks.once([&] {
            window.whatIf()->slowGpu(QStringLiteral("pod.2/rack.84/server.1/gpu.5"), 0.4 + 0.01 * i);
            waitForResult(window.results());
            static_cast<void>(window.grab());
        });
    }
    clicks.print();
    return 0;
}
