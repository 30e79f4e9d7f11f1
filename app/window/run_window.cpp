// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/run_window.h"

#include "app/cli/options.h"
#include "app/controllers/recovery_controller.h"
#include "app/settings/language.h"
#include "app/settings/preferences.h"
#include "app/window/main_window.h"

#include <QApplication>
#include <QFileInfo>
#include <QProcess>
#include <QRegularExpression>
#include <QScreen>
#include <QSettings>
#include <QStyleFactory>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string_view>

namespace clusterbeat {
namespace {

constexpr QSize kFirstSize(1600, 1000);
constexpr const char *kNoDisplay = "clusterbeat: there is no display to open a window on. "
                                   "Try: clusterbeat simulate preset:llama3-405b-16k\n";

// Where the platform plugin cannot connect, Qt aborts with a fatal message: one line and status 1 instead.
void endOnFatal(QtMsgType type, const QMessageLogContext &, const QString &)
{
    if (type != QtFatalMsg) return;
    std::fputs(kNoDisplay, stderr);
    std::_Exit(static_cast<int>(ExitCode::WrongInput));
}

bool displayIsNamed(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i)
        if (std::string_view(argv[i]) == "-platform") return true;
    return !qEnvironmentVariableIsEmpty("DISPLAY") || !qEnvironmentVariableIsEmpty("WAYLAND_DISPLAY") ||
           !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM");
}

bool asksForText(int argc, char **argv)
{
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument(argv[i]);
        if (argument == "--help" || argument == "-h" || argument == "--version" || argument == "-v") return true;
    }
    return false;
}

struct Options {
    QStringList files;
    bool resetSettings = false;
    QString theme, language;
};

void describe(QCommandLineParser &parser)
{
    parser.setApplicationDescription(
        english("One training iteration of a large model on ten thousand GPUs, simulated and shown as a heartbeat.\n\n"
                "Commands (each has --help):\n"
                "  simulate FILE     simulate one iteration and print the result\n"
                "  search FILE       find the fastest layouts that fit\n"
                "  sweep FILE        simulate every combination of values\n"
                "  compare A B       explain the difference of two scenarios\n"
                "  render FILE       draw the window or one of its views\n"
                "  import FOREIGN    turn a file of another program into a scenario\n"
                "  export FILE       write the pipeline schedule as CSV\n"
                "  validate          compare predictions with published measurements\n"
                "  presets           list presets, templates, accelerators, profiles"));
    parser.addHelpOption();
    parser.addVersionOption();
    parser.addOption({QStringLiteral("reset-settings"), english("Forgets everything that was remembered.")});
    parser.addOption({QStringLiteral("theme"), english("dark, light or projector."), QStringLiteral("theme")});
    parser.addOption({QStringLiteral("lang"), english("en or zh_CN."), QStringLiteral("language")});
    parser.addPositionalArgument(QStringLiteral("FILE"), english("A scenario, a file to import, or preset:NAME."),
                                 QStringLiteral("[FILE…]"));
}

/// A bare word that names no file: a mistyped command rather than something to open.
bool looksLikeACommand(const QString &argument)
{
    static const QRegularExpression word(QStringLiteral("^[a-z][a-z-]*$"));
    return word.match(argument).hasMatch() && !QFileInfo::exists(argument);
}

/// nullopt = go on.
std::optional<ExitCode> readOptions(const QStringList &arguments, Options &options)
{
    QCommandLineParser parser;
    describe(parser);
    if (!parser.parse(arguments)) {
        std::cerr << "clusterbeat: " << parser.errorText().toStdString() << "\nTry: clusterbeat --help\n";
        return ExitCode::Usage;
    }
    if (parser.isSet(QStringLiteral("help"))) {
        std::cout << parser.helpText().toStdString();
        return ExitCode::Done;
    }
    if (parser.isSet(QStringLiteral("version"))) {
        std::cout << "clusterbeat " << QCoreApplication::applicationVersion().toStdString() << '\n';
        return ExitCode::Done;
    }
    options = {parser.positionalArguments(), parser.isSet(QStringLiteral("reset-settings")),
               parser.value(QStringLiteral("theme")), parser.value(QStringLiteral("lang"))};
    const bool goodTheme = options.theme.isEmpty() || themeNamed(options.theme).has_value();
    const bool goodLanguage = options.language.isEmpty() || isLanguage(options.language);
    if (goodTheme && goodLanguage) return std::nullopt;
    std::cerr << "clusterbeat: "
              << (goodTheme ? "--lang takes en or zh_CN." : "--theme takes dark, light or projector.")
              << "\nTry: clusterbeat --help\n";
    return ExitCode::Usage;
}

