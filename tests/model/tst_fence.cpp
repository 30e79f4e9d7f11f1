// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include <QtTest>

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>
#include <map>
#include <set>

/// The rules between the layers, checked on the source text: what a file may include and name, by its folder.
/// The checker is a function of (path, text); the tests below plant violations in strings before they trust it.
namespace {

constexpr int kMaxLines = 500;

struct Source {
    QString path; ///< from the repository's root
    QString text;
};

/// Code without comments and without the contents of string literals, so that words in prose do not count.
QString codeOnly(const QString &text)
{
    static const QRegularExpression noise(
        QStringLiteral(R"rx(R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])+'|//[^\n]*|/\*.*?\*/)rx"),
        QRegularExpression::DotMatchesEverythingOption);
    QString code;
    qsizetype from = 0;
    for (auto it = noise.globalMatch(text); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        code += text.mid(from, match.capturedStart() - from);
        // A separator inside a number (16'384) looks like a character literal only when two follow each other; keep
        // the quotes so that what remains stays one token.
        code += match.captured().startsWith(QLatin1Char('/')) ? QStringLiteral(" ") : QStringLiteral("\"\"");
        from = match.capturedEnd();
    }
    return code + text.mid(from);
}

QStringList includesOf(const QString &text)
{
    static const QRegularExpression include(QStringLiteral(R"(^[ \t]*#[ \t]*include[ \t]*([<"][^>"\n]+[>"]))"),
                                            QRegularExpression::MultilineOption);
    QStringList result;
    for (auto it = include.globalMatch(text); it.hasNext();)
        result << it.next().captured(1);
    return result;
}

QString layerOf(const QString &path) { return path.section(QLatin1Char('/'), 0, 0); }
bool isHeader(const QString &path) { return path.endsWith(QLatin1String(".h")); }
bool isHeavy(const QString &include)
{
    return include.startsWith(QLatin1String("<boost/")) || include.startsWith(QLatin1String("<nlohmann/"));
}

struct Rule {
    const char *name;
    const char *where;     ///< regular expression on the path
    const char *elsewhere; ///< paths that are exempt, or ""
    const char *include;   ///< regular expression on an include as written, or ""
    const char *token;     ///< regular expression on the code, or ""
};

constexpr Rule kRules[] = {
    {"model knows no Qt", "^model/", "", R"(^[<"]Q)", R"(\bQ[A-Z]\w+::|\bQ_OBJECT\b)"},
    {"model knows no other layer", "^model/", "", R"(^"(app|views|tests)/)", ""},
    {"model neither prints nor exits", "^model/", "", R"(^<iostream>)", R"(\b(std::)?(printf|puts|fprintf|exit|abort)\s*\()"},
    {"model has no clock", "^model/", "", R"(^<ctime>)", R"(_clock::now|\btime\s*\(\s*(nullptr|NULL|0)\s*\))"},
    {"model draws its own random numbers", "^model/", "", R"(^<random>)", R"(\bs?rand\s*\()"},
    {"libm differs between machines: base/math", "^model/", "^model/base/", "",
     R"(\bstd::(exp|exp2|expm1|log|log2|log10|log1p|pow|sin|cos|tan|cbrt|tgamma|lgamma|erf)\s*\()"},
    {"views know no app", "^views/", "", R"(^"app/)", ""},
    {"views compute nothing", "^views/", "", R"(^"model/iteration/simulate\.h")", R"(\bsimulate\s*\()"},
    {"views have no files", "^views/", "", R"(^<(QFile|QSaveFile|QTemporaryFile|QDir|fstream|filesystem)>)",
     R"(\b(QFile|QSaveFile|QTemporaryFile|QDir)\b|std::(i|o)?fstream)"},
    {"views have no threads", "^views/", "", R"(^<(QThread\w*|QtConcurrent.*|QRunnable|thread|future|QFuture\w*)>)",
     R"(\b(QThread|QThreadPool|QtConcurrent|QFutureWatcher)\b|std::(jthread|thread|async)\b)"},
    {"views have no undo", "^views/", "", R"(^<QUndo)", R"(\bQUndo(Stack|Command|Group)\b)"},
    {"Qt Charts stays in views/charts", "^(app|views|model)/", "^views/charts/",
     R"(^<(QtCharts.*|QChart\w*|Q\w*Series|Q\w*Axis|QBarSet|QPieSlice)>)", R"(\bQChart(View)?\b)"},
    {"views know neither Boost nor nlohmann", "^views/", "", R"(^<(boost|nlohmann)/)", ""},
    {"headers of app stay light", R"(^app/.*\.h$)", "", R"(^<(boost|nlohmann)/)", ""},
    {"include paths start at the root", "^(app|model|views)/", "", R"(^"(?!(app|model|views)/|\w+\.moc"|moc_))", ""},
    {"no re-entered event loop", "^(app|model|views|tests)/", "", "", "\\bprocess" "Events\\b"},
    {"no skipped test", "^tests/", "", "", "\\bQ" "SKIP\\b"},
};

