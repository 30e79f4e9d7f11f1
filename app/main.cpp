// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/command.h"
#include "app/cli/interrupt.h"
#include "app/window/run_window.h"

#include <QApplication>
#include <QCoreApplication>
#include <QFile>

#include <cstdio>
#include <iostream>

namespace {

void describeApplication()
{
    QCoreApplication::setOrganizationName(QStringLiteral("Clusterbeat"));
    QCoreApplication::setApplicationName(QStringLiteral("clusterbeat"));
    QCoreApplication::setApplicationVersion(QStringLiteral("0.1.0"));
}

// What a platform plugin has to say about itself is none of a command's output.
void onlyFatal(QtMsgType type, const QMessageLogContext &, const QString &message)
{
    if (type == QtFatalMsg) std::fputs(qPrintable(message + QLatin1Char('\n')), stderr);
}

int runCommandLine(clusterbeat::Subcommand command)
{
    const clusterbeat::InterruptWatch interrupt;
    QFile input;
    (void)input.open(stdin, QIODevice::ReadOnly);
    const clusterbeat::CommandContext context{std::cout, std::cerr, &input, interrupt.token()};
    return static_cast<int>(clusterbeat::runCommand(command, QCoreApplication::arguments(), context));
}

} // namespace

int main(int argc, char **argv)
{
    describeApplication();
    const auto command = clusterbeat::subcommandOf(argc, argv);
    if (!command) return clusterbeat::runWindow(argc, argv);
    if (clusterbeat::needsGui(*command)) {
        qputenv("QT_QPA_PLATFORM", "offscreen");
        qInstallMessageHandler(onlyFatal);
        const QApplication application(argc, argv);
        return runCommandLine(*command);
    }
    const QCoreApplication application(argc, argv);
    return runCommandLine(*command);
}
