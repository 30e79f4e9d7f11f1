// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/command.h"
#include "app/cli/options.h"
#include "app/cli/validation.h"

#include <QBuffer>
#include <QFile>
#include <QFloat16>
#include <QTemporaryDir>
#include <QTest>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

using namespace clusterbeat;

namespace {

struct Ran {
    ExitCode code = ExitCode::Done;
    std::string out, err;
};

Ran run(const QStringList &arguments, const QByteArray &input = {}, std::stop_token stop = {})
{
    std::ostringstream out, err;
    QByteArray bytes = input;
    QBuffer in(&bytes);
    (void)in.open(QIODevice::ReadOnly);
    const QByteArray name = arguments.value(0).toUtf8();
    const char *argv[] = {"clusterbeat", name.constData()};
    const auto command = subcommandOf(2, argv);
    Ran ran;
    if (!command) return {ExitCode::Usage, {}, "no subcommand"};
    ran.code = runCommand(*command, QStringList{QStringLiteral("clusterbeat")} + arguments, {out, err, &in, std::move(stop)});
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}
Ran run(const char *arguments, const QByteArray &input = {}, std::stop_token stop = {})
{
    return run(QString::fromUtf8(arguments).split(QLatin1Char(' ')), input, std::move(stop));
}

// A small job, so that every run is quick: 8 GPUs of one server.
const QByteArray kSmall = R"({"clusterbeat": 1, "name": "small",
  "model": {"layers": 8, "hidden": 1024, "ffn_hidden": 4096, "heads": 16, "vocab": 32000},
  "training": {"sequence_length": 2048, "global_batch": 32},
  "layout": {"tensor": 2, "pipeline": 2},
  "cluster": {"accelerator": "H100-SXM5-80GB", "gpus": 8}})";

std::size_t lines(const std::string &text) { return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n')); }

} // namespace

