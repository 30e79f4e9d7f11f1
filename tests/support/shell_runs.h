// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/formats/shell_environment.h"
#include "model/formats/shell_words.h"

#include <QString>
#include <QStringList>
#include <QtTest>

#include <algorithm>
#include <initializer_list>
#include <string>
#include <vector>

namespace clusterbeat {

/// The words of the last command `run` of a script, joined with |; "error CODE line LINE"; "none".
[[nodiscard]] inline QString lastShellRun(const std::string &text, const std::vector<std::string> &arguments = {})
{
    ShellInput input;
    input.arguments = arguments;
    const auto script = readShellScript(text, "script.sh", input);
    if (!script.ok()) return QStringLiteral("error %1 line %2").arg(static_cast<int>(script.error().code)).arg(script.error().place.line);
    const auto &commands = script.value().commands;
    for (auto command = commands.rbegin(); command != commands.rend(); ++command) {
        const auto run = std::find(command->words.begin(), command->words.end(), "run");
        if (run == command->words.end()) continue;
        QStringList words;
        for (auto word = run; word != command->words.end(); ++word)
            words << QString::fromStdString(withoutUnset(*word)); // as bash sees it
        return words.join(QLatin1Char('|'));
    }
    return QStringLiteral("none");
}

/// Rows of a data-driven test: a script, the words of its last run, its arguments.
inline void shellRunColumns()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<QStringList>("arguments");
}

inline void shellRunRow(const char *name, const char *script, const char *expected, std::initializer_list<const char *> arguments = {})
{
    QStringList list;
    for (const char *argument : arguments)
        list << QString::fromUtf8(argument);
    QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(expected) << list;
}

inline void checkShellRun()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    QFETCH(QStringList, arguments);
    std::vector<std::string> words;
    for (const QString &argument : arguments)
        words.push_back(argument.toStdString());
    QCOMPARE(lastShellRun(script.toStdString(), words), expected);
}

} // namespace clusterbeat