/// The first time the window takes a comfortable size, or the whole screen where that does not fit.
void showFitted(MainWindow &window, bool firstTime)
{
    const QSize available = window.screen()->availableSize();
    if (firstTime && kFirstSize.boundedTo(available) == kFirstSize) window.resize(kFirstSize);
    const QSize size = window.size();
    if (size.boundedTo(available) == size) window.show();
    else window.showMaximized();
}

void openFirst(MainWindow &window, const Catalogue &catalogue, const QStringList &files)
{
    const QString first = files.value(0);
    const QString preset = QStringLiteral("preset:") + QString::fromStdString(catalogue.presets.front().name);
    // A file that cannot be opened says why above the default scenario.
    if (first.isEmpty() || !window.files()->open(first)) window.files()->open(preset);
    for (const QString &other : files.mid(1))
        QProcess::startDetached(QCoreApplication::applicationFilePath(), {other});
    if (window.viewState()->reduceMotion()) return;
    auto *once = new QObject(&window);
    QObject::connect(window.results(), &ResultController::resultChanged, once, [&window, once] {
        window.clock()->setPlaying(true);
        once->deleteLater();
    });
}

} // namespace

int runWindow(int argc, char **argv)
{
    Options options;
    if (argc > 1 && looksLikeACommand(QString::fromLocal8Bit(argv[1]))) {
        std::cerr << "clusterbeat: there is no command and no file " << argv[1] << "\nTry: clusterbeat --help\n";
        return static_cast<int>(ExitCode::Usage);
    }
    if (asksForText(argc, argv)) {
        const QCoreApplication application(argc, argv);
        if (const auto code = readOptions(QCoreApplication::arguments(), options)) return static_cast<int>(*code);
    }
    if (!displayIsNamed(argc, argv)) {
        std::fputs(kNoDisplay, stderr);
        return static_cast<int>(ExitCode::WrongInput);
    }
    const auto previous = qInstallMessageHandler(endOnFatal);
    QApplication application(argc, argv);
    qInstallMessageHandler(previous);
    if (const auto code = readOptions(QCoreApplication::arguments(), options)) return static_cast<int>(*code);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));

    auto loaded = loadCatalogue();
    const CommandContext context{std::cout, std::cerr};
    if (!loaded.ok()) return static_cast<int>(fail(context, loaded.error()));
    const auto catalogue = std::make_shared<const Catalogue>(std::move(loaded).value());
    QSettings settings;
    if (options.resetSettings) settings.clear();
    Preferences preferences = loadPreferences(settings);
    if (const auto theme = themeNamed(options.theme)) preferences.theme = *theme;
    if (!options.language.isEmpty()) preferences.language = options.language;

    int status = 0;
    {
        Language language;
        language.set(preferences.language);
        MainWindow window({catalogue, SimulationRunner::simulator(catalogue), &preferences, &language});
        showFitted(window, preferences.geometry.isEmpty());
        RecoveryController recovery(window.document(), window.files(), recoveryFolder(), &window);
        QObject::connect(&recovery, &RecoveryController::failed, &window, &MainWindow::sayProblem);
        openFirst(window, *catalogue, options.files);
        recovery.offer();
        status = QApplication::exec();
    }
    savePreferences(settings, preferences);
    return status;
}

} // namespace clusterbeat
