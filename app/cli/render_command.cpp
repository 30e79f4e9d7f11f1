// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"
#include "app/controllers/link_controller.h"
#include "app/controllers/navigation.h"
#include "app/controllers/result_controller.h"
#include "app/export/picture.h"
#include "app/settings/language.h"
#include "app/settings/preferences.h"
#include "app/window/main_window.h"

#include <QApplication>

#include <ostream>

namespace clusterbeat {
namespace {

constexpr QSize kDefaultSize(1920, 1080);

struct PictureOptions {
    QString view, page, path, language, select;
    QSize size = kDefaultSize;
    ThemeKind theme = ThemeKind::Dark;
    std::optional<double> atS;              ///< default: half of the iteration
};

void addPictureOptions(CommandParser &parser)
{
    parser.add({QStringLiteral("view"), english("What to draw: window, cluster, timeline or pulse."), QStringLiteral("view"),
                QStringLiteral("window")});
    parser.add({QStringLiteral("page"), english("The window's page: play or validation."), QStringLiteral("page"),
                QStringLiteral("play")});
    parser.add({QStringLiteral("at"), english("Instant of the iteration, in seconds; half of it by default."),
                QStringLiteral("seconds")});
    parser.add({QStringLiteral("size"), english("Width and height in pixels, as 1920x1080."), QStringLiteral("WxH")});
    parser.add({{QStringLiteral("o"), QStringLiteral("output")}, english("The picture: .png, .svg or .pdf."),
                QStringLiteral("picture")});
    parser.add({QStringLiteral("theme"), english("dark, light or projector."), QStringLiteral("theme"),
                QStringLiteral("dark")});
    parser.add({QStringLiteral("lang"), english("en or zh_CN."), QStringLiteral("language"), QStringLiteral("en")});
    parser.add({QStringLiteral("select"), english("A GPU to select: a path, rank:5219, stage:7 replica:41."),
                QStringLiteral("gpu")});
}

/// An error message, or "" and the options.
QString readPictureOptions(const CommandParser &parser, PictureOptions &options)
{
    options.view = parser.value("view");
    if (!QStringList{QStringLiteral("window"), QStringLiteral("cluster"), QStringLiteral("timeline"),
                     QStringLiteral("pulse")}.contains(options.view))
        return english("--view takes window, cluster, timeline or pulse.");
    options.page = parser.value("page");
    if (options.page != QLatin1String("play") && options.page != QLatin1String("validation"))
        return english("--page takes play or validation.");
    if (options.page != QLatin1String("play") && options.view != QLatin1String("window"))
        return english("--page goes with --view window.");
    options.path = parser.value("o");
    if (options.path.isEmpty()) return english("Missing option: -o PICTURE");
    if (parser.isSet("size")) {
        const auto size = parseSize(parser.value("size"));
        if (!size) return english("--size takes width and height in pixels, as 1920x1080.");
        options.size = *size;
    }
    if (parser.isSet("at")) {
        bool number = false;
        options.atS = parser.value("at").toDouble(&number);
        if (!number || !(*options.atS >= 0.0)) return english("--at takes seconds, 0 or more.");
    }
    const auto theme = themeNamed(parser.value("theme"));
    if (!theme) return english("--theme takes dark, light or projector.");
    options.theme = *theme;
    options.language = parser.value("lang");
    if (!isLanguage(options.language)) return english("--lang takes en or zh_CN.");
    options.select = parser.value("select");
    return {};
}

/// Layout and the deferred updates of the views settle in the events of a shown window.
void settle(QWidget &widget)
{
    widget.ensurePolished();
    for (int i = 0; i < 3; ++i) {
        QCoreApplication::sendPostedEvents();
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
}

ExitCode draw(const PictureOptions &options, const Catalogue &catalogue, const Scenario &scenario,
              const SimulationOutcome &outcome, const ResultController::ResultPointer &baseline,
              const CommandContext &context)
{
    Preferences preferences;
    preferences.theme = options.theme;
    preferences.reduceMotion = true;
    Language language;
    language.set(options.language);
    const auto notSimulated = [](const Scenario &, std::stop_token, const ProgressSink &) {
        SimulationOutcome cancelled;
        cancelled.cancelled = true;
        return cancelled;
    };
    MainWindow window({std::make_shared<const Catalogue>(catalogue), notSimulated, &preferences, &language});
    window.setAttribute(Qt::WA_DontShowOnScreen);
    window.setMinimumSize(0, 0);
    if (options.view == QLatin1String("window")) window.resize(options.size);
    if (const auto error = window.document()->adopt(scenario, false)) return fail(context, *error);
    window.show();
    settle(window);
    // Instant and selection first: the views take them in with the result, at once.
    ViewState *state = window.viewState();
    state->setDuration(outcome.result->iteration());
    const double half = toSeconds(outcome.result->iteration()) / 2.0;
    state->setPlayhead(toNs(options.atS.value_or(half)));
    if (!options.select.isEmpty()) {
        const auto gpu = findGpu(*outcome.result, options.select);
        if (!gpu) return fail(context, Error{ErrorCode::UnknownTarget, {}, {options.select.toStdString()}});
        state->setSelectedGpu(*gpu);
    }
    window.results()->present(outcome.result, baseline);
    window.links()->computeNow();

    if (options.page == QLatin1String("validation")) {
        const auto rows = readMeasuredRows(catalogue.measuredRowsJson, catalogue);
        if (!rows.ok()) return fail(context, rows.error());
        window.validation()->present(validateRows(rows.value(), rows.value(), catalogue, context.stop));
        if (context.stop.stop_requested()) return cancelled(context);
        window.showPage(Page::Validation);
    }

    QWidget *target = &window;
    if (options.view == QLatin1String("cluster")) target = window.clusterWidget();
    if (options.view == QLatin1String("timeline")) target = window.timelineWidget();
    if (options.view == QLatin1String("pulse")) target = window.pulseWidget();
    if (target != &window) {
        target->setParent(nullptr);
        target->setAttribute(Qt::WA_DontShowOnScreen);
        target->resize(options.size);
        target->show();
    }
    settle(*target);
    target->resize(options.size);
    settle(*target);
    const auto error = savePictureOf(*target, options.path);
    if (target != &window) delete target;
    return error ? fail(context, *error) : ExitCode::Done;
}

} // namespace

ExitCode runRender(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("render"), english("Draws the window or one of its views into a file."),
                         QStringLiteral("FILE"), english("Scenario file, preset:NAME, or - for standard input."));
    addScenarioOptions(parser);
    addPictureOptions(parser);
    if (const auto done = parser.parse(arguments, context, 0, 1)) return *done;
    if (parser.positional().isEmpty() != parser.isSet("megatron-args"))
        return parser.usage(context, english("Give either FILE or --megatron-args."));
    PictureOptions options;
    if (const QString message = readPictureOptions(parser, options); !message.isEmpty())
        return parser.usage(context, message);

    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return fail(context, catalogue.error());
    const auto scenario = scenarioFromOptions(parser, catalogue.value(), context);
    if (!scenario.ok()) return fail(context, scenario.error());
    StageCache cache;
    auto baseline = simulate(withoutPerturbations(scenario.value()), catalogue.value(), cache, context.stop);
    const auto outcome = simulate(scenario.value(), catalogue.value(), cache, context.stop);
    if (outcome.cancelled || baseline.cancelled) {
        context.err << "clusterbeat: cancelled\n";
        return ExitCode::Cancelled;
    }
    if (outcome.error) return fail(context, *outcome.error);
    const double lengthS = toSeconds(outcome.result->iteration());
    if (options.atS && *options.atS > lengthS) {
        context.err << "clusterbeat: --at " << *options.atS << " is after the end: the iteration takes " << lengthS << " s.\n";
        return ExitCode::WrongInput;
    }
    return draw(options, catalogue.value(), scenario.value(), outcome, baseline.result, context);
}

} // namespace clusterbeat
