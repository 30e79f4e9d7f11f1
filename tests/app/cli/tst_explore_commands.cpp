// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// search, sweep and compare.
#include "app/cli/command.h"

#include <QBuffer>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>

using namespace clusterbeat;

namespace
{

struct Ran {
    ExitCode code = ExitCode::Done;
    std::string out, err;
};

Ran run(const QStringList &arguments, const QByteArray &input, std::stop_token stop = {})
{
    std::ostringstream out, err;
    QByteArray bytes = input;
    QBuffer in(&bytes);
    (void)in.open(QIODevice::ReadOnly);
    const QByteArray name = arguments.value(0).toUtf8();
    const char *argv[] = {"clusterbeat", name.constData()};
    const auto command = subcommandOf(2, argv);
    if (!command) return {ExitCode::Usage, {}, "no subcommand"};
    Ran ran;
    ran.code =
        runCommand(*command, QStringList{QStringLiteral("clusterbeat")} + arguments, {out, err, &in, std::move(stop)});
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}
Ran run(const char *arguments, const QByteArray &input, std::stop_token stop = {})
{
    return run(QString::fromUtf8(arguments).split(QLatin1Char(' ')), input, std::move(stop));
}

// 8 GPUs of one server; the layout is far from the best.
const QByteArray kSmall = R"({"clusterbeat": 1, "name": "small",
  "model": {"layers": 8, "hidden": 4096, "ffn_hidden": 14336, "heads": 32, "vocab": 32000},
  "training": {"sequence_length": 4096, "global_batch": 32},
  "layout": {"tensor": 2, "pipeline": 2},
  "cluster": {"accelerator": "H100-SXM5-80GB", "gpus": 8}})";

double iterationOf(const Ran &ran)
{
    return nlohmann::json::parse(ran.out).at("iteration_s").get<double>();
}

std::size_t lines(const std::string &text)
{
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

} // namespace