class TestCommandLine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void subcommandIsTheFirstArgumentOnly()
    {
        const char *simulate[] = {"clusterbeat", "simulate"};
        const char *file[] = {"clusterbeat", "./simulate"};
        const char *later[] = {"clusterbeat", "--theme", "simulate"};
        QVERIFY(subcommandOf(2, simulate) == Subcommand::Simulate);
        QVERIFY(!subcommandOf(2, file).has_value());
        QVERIFY(!subcommandOf(3, later).has_value());
        QVERIFY(!subcommandOf(1, simulate).has_value());
        QVERIFY(needsGui(Subcommand::Render) && !needsGui(Subcommand::Simulate));
    }

    void simulateReadsStandardInputAndPrintsTheSameBytes()
    {
        const Ran first = run("simulate - --json", kSmall);
        QCOMPARE(first.code, ExitCode::Done);
        QVERIFY2(first.err.empty(), first.err.c_str());
        QCOMPARE(run("simulate - --json", kSmall).out, first.out);
        QCOMPARE(run("simulate - --json --threads 7", kSmall).out, first.out);
        const auto json = nlohmann::json::parse(first.out);
        QVERIFY(json.at("iteration_s").get<double>() > 0.0);
        QCOMPARE(json.at("gpus").get<int>(), 8);
        const Ran table = run("simulate -", kSmall);
        QVERIFY(table.out.find("iteration ") == 0);
    }

    void threadsOfOneSimulation()
    {
        const QString jitter = QStringLiteral(R"(simulate - --json --set /perturbations=[{"kind":"jitter","sigma":0.05}])");
        const auto with = [&](const QString &threads) {
            return run((jitter + threads).split(QLatin1Char(' '), Qt::SkipEmptyParts), kSmall);
        };
        const Ran one = with(QStringLiteral(" --threads 1"));
        QCOMPARE(one.code, ExitCode::Done);
        QCOMPARE(with(QStringLiteral(" --threads 3")).out, one.out);
        QCOMPARE(with(QString()).out, one.out);
    }

    // Nothing close: what there is. A value forgotten: how to write it.
    void wrongNamesAndValuesSayWhatIsExpected()
    {
        const auto says = [](const char *arguments, const char *words) {
            return run(arguments, kSmall).err.find(words) != std::string::npos;
        };
        QVERIFY(says("simulate preset:nope", "llama3-8b-64"));
        QVERIFY(says("simulate preset:llama3-8b-46", "Did you mean"));
        QVERIFY(says("simulate - --set /cluster/accelerator=Foo", "H100-SXM5-80GB"));
        QVERIFY(says("simulate - --set /software/profile=xyzzy", "megatron22"));
        QVERIFY(says("simulate - --set /layout/tensor", "/layout/tensor=8"));
    }

    void setChangesTheScenario()
    {
        const auto gpus = [](const char *arguments) {
            return nlohmann::json::parse(run(arguments, kSmall).out).at("gpus").get<int>();
        };
        QCOMPARE(gpus("simulate - --json --set /cluster/gpus=4 --set /training/global_batch=16"), 4);
        // The last one counts.
        QCOMPARE(gpus("simulate - --json --set /cluster/gpus=4 --set /cluster/gpus=8"), 8);
    }

    // Half speed is slower; speed 1 is the same bytes as no perturbation.
    void perturbationsThroughSet()
    {
        const auto seconds = [](const Ran &ran) { return nlohmann::json::parse(ran.out).at("iteration_s").get<double>(); };
        const QString slow = QStringLiteral(R"(/perturbations/-={"kind":"slow_gpu","target":"rank:3","speed":%1})");
        const QStringList base{QStringLiteral("simulate"), QStringLiteral("-"), QStringLiteral("--json"), QStringLiteral("--set")};
        const Ran plain = run("simulate - --json", kSmall);
        QVERIFY(seconds(run(base + QStringList{slow.arg(0.5)}, kSmall)) > seconds(plain));
        QCOMPARE(run(base + QStringList{slow.arg(1)}, kSmall).out, plain.out);
    }

    // The schedule written, and run again from the file or from a scenario that it was imported into: the same result.
    void schedulesGoOutAndComeBack()
    {
        QTemporaryDir folder;
        const QString base = folder.filePath(QStringLiteral("base.clusterbeat.json")), csv = folder.filePath(QStringLiteral("s.csv"));
        const QString made = folder.filePath(QStringLiteral("made.clusterbeat.json"));
        QFile file(base);
        QVERIFY(file.open(QIODevice::WriteOnly) && file.write(kSmall) == kSmall.size());
        file.close();
        const QString kind = QStringLiteral("/layout/schedule=zb-h1"), set = QStringLiteral("--set");
        const Ran plain = run({QStringLiteral("simulate"), base, QStringLiteral("--json"), set, kind});
        QCOMPARE(run({QStringLiteral("export"), base, set, kind, QStringLiteral("-o"), csv}).code, ExitCode::Done);
        QCOMPARE(run({QStringLiteral("export"), base, set, kind, QStringLiteral("-o"), QStringLiteral("-")}).out.substr(0, 12), std::string("0F0,0F1,0I0,"));
        QCOMPARE(run({QStringLiteral("simulate"), base, QStringLiteral("--json"), QStringLiteral("--schedule-csv"), csv}).out, plain.out);
        QCOMPARE(run({QStringLiteral("import"), csv, QStringLiteral("--into"), base, QStringLiteral("-o"), made}).code, ExitCode::Done);
        QCOMPARE(run({QStringLiteral("simulate"), made, QStringLiteral("--json")}).out, plain.out);
        // A schedule says nothing about the model; other endings are not written; 16 micro-batches, not 8.
        QCOMPARE(run({QStringLiteral("import"), csv, QStringLiteral("-o"), made}).code, ExitCode::Usage);
        QCOMPARE(run({QStringLiteral("export"), base, QStringLiteral("-o"), QStringLiteral("x.svg")}).code, ExitCode::Usage);
        const Ran batch = run({QStringLiteral("import"), csv, QStringLiteral("--into"), base, set, QStringLiteral("/training/global_batch=16"),
                               QStringLiteral("-o"), made});
        QCOMPARE(batch.code, ExitCode::WrongInput);
        QVERIFY2(batch.err.find("/training/global_batch") != std::string::npos, batch.err.c_str());
    }

    void timingIsOneJsonLineOnStandardError()
    {
        const Ran ran = run("simulate - --json --timing", kSmall);
        QCOMPARE(lines(ran.err), std::size_t{1});
        const auto timing = nlohmann::json::parse(ran.err);
        for (const char *key : {"read_s", "simulate_s", "print_s"}) QVERIFY(timing.at(key).get<double>() >= 0.0);
        QCOMPARE(ran.out, run("simulate - --json", kSmall).out);
    }

    void wrongInputIsOneLineAndStatusOne_data()
    {
        QTest::addColumn<QString>("arguments");
        QTest::addColumn<QByteArray>("input");
        QTest::addColumn<QString>("mentions");
        const auto row = [](const char *name, const char *arguments, const QByteArray &input, const char *mentions) {
            QTest::newRow(name) << QString::fromUtf8(arguments) << input << QString::fromUtf8(mentions);
        };
        row("directory", "simulate /", {}, "/");
        row("missing file", "simulate /no/such.json", {}, "/no/such.json");
        row("empty", "simulate -", {}, "standard input");
        row("preset", "simulate preset:none", {}, "none");
        row("syntax", "simulate -", "{\n  \"clusterbeat\": 1,\n  \"model\": [}\n}", "3");
        row("unknown key", "simulate - --set /layout/tenser=2", kSmall, "/layout/tenser");
        row("text for a number", "simulate - --set /layout/tensor=two", kSmall, "/layout/tensor");
        row("fraction", "simulate - --set /model/layers=2.5", kSmall, "/model/layers");
        row("zero", "simulate - --set /layout/tensor=0", kSmall, "/layout/tensor");
        row("huge", "simulate - --set /model/layers=1e300", kSmall, "/model/layers");
        row("above the gpus", "simulate - --set /layout/pipeline=8", kSmall, "16");
        row("batch", "simulate - --set /training/global_batch=33", kSmall, "33");
        row("pointer", "simulate - --set layout=2", kSmall, "layout");
        row("nested", "simulate -", QByteArray(100'000, '['), "standard input");
        row("render checks it too", "render - -o /tmp/never.png --set /layout/tensor=0", kSmall, "/layout/tensor");
        row("import nonsense", "import - -o -", "hello", "standard input");
        row("no such rows", "validate --rows none-such", {}, "none-such");
    }
    void wrongInputIsOneLineAndStatusOne()
    {
        QFETCH(QString, arguments);
        QFETCH(QByteArray, input);
        QFETCH(QString, mentions);
        const Ran ran = run(arguments.split(QLatin1Char(' ')), input);
        QCOMPARE(ran.code, ExitCode::WrongInput);
        QVERIFY(ran.out.empty());
        QCOMPARE(lines(ran.err), std::size_t{1});
        QVERIFY2(ran.err.find(mentions.toStdString()) != std::string::npos, ran.err.c_str());
    }

    void usageIsStatusTwo_data()
    {
        QTest::addColumn<QString>("arguments");
        for (const char *arguments :
             {"simulate", "simulate a b", "simulate - --nonsense", "simulate - --threads 0", "simulate - --threads x",
              "simulate - --megatron-args -", "presets x", "import -", "import - -o - --from nemo", "validate --rows",
              "render -", "render - -o a.png --view sky", "render - -o a.png --size 10", "render - -o a.png --size 0x10",
              "render - -o a.png --at -1", "render - -o a.png --theme pink", "render - -o a.png --lang xx"})
            QTest::newRow(arguments) << QString::fromUtf8(arguments);
    }
    void usageIsStatusTwo()
    {
        QFETCH(QString, arguments);
        const Ran ran = run(arguments.split(QLatin1Char(' ')), kSmall);
        QCOMPARE(ran.code, ExitCode::Usage);
        QVERIFY(ran.out.empty());
        QVERIFY(!ran.err.empty());
    }

    void helpAndVersion()
    {
        for (const char *command : {"simulate", "render", "presets", "validate", "import"}) {
            const Ran help = run({QString::fromUtf8(command), QStringLiteral("--help")});
            QCOMPARE(help.code, ExitCode::Done);
            QVERIFY(help.out.find(command) != std::string::npos);
            QVERIFY(help.err.empty());
            QCOMPARE(run({QString::fromUtf8(command), QStringLiteral("--version")}).code, ExitCode::Done);
        }
    }

    void cancelledIsStatusThree()
    {
        std::stop_source stop;
        stop.request_stop();
        const Ran ran = run("simulate preset:llama3-405b-16k", {}, stop.get_token());
        QCOMPARE(ran.code, ExitCode::Cancelled);
        QVERIFY(ran.out.empty());
        QCOMPARE(run("validate --rows korthikanti", {}, stop.get_token()).code, ExitCode::Cancelled);
    }

    void memoryThatDoesNotFitIsAResult()
    {
        const Ran ran = run("simulate - --json --set /model/hidden=16384 --set /model/ffn_hidden=65536 --set /model/layers=96", kSmall);
        QCOMPARE(ran.code, ExitCode::Done);
        QCOMPARE(nlohmann::json::parse(ran.out).at("memory_bytes").at("fits").get<bool>(), false);
    }

    void presetsAreListedByTheirNames()
    {
        const Ran ran = run("presets");
        QCOMPARE(ran.code, ExitCode::Done);
        for (const char *name : {"preset:llama3-405b-16k", "preset:llama3-405b-8k", "preset:gpt3-175b-1k-a100",
                                 "preset:llama3-8b-64", "template clos-rail"})
            QVERIFY2(ran.out.find(name) != std::string::npos, name);
    }

    // Imported from standard input, written, and the file simulates by itself.
    void importThenSimulate()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.clusterbeat.json"));
        const QByteArray arguments = "--num-layers 8 --hidden-size 1024 --num-attention-heads 16 --seq-length 2048 "
                                     "--max-position-embeddings 2048 --micro-batch-size 1 --global-batch-size 32 "
                                     "--tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --bf16";
        const Ran imported = run(QStringList{QStringLiteral("import"), QStringLiteral("-"), QStringLiteral("--from"),
                                             QStringLiteral("megatron"), QStringLiteral("-o"), path}, arguments);
        QVERIFY2(imported.code == ExitCode::Done, imported.err.c_str());
        QVERIFY(imported.out.empty());
        QVERIFY(!imported.err.empty());         // every default is said
        const Ran simulated = run(QStringList{QStringLiteral("simulate"), path, QStringLiteral("--json")});
        QCOMPARE(simulated.code, ExitCode::Done);
        const Ran direct = run("simulate --megatron-args - --json", arguments);
        QCOMPARE(direct.out, simulated.out);
        const Ran toOut = run("import - -o - --from megatron", arguments);
        QFile file(path);
        QVERIFY(file.open(QIODevice::ReadOnly));
        QCOMPARE(QByteArray::fromStdString(toOut.out), file.readAll());
    }

    // 1, 2, 3, 10 %: mean 4, median (2 + 3)/2 = 2.5, worst 10. Of three, the middle one.
    void summaries()
    {
        const ErrorSummary even = summarise({0.10, 0.01, 0.03, 0.02});
        QCOMPARE(even.rows, std::size_t{4});
        QCOMPARE(even.mean, 0.04);
        QCOMPARE(even.median, 0.025);
        QCOMPARE(even.worst, 0.10);
        QCOMPARE(summarise({0.3, 0.1, 0.2}).median, 0.2);
        QCOMPARE(summarise({}).rows, std::size_t{0});
    }

    void validatePrintsRowsAndSummary()
    {
        const Ran ran = run("validate --rows korthikanti --json");
        QCOMPARE(ran.code, ExitCode::Done);
        const auto json = nlohmann::json::parse(ran.out);
        QVERIFY(!json.at("rows").empty());
        // The summary is of exactly the rows above it.
        double sum = 0.0;
        int rows = 0;
        for (const auto &row : json.at("rows")) {
            if (row.contains("refused") || row.at("time_error").is_null()) continue;
            const double predicted = row.at("predicted_s").get<double>(), measured = row.at("measured_s").get<double>();
            sum += std::fabs(predicted / measured - 1.0);
            ++rows;
        }
        QVERIFY(rows > 0);
        const auto &summary = json.at("summary").at("all").at("time_error");
        QCOMPARE(summary.at("rows").get<int>(), rows);
        QVERIFY(std::fabs(summary.at("mean").get<double>() - sum / rows) < 1e-12);
        QCOMPARE(run("validate --rows korthikanti --json").out, ran.out);
        const Ran table = run("validate --rows korthikanti");
        QVERIFY(lines(table.out) >= static_cast<std::size_t>(rows));
    }

    // A row that is out of range says why, by rule; one in range has no reason. Tier B's tolerance is 10 %.
    void validateSaysWhyARowIsOutOfRange()
    {
        const auto json = nlohmann::json::parse(run("validate --rows mbridge-25.11 --json").out);
        int out = 0;
        for (const auto &row : json.at("rows")) {
            const bool beyond = std::fabs(row.at("time_error").get<double>()) > 0.10;
            QCOMPARE(row.at("reason").is_null(), !beyond);
            QCOMPARE(row.at("reasons").empty(), !beyond);
            if (!beyond) continue;
            ++out;
            QCOMPARE(row.at("reasons").at(0).at("reason"), row.at("reason"));
            QVERIFY(row.at("reasons").at(0).at("text").get<std::string>().size() > 20);
        }
        QVERIFY(out > 0);
        QCOMPARE(json.at("summary").at("all").at("out_of_range").get<int>(), out);
        for (const char *group : {"by_tier", "by_source", "by_accelerator", "by_kind"})
            QVERIFY2(!json.at("summary").at(group).empty(), group);
    }

    // A table of one's own: a run of 64 GPUs measured at 1,000 s, far from what is predicted, with a remark.
    void validateReadsATableOfItsOwn()
    {
        const QTemporaryDir folder;
        QFile file(folder.filePath(QStringLiteral("rows.json")));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(R"([{"id":"mine","source":"our cluster","tier":"A","note":"one switch was down",
            "model":{"name":"8B","layers":32,"hidden":4096,"ffn":14336,"act":"swiglu","heads":32,"kv_heads":8,"vocab":128256},
            "hardware":{"gpu":"H100-SXM5-80GB","nic_gbps_per_gpu":400},"parallel":{"gpus":64,"tp":2,"pp":1,"sp":true},
            "train":{"seq":8192,"gbs_seqs":128,"mbs":1,"precision":"bf16","recompute":"none"},
            "measured":{"iter_time_s":1000}}])");
        file.close();
        const Ran ran = run({QStringLiteral("validate"), QStringLiteral("--json"), QStringLiteral("--table"), file.fileName()});
        QCOMPARE(ran.code, ExitCode::Done);
        const auto row = nlohmann::json::parse(ran.out).at("rows").at(0);
        QCOMPARE(row.at("id").get<std::string>(), std::string("mine"));
        QCOMPARE(row.at("note").get<std::string>(), std::string("one switch was down"));
        QCOMPARE(row.at("reason").get<std::string>(), std::string("unexplained"));
        const Ran text = run({QStringLiteral("validate"), QStringLiteral("--table"), file.fileName()});
        QVERIFY(text.out.find("note: one switch was down") != std::string::npos);
    }

    void simulateTellsHowFarRunsAlikeWereOff()
    {
        const auto json = nlohmann::json::parse(run("simulate preset:llama3-8b-64 --json").out);
        const auto &accuracy = json.at("accuracy");
        const double low = accuracy.at("error_band").at(0), high = accuracy.at("error_band").at(1);
        QVERIFY(low < high);
        QCOMPARE(accuracy.at("relatives").size(), std::size_t{12});
        const double seconds = json.at("iteration_s");
        QVERIFY(std::fabs(accuracy.at("measured_s").at(0).get<double>() * (1.0 + high) - seconds) < 1e-9);
        QVERIFY(std::fabs(accuracy.at("measured_s").at(1).get<double>() * (1.0 + low) - seconds) < 1e-9);
    }

    void sizes()
    {
        QCOMPARE(parseSize(QStringLiteral("1920x1080")).value_or(QSize()), QSize(1920, 1080));
        for (const char *wrong : {"", "x", "1920", "1920x", "x1080", "0x5", "-1x5", "5x99999", "5x5x5", "5.5x5"})
            QVERIFY2(!parseSize(QString::fromUtf8(wrong)).has_value(), wrong);
    }
};

QTEST_MAIN(TestCommandLine)
#include "tst_command_line.moc"