QStringList violations(const Source &source)
{
    QStringList found;
    const QStringList includes = includesOf(source.text);
    const QString code = codeOnly(source.text);
    const auto matches = [](const char *pattern, const QString &text) {
        return *pattern != '\0' && QRegularExpression(QLatin1String(pattern)).match(text).hasMatch();
    };
    for (const Rule &rule : kRules) {
        if (!matches(rule.where, source.path) || matches(rule.elsewhere, source.path)) continue;
        const bool byInclude = std::any_of(includes.begin(), includes.end(),
                                           [&](const QString &include) { return matches(rule.include, include); });
        if (byInclude || matches(rule.token, code)) found << QLatin1String(rule.name);
    }
    if (!source.text.startsWith(QLatin1String("// SPDX-License-Identifier: MIT\n"
                                              "// SPDX-FileCopyrightText: Clusterbeat contributors\n")))
        found << QStringLiteral("licence lines on top");
    if (source.text.count(QLatin1Char('\n')) > kMaxLines) found << QStringLiteral("file too long");
    if (matches("\\b(TO" "DO|FIX" "ME|X" "XX)\\b", source.text)) found << QStringLiteral("left-over");
    if (isHeader(source.path) && !source.text.contains(QLatin1String("#pragma once"))) found << QStringLiteral("pragma once");
    return found;
}

/// Headers that reach Boost or nlohmann through project headers; such a header is model's own affair, so no file of
/// views and no header of app may include it.
QStringList heavyHeadersOutsideModel(const std::vector<Source> &sources)
{
    std::map<QString, QStringList> includes;
    for (const Source &source : sources)
        includes[source.path] = includesOf(source.text);
    std::set<QString> heavy;
    for (bool grown = true; grown;) {
        grown = false;
        for (const auto &[path, list] : includes) {
            if (!isHeader(path) || heavy.count(path)) continue;
            const bool reaches = std::any_of(list.begin(), list.end(), [&](const QString &include) {
                return isHeavy(include) || heavy.count(include.mid(1, include.size() - 2));
            });
            if (reaches) grown = heavy.insert(path).second || grown;
        }
    }
    QStringList found;
    for (const auto &[path, list] : includes) {
        const bool guarded = layerOf(path) == QLatin1String("views") || (layerOf(path) == QLatin1String("app") && isHeader(path));
        if (!guarded) continue;
        for (const QString &include : list) {
            if (isHeavy(include) || heavy.count(include.mid(1, include.size() - 2))) found << path + QLatin1String(" includes ") + include;
        }
    }
    return found;
}

std::vector<Source> allSources()
{
    const QString root = QStringLiteral(CLUSTERBEAT_SOURCE_DIR) + QLatin1Char('/');
    std::vector<Source> sources;
    for (const char *layer : {"app", "model", "views", "tests"}) {
        QDirIterator it(root + QLatin1String(layer), {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                        QDirIterator::Subdirectories);
        while (it.hasNext()) {
            QFile file(it.next());
            if (file.open(QIODevice::ReadOnly))
                sources.push_back({file.fileName().mid(root.size()), QString::fromUtf8(file.readAll())});
        }
    }
    std::sort(sources.begin(), sources.end(), [](const Source &a, const Source &b) { return a.path < b.path; });
    return sources;
}

QString withLicence(const char *code)
{
    return QStringLiteral("// SPDX-License-Identifier: MIT\n// SPDX-FileCopyrightText: Clusterbeat contributors\n#pragma once\n") +
           QLatin1String(code);
}

} // namespace

class TestFence : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void plantedViolations_data();
    void plantedViolations();
    void plantedFileRules();
    void plantedHeavyHeader();
    void theTree();
};