class TestExploreCommands : public QObject
{
    Q_OBJECT
private Q_SLOTS:
    // What search lists is what simulate says of it, and the file that it writes is the first of the list.
    void searchListsWhatSimulateSays()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("best.clusterbeat.json"));
        const Ran found = run({QStringLiteral("search"), QStringLiteral("-"), QStringLiteral("--json"),
                               QStringLiteral("--top"), QStringLiteral("3"), QStringLiteral("-o"), path},
                              kSmall);
        QCOMPARE(found.code, ExitCode::Done);
        QVERIFY2(found.err.empty(), found.err.c_str());
        const auto json = nlohmann::json::parse(found.out);
        QCOMPARE(json.at("layouts").size(), std::size_t{3});
        for (const auto &layout : json.at("layouts")) {
            QStringList simulate{QStringLiteral("simulate"), QStringLiteral("-"), QStringLiteral("--json")};
            for (const char *section : {"layout", "training"})
                for (const auto &[key, value] : layout.at(section).items())
                    simulate << QStringLiteral("--set")
                             << QStringLiteral("/%1/%2=%3")
                                    .arg(QLatin1String(section), QString::fromStdString(key),
                                         QString::fromStdString(value.dump()));
            const auto simulated = nlohmann::json::parse(run(simulate, kSmall).out);
            for (const char *key : {"iteration_s", "mfu", "tokens_per_s", "breakdown_s"})
                QVERIFY2(simulated.at(key) == layout.at(key), key);
            QVERIFY(simulated.at("memory_bytes").at("total") == layout.at("memory_bytes").at("total"));
        }
        const Ran best = run(QStringList{QStringLiteral("simulate"), path, QStringLiteral("--json")}, {});
        QVERIFY(iterationOf(best) == json.at("layouts").at(0).at("iteration_s").get<double>());
        QVERIFY(iterationOf(best) < iterationOf(run("simulate - --json", kSmall)));
        QCOMPARE(json.at("layouts").at(0).at("loses").at("kind").get<std::string>(), std::string("best"));
    }

    void searchIsTheSameForAnyNumberOfThreads()
    {
        const Ran one = run("search - --json --threads 1", kSmall);
        QCOMPARE(run("search - --json --threads 3", kSmall).out, one.out);
        const Ran table = run("search - --threads 2", kSmall);
        QCOMPARE(table.code, ExitCode::Done);
        QVERIFY(table.out.find("valid layouts") != std::string::npos);
        QVERIFY(table.out.find("fastest that fit") != std::string::npos);
    }

    // Perturbations stay in the written file and out of the comparison, which is said.
    void searchLeavesPerturbationsAside()
    {
        const QStringList base{QStringLiteral("search"), QStringLiteral("-"), QStringLiteral("--json"),
                               QStringLiteral("--set"),
                               QStringLiteral(R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":0.5})")};
        const Ran perturbed = run(base, kSmall);
        QCOMPARE(perturbed.out, run("search - --json", kSmall).out);
        QCOMPARE(lines(perturbed.err), std::size_t{1});
    }

    // 2 x 2 points in order; each row is what simulate says with the same --set.
    void sweepIsTheProductInOrder()
    {
        const Ran swept = run("sweep - --json --vary /layout/tensor=1,4 --vary /training/recompute=none,full", kSmall);
        QCOMPARE(swept.code, ExitCode::Done);
        QCOMPARE(lines(swept.out), std::size_t{4});
        std::istringstream rows(swept.out);
        std::string row;
        for (const char *tensor : {"1", "4"})
            for (const char *recompute : {"none", "full"}) {
                QVERIFY(std::getline(rows, row));
                const auto json = nlohmann::json::parse(row);
                QCOMPARE(json.at("set").at("/layout/tensor").dump(), std::string(tensor));
                QCOMPARE(json.at("set").at("/training/recompute").get<std::string>(), std::string(recompute));
                const QString simulate =
                    QStringLiteral("simulate - --json --set /layout/tensor=%1 --set /training/recompute=%2");
                const QString words = simulate.arg(QLatin1String(tensor), QLatin1String(recompute));
                QVERIFY(json.at("iteration_s").get<double>() ==
                        iterationOf(run(words.split(QLatin1Char(' ')), kSmall)));
            }
    }

    // 32 heads are not divisible by 3: a row, not the end.
    void errorsAreRows()
    {
        const Ran csv = run("sweep - --vary /layout/tensor=1,3,2", kSmall);
        QCOMPARE(csv.code, ExitCode::Done);
        QVERIFY(csv.err.empty());
        const QStringList rows = QString::fromStdString(csv.out).split(QLatin1Char('\n'));
        QCOMPARE(rows.size(), 5); // header, three points, nothing after the last line feed
        QVERIFY(rows[0].startsWith(QStringLiteral("point,/layout/tensor,iteration_s,")) &&
                rows[0].endsWith(QStringLiteral(",error")));
        QVERIFY(rows[1].startsWith(QStringLiteral("0,1,")) && rows[1].endsWith(QLatin1Char(',')));
        QVERIFY(rows[2].startsWith(QStringLiteral("1,3,,")) && rows[2].contains(QStringLiteral("/layout/tensor:")));
        QVERIFY(rows[3].startsWith(QStringLiteral("2,2,")));
        // Without quoted cells, every row has as many commas as the header.
        QCOMPARE(rows[1].count(QLatin1Char(',')), rows[0].count(QLatin1Char(',')));
        const Ran json = run("sweep - --json --vary /layout/tensor=1,3,2 --vary /model/layers=8,eight", kSmall);
        QCOMPARE(json.code, ExitCode::Done);
        QCOMPARE(lines(json.out), std::size_t{6});
        QCOMPARE(std::size_t(QString::fromStdString(json.out).count(QStringLiteral("\"error\""))), std::size_t{4});
    }

    // 32 heads are divisible by neither 3 nor 5: the rows are there, but nothing was simulated.
    void aSweepOfErrorsOnlyFails()
    {
        const Ran csv = run("sweep - --vary /layout/tensor=3,5", kSmall);
        QCOMPARE(csv.code, ExitCode::WrongInput);
        QCOMPARE(lines(csv.out), std::size_t{3});
        QCOMPARE(lines(csv.err), std::size_t{1});
        const Ran shard = run("sweep - --json --vary /layout/tensor=3,2 --shard 1/2", kSmall);
        QCOMPARE(shard.code, ExitCode::WrongInput);
        QCOMPARE(run("sweep - --json --vary /layout/tensor=3,2 --shard 2/2", kSmall).code, ExitCode::Done);
    }

    void shardsConcatenateToTheWhole_data()
    {
        QTest::addColumn<QString>("form");
        QTest::newRow("csv") << QStringLiteral("--csv");
        QTest::newRow("json") << QStringLiteral("--json");
    }
    void shardsConcatenateToTheWhole()
    {
        QFETCH(QString, form);
        const QString words =
            QStringLiteral("sweep - --vary /layout/tensor=1,2,3,4 --vary /training/micro_batch=1,2 ") + form;
        const Ran whole = run(words.split(QLatin1Char(' ')), kSmall);
        QVERIFY(!whole.out.empty());
        for (const int shards : {1, 3, 11}) {
            std::string parts;
            for (int shard = 1; shard <= shards; ++shard) {
                const QString part =
                    words + QStringLiteral(" --threads %1 --shard %2/%3").arg(shard % 4 + 1).arg(shard).arg(shards);
                parts += run(part.split(QLatin1Char(' ')), kSmall).out;
            }
            QCOMPARE(parts, whole.out);
        }
    }

    // Nanoseconds add up: sections to the difference, categories to each.
    void compareAddsUp()
    {
        const Ran compared = run("compare - preset:llama3-8b-64 --json --set /layout/tensor=2", kSmall);
        QVERIFY2(compared.code == ExitCode::Done, compared.err.c_str());
        const auto json = nlohmann::json::parse(compared.out);
        const auto total = [](const nlohmann::json &part) { return part.at("iteration_ns").get<std::int64_t>(); };
        const auto sum = [](const nlohmann::json &part) {
            std::int64_t ns = 0;
            for (const auto &[category, value] : part.at("breakdown_ns").items())
                ns += value.get<std::int64_t>();
            return ns;
        };
        QCOMPARE(total(json.at("difference")), total(json.at("b")) - total(json.at("a")));
        std::int64_t sections = 0;
        QVERIFY(!json.at("sections").empty());
        for (const auto &section : json.at("sections")) {
            QCOMPARE(sum(section), total(section));
            sections += total(section);
        }
        QCOMPARE(sections, total(json.at("difference")));
        QCOMPARE(sum(json.at("a")), total(json.at("a")));
        const Ran table = run("compare - preset:llama3-8b-64", kSmall);
        QVERIFY(table.out.find("what the sections contribute") != std::string::npos);
        QVERIFY(table.out.find("\nsum ") != std::string::npos);
    }

    void wrongInputIsOneLineAndStatusOne_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QString>("mentions");
        QTest::newRow("search profile") << QStringLiteral("search - --set /software/profile=none")
                                        << QStringLiteral("/software/profile");
        QTest::newRow("search output") << QStringLiteral("search - -o /nowhere/at/all.json")
                                       << QStringLiteral("/nowhere/at/all.json");
        QTest::newRow("sweep pointer") << QStringLiteral("sweep - --vary layout=1") << QStringLiteral("layout");
        QTest::newRow("sweep file") << QStringLiteral("sweep /no/such/file --vary /layout/tensor=1")
                                    << QStringLiteral("/no/such/file");
        QTest::newRow("compare a") << QStringLiteral("compare /no/such/file -") << QStringLiteral("/no/such/file");
        QTest::newRow("compare b") << QStringLiteral("compare - preset:llama3-8b-64 --set /layout/tensor=64")
                                   << QStringLiteral("preset:llama3-8b-64");
    }
    void wrongInputIsOneLineAndStatusOne()
    {
        QFETCH(QString, arguments);
        QFETCH(QString, mentions);
        const Ran ran = run(arguments.split(QLatin1Char(' ')), kSmall);
        QCOMPARE(ran.code, ExitCode::WrongInput);
        QCOMPARE(lines(ran.err), std::size_t{1});
        QVERIFY2(ran.err.find(mentions.toStdString()) != std::string::npos, ran.err.c_str());
    }

    void usageIsStatusTwo()
    {
        for (const char *arguments :
             {"search", "search a b", "search - --top 0", "search - --threads x", "sweep -",
              "sweep - --vary /a=1 --shard 0/2", "sweep - --vary /a=1 --shard 3/2", "sweep - --vary /a=1 --shard 2",
              "sweep - --vary /a=1 --csv --json", "compare -", "compare - -", "compare a b c"}) {
            const Ran ran = run(arguments, kSmall);
            QVERIFY2(ran.code == ExitCode::Usage, arguments);
            QVERIFY(ran.out.empty() && !ran.err.empty());
        }
        for (const char *command : {"search", "sweep", "compare"}) {
            const Ran help = run(QStringList{QString::fromUtf8(command), QStringLiteral("--help")}, {});
            QCOMPARE(help.code, ExitCode::Done);
            QVERIFY(help.out.find(command) != std::string::npos);
        }
    }

    void cancelledIsStatusThree()
    {
        std::stop_source stop;
        stop.request_stop();
        for (const char *arguments :
             {"search -", "sweep - --vary /layout/tensor=1,2", "compare - preset:llama3-8b-64"}) {
            const Ran ran = run(arguments, kSmall, stop.get_token());
            QVERIFY2(ran.code == ExitCode::Cancelled, arguments);
            QVERIFY(ran.out.empty());
        }
    }
};

QTEST_MAIN(TestExploreCommands)
#include "tst_explore_commands.moc"