// What the checker must find (second column empty: nothing), by the rules of the layers.
void TestFence::plantedViolations_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("rule");
    QTest::addColumn<QString>("text");
    const auto row = [](const char *path, const char *rule, const char *code) {
        QTest::addRow("%s: %s", path, qPrintable(QString::fromLatin1(code).simplified())) << QString::fromLatin1(path) << QString::fromLatin1(rule) << withLicence(code);
    };
    row("model/a.h", "model knows no Qt", "#include <QString>\n");
    row("model/a.cpp", "model knows no Qt", "# include <QtCore/qglobal.h>\n");
    row("model/a.cpp", "model knows no other layer", "#include \"views/shared/view_state.h\"\n");
    row("model/a.cpp", "model neither prints nor exits", "#include <iostream>\n");
    row("model/a.cpp", "model neither prints nor exits", "void f() { std::printf(\"x\"); }\n");
    row("model/a.cpp", "model has no clock", "auto t = std::chrono::steady_clock::now();\n");
    row("model/a.cpp", "model draws its own random numbers", "#include <random>\n");
    row("model/a.cpp", "libm differs between machines: base/math", "double x = std::pow(2.0, 0.5);\n");
    row("views/a.cpp", "views know no app", "#include \"app/document/document.h\"\n");
    row("views/a.cpp", "views compute nothing", "#include \"model/iteration/simulate.h\"\n");
    row("views/a.cpp", "views have no files", "QFile f;\n");
    row("views/a.cpp", "views have no threads", "#include <QThread>\n");
    row("views/a.cpp", "views have no threads", "std::jthread t;\n");
    row("views/a.cpp", "views have no undo", "#include <QUndoStack>\n");
    row("views/beat/a.cpp", "Qt Charts stays in views/charts", "#include <QLineSeries>\n");
    row("app/window/a.cpp", "Qt Charts stays in views/charts", "#include <QtCharts/QChartView>\n");
    row("views/a.cpp", "views know neither Boost nor nlohmann", "#include <nlohmann/json.hpp>\n");
    row("app/a.h", "headers of app stay light", "#include <boost/graph/adjacency_list.hpp>\n");
    row("views/a.cpp", "include paths start at the root", "#include \"view_state.h\"\n");
    row("app/a.cpp", "no re-entered event loop", "QCoreApplication::process" "Events();\n");
    row("views/charts/a.cpp", "", "#include <QChartView>\nQChart c;\n");
    row("model/a.cpp", "", "#include <nlohmann/json.hpp>\n#include \"model/base/math.h\"\ndouble x = std::sqrt(exactPow(2, 3));\n");
    row("model/base/math.cpp", "", "double x = std::ldexp(1.0, 3);\n");
    row("app/a.cpp", "", "#include \"model/iteration/simulate.h\"\n#include <QThread>\n#include \"a.moc\"\n");
    row("views/a.cpp", "", "// a QFile, simulate() or std::thread in prose\nauto s = \"QFile simulate(\";\n/* QUndoStack */\n");
}

void TestFence::plantedViolations()
{
    QFETCH(QString, path);
    QFETCH(QString, rule);
    QFETCH(QString, text);
    QCOMPARE(violations({path, text}), rule.isEmpty() ? QStringList() : QStringList(rule));
}

void TestFence::plantedFileRules()
{
    const QString good = withLicence("int x;\n");
    QCOMPARE(violations({QStringLiteral("model/a.h"), good}), QStringList());
    QCOMPARE(violations({QStringLiteral("model/a.cpp"), QStringLiteral("int x;\n")}), QStringList(QStringLiteral("licence lines on top")));
    // good has four lines.
    QCOMPARE(violations({QStringLiteral("model/a.h"), good + QString(kMaxLines - 4, QLatin1Char('\n'))}), QStringList());
    QCOMPARE(violations({QStringLiteral("model/a.h"), good + QString(kMaxLines - 3, QLatin1Char('\n'))}),
             QStringList(QStringLiteral("file too long")));
    QCOMPARE(violations({QStringLiteral("tests/a.cpp"), good + QStringLiteral("// TO" "DO later\n")}),
             QStringList(QStringLiteral("left-over")));
    QString withoutPragma = good;
    withoutPragma.remove(QStringLiteral("#pragma once\n"));
    QCOMPARE(violations({QStringLiteral("model/a.h"), withoutPragma}), QStringList(QStringLiteral("pragma once")));
}

// views/a.cpp -> model/outer.h -> model/inner.h -> Boost; the same through a .cpp of model is fine.
void TestFence::plantedHeavyHeader()
{
    const auto source = [](const char *path, const char *text) { return Source{QLatin1String(path), QLatin1String(text)}; };
    const Source inner = source("model/inner.h", "#include <boost/graph/adjacency_list.hpp>\n");
    const Source outer = source("model/outer.h", "#include \"model/inner.h\"\n");
    const Source user = source("model/a.cpp", "#include \"model/outer.h\"\n");
    QCOMPARE(heavyHeadersOutsideModel({inner, outer, user}), QStringList());
    QCOMPARE(heavyHeadersOutsideModel({inner, outer, user, source("views/a.cpp", "#include \"model/outer.h\"\n")}),
             QStringList(QStringLiteral("views/a.cpp includes \"model/outer.h\"")));
    QCOMPARE(heavyHeadersOutsideModel({inner, outer, source("app/a.h", "#include \"model/inner.h\"\n")}),
             QStringList(QStringLiteral("app/a.h includes \"model/inner.h\"")));
}

void TestFence::theTree()
{
    const std::vector<Source> sources = allSources();
    QVERIFY2(sources.size() > 30, "the sources were not found");
    QStringList all = heavyHeadersOutsideModel(sources);
    for (const Source &source : sources) {
        for (const QString &rule : violations(source))
            all << source.path + QLatin1String(": ") + rule;
    }
    QVERIFY2(all.isEmpty(), qPrintable(QLatin1Char('\n') + all.join(QLatin1Char('\n'))));
}

QTEST_APPLESS_MAIN(TestFence)
#include "tst_fence.moc"
