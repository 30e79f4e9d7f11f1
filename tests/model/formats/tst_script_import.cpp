// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/import.h"
#include "model/formats/yaml_arguments.h"

#include <QtTest>

#include <algorithm>

using namespace clusterbeat;

/// What a launch script or argument list says about the scenario; expected values are read off each text by hand, as bash
/// would run it.
class TestScriptImport : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void layouts_data();
    void layouts();
    void launchersCountGpus_data();
    void launchersCountGpus();
    void argumentsOfTheScript();
    void severalTrainings();
    void errorsNameTheCause_data();
    void errorsNameTheCause();
    void sourcedFilesAreUsed();
    void assumptionsAreSaid();
    void yamlLists();

private:
    Catalogue m_catalogue;
};

namespace {

const std::string kRest = " --hidden-size 2048 --num-attention-heads 16 --seq-length 4096 --micro-batch-size 1 --global-batch-size 64 --bf16 --vocab-size 32000";
/// A training on 16 GPUs whose layers, tensor and pipeline degrees are given.
std::string train(const std::string &layers, const std::string &tensor, const std::string &pipeline = "1")
{
    return "torchrun --nnodes 2 --nproc_per_node 8 pretrain_gpt.py --num-layers " + layers + " --tensor-model-parallel-size " + tensor +
           " --pipeline-model-parallel-size " + pipeline + kRest + "\n";
}

std::string textOf(const Argument &argument)
{
    if (const auto *text = std::get_if<std::string>(&argument)) return *text;
    if (const auto *integer = std::get_if<std::int64_t>(&argument)) return std::to_string(*integer);
    return {};
}

bool says(const Imported &import, NoticeCode code, const std::string &first)
{
    return std::any_of(import.notices.begin(), import.notices.end(), [&](const Notice &notice) {
        return notice.code == code && !notice.arguments.empty() && textOf(notice.arguments[0]) == first;
    });
}

} // namespace

void TestScriptImport::initTestCase()
{
    auto catalogue = loadCatalogue();
    QVERIFY(catalogue.ok());
    m_catalogue = std::move(catalogue).value();
}

void TestScriptImport::layouts_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QList<int>>("expected"); // layers, tensor, pipeline
    const auto row = [](const char *name, const std::string &text, QList<int> expected) { QTest::newRow(name) << QString::fromStdString(text) << expected; };
    row("option loop without arguments",
        "TP=4; PP=2\nwhile [[ $# -gt 0 ]]; do case $1 in --tp) TP=\"$2\"; shift 2;; *) exit 1;; esac; done\n" + train("24", "$TP", "$PP"), {24, 4, 2});
    row("defaults by colon", ": \"${LAYERS:=24}\" ${TP:=4}\n" + train("$LAYERS", "$TP"), {24, 4, 1});
    row("optional features stay off", "TP=4\nif [ ! -z \"$X\" ]; then TP=2; fi\n[ -n \"$Y\" ] && TP=1\nif [ \"$Z\" != \"\" ]; then TP=8; fi\n" + train("24", "$TP"), {24, 4, 1});
    row("here-document into a variable", "TP=4\nread -r -d '' job <<STOP\ncd /w && " + train("24", "$TP") + "STOP\nsrun bash -c \"$job\"\n", {24, 4, 1});
    row("here-document into arguments", "TP=4\nA=$(cat <<STOP\n--num-layers 24 --tensor-model-parallel-size $TP" + kRest + "\nSTOP\n)\ntorchrun x.py $A\n", {24, 4, 1});
    row("here-document for sbatch", "TP=4\nsbatch <<STOP\n#!/bin/bash\n#SBATCH --nodes=2\n#SBATCH --gres=gpu:8\nsrun " + train("24", "$TP") + "STOP\n", {24, 4, 1});
    row("one function a size", "small() { L=12; TP=1; }\nmedium() { L=24; TP=4; }\nlarge() { L=96; TP=8; }\nmedium\n" + train("$L", "$TP"), {24, 4, 1});
    row("arguments of a function", "go() {\n  local l=$1 t=$2\n  " + train("$l", "$t") + "}\ngo 24 4\n", {24, 4, 1});
    row("function that prints", "tp_for() { if [ $1 -gt 10 ]; then echo 4; else echo 1; fi; }\n" + train("24", "$(tp_for 24)"), {24, 4, 1});
    row("arithmetic commands", "L=20; let L=L+4\nTP=2; (( TP *= 2 ))\n" + train("$L", "$TP"), {24, 4, 1});
    row("trim and slice", "N=gpt-24-tp4; R=${N#*-}\n" + train("${R%%-*}", "${N: -1}"), {24, 4, 1});
    row("associative array", "declare -A L=([small]=12 [medium]=24)\nS=medium\n" + train("${L[$S]}", "4"), {24, 4, 1});
    row("read a string", "IFS=: read -r TP PP <<< \"4:2\"\n" + train("24", "$TP", "$PP"), {24, 4, 2});
    row("expr and bc", "L=$(expr 20 + 4); TP=$(echo \"8/2\" | bc)\n" + train("$L", "$TP"), {24, 4, 1});
    row("regular expression", "M=gpt-24x4\nif [[ $M =~ ([0-9]+)x([0-9]+) ]]; then L=${BASH_REMATCH[1]}; TP=${BASH_REMATCH[2]}; fi\n" + train("$L", "$TP"), {24, 4, 1});
    row("usage is not needed for paths", "if [ $# -lt 1 ]; then echo usage; exit 1; fi\n" + train("24", "4") + " --data-path $1\n", {24, 4, 1});
}

void TestScriptImport::layouts()
{
    QFETCH(QString, text);
    QFETCH(QList<int>, expected);
    const auto import = importForeign(text.toStdString(), "run.sh", m_catalogue);
    QVERIFY(import.ok());
    const Scenario &s = import.value().scenario;
    QCOMPARE((QList<int>{static_cast<int>(s.model->layers), static_cast<int>(s.layout->tensor), static_cast<int>(s.layout->pipeline)}), expected);
}

void TestScriptImport::launchersCountGpus_data()
{
    QTest::addColumn<QString>("before");
    QTest::addColumn<int>("gpus");
    const auto row = [](const char *before, int gpus) { QTest::newRow(before) << QString::fromUtf8(before) << gpus; };
    row("torchrun --nnodes 2 --nproc_per_node 8", 16);
    row("torchrun --nnodes=2 --nproc-per-node=gpu", 16); // as many as a server has: 8
    row("torchrun --nnodes=3 --nproc-per-node=auto", 24);
    row("python -m torch.distributed.launch --nnodes 1:4 --nproc_per_node 4", 16);
    row("--nnodes 2 --nproc_per_node 8", 16);
    row("$LAUNCHER --nnodes=2 --nproc-per-node 4", 8);
    row("mpirun -np 16 --hostfile hosts python", 16);
    row("mpirun -n 32 python", 32);
    row("mpiexec -np 2 -npernode 1 torchrun --nproc_per_node 8", 16);
    row("mpirun -H a:8,b:8,c:8 python", 24);
    row("mpirun --map-by ppr:4:node -np 16 python", 16);
    row("srun --nodes=2 --ntasks-per-node=8 --gpus-per-node=8 python", 16);
    row("srun -N2 -n16 python", 16);
    row("srun -N 4 --gres=gpu:a100:4 python", 16);
    row("srun -N 4 --ntasks-per-node=1 torchrun --nproc-per-node 8", 32);
    row("deepspeed --num_nodes 4 --num_gpus 8", 32);
    row("deepspeed --include=a:0,1,2,3@b:0,1,2,3", 8);
    row("accelerate launch --num_processes 24 --num_machines 3", 24);
    row("jsrun -n 24 -g 1 python", 24);
    row("flux run -N 4 -n 32 -g 1 python", 32);
    row("#SBATCH --gpus=16\nsrun python", 16);
    row("#SBATCH --ntasks=24\n#SBATCH --gpus-per-task=1\nsrun python", 24);
    row("#SBATCH --nodes=3\n#SBATCH --ntasks-per-node=8\nsrun python", 24);
    row("#SBATCH --nodes=3 --gres=gpu:8\nsrun bash -c \"exec python", 24);
    row("#SBATCH --nodes=8\nsrun --nodes=2 torchrun --nproc_per_node 8", 16); // the command's own word counts
    row("#PBS -l select=2:ncpus=64:ngpus=8\nmpiexec python", 16);
    row("#PBS -l nodes=3:ppn=8\nmpiexec python", 24);
}

void TestScriptImport::launchersCountGpus()
{
    QFETCH(QString, before);
    QFETCH(int, gpus);
    std::string text = before.toStdString() + " pretrain_gpt.py --num-layers 24 --tensor-model-parallel-size 4" + kRest;
    if (std::count(text.begin(), text.end(), '"') % 2 == 1) text += '"';
    const auto import = importForeign(text + "\n", "run.sh", m_catalogue, ForeignFormat::MegatronArguments);
    QVERIFY(import.ok());
    QCOMPARE(import.value().scenario.cluster->gpus, gpus);
    QVERIFY(std::none_of(import.value().notices.begin(), import.value().notices.end(), [](const Notice &notice) { return notice.code == NoticeCode::IgnoredOption; }));
}

void TestScriptImport::argumentsOfTheScript()
{
    const std::string script = "SIZE=$1; TP=$2\nif [ $SIZE = small ]; then L=12; elif [ $SIZE = large ]; then L=48; fi\n" + train("$L", "$TP");
    ShellInput input;
    input.arguments = {"large", "8"};
    const auto given = importForeign(script, "run.sh", m_catalogue, std::nullopt, input);
    QVERIFY(given.ok());
    QCOMPARE(given.value().scenario.model->layers, 48);
    QCOMPARE(given.value().scenario.layout->tensor, 8);
    const auto missing = importForeign(script, "run.sh", m_catalogue);
    QVERIFY(!missing.ok());
    QVERIFY(missing.error().code == ErrorCode::ImportNeedsArgument);
    QCOMPARE(textOf(missing.error().arguments.at(0)), std::string("--num-layers"));
    const auto paths = importForeign("DATA=$1\n" + train("24", "4") , "run.sh", m_catalogue);
    QVERIFY(paths.ok());
    QVERIFY(says(paths.value(), NoticeCode::MissingArguments, "$1"));
}

void TestScriptImport::severalTrainings()
{
    const auto sweep = importForeign("for TP in 1 2 4; do\n" + train("24", "$TP") + "done\n", "run.sh", m_catalogue);
    QVERIFY(sweep.ok());
    QCOMPARE(sweep.value().scenario.layout->tensor, 4);
    QVERIFY(says(sweep.value(), NoticeCode::SweptRun, "3"));
    const auto check = importForeign(train("24", "4") + train("2", "1"), "run.sh", m_catalogue);
    QVERIFY(check.ok());
    QCOMPARE(check.value().scenario.model->layers, 24); // the other is a trial
    QVERIFY(says(check.value(), NoticeCode::SeveralRuns, "2"));
    // A conversion of a larger model is no training.
    const auto converted = importForeign("python tools/convert.py --num-layers 96 --hidden-size 8192\n" + train("24", "4"), "run.sh", m_catalogue);
    QVERIFY(converted.ok());
    QCOMPARE(converted.value().scenario.model->layers, 24);
    QVERIFY(!says(converted.value(), NoticeCode::SeveralRuns, "2"));
}

void TestScriptImport::errorsNameTheCause_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("code");
    QTest::addColumn<QStringList>("arguments");
    const auto row = [](const char *name, const std::string &text, ErrorCode code, QStringList arguments) {
        QTest::newRow(name) << QString::fromStdString(text) << static_cast<int>(code) << arguments;
    };
    row("program", train("$(python count.py)", "4"), ErrorCode::ImportUnknown, {"--num-layers", "$(python)"});
    row("unset variable", train("$LAYERS", "4"), ErrorCode::ImportUnknown, {"--num-layers", "LAYERS"});
    row("unset list of options", "torchrun pretrain_gpt.py $MODEL --tensor-model-parallel-size 4", ErrorCode::ImportUnknown, {"--num-layers", "MODEL"});
    row("sourced model", "source models/mine.sh\ntorchrun pretrain_gpt.py ${MODEL[@]} --tensor-model-parallel-size 4", ErrorCode::ImportNeedsFile, {"--num-layers", "models/mine.sh"});
    row("environment of the machine", "source /etc/profile\ntorchrun pretrain_gpt.py --tensor-model-parallel-size 4", ErrorCode::ImportMissing, {"--num-layers"});
    row("argument", train("$1", "4"), ErrorCode::ImportNeedsArgument, {"--num-layers", "$1"});
    row("Python list", "import subprocess\nsubprocess.run([\"torchrun\", \"--num-layers\", \"24\"])\n", ErrorCode::FormatNotRead, {"Python"});
    row("README", "# Training\n\nRun it:\n\n```bash\n" + train("24", "4") + "```\nIt's done.\n", ErrorCode::FormatNotRead, {"Markdown"});
    row("quote", "torchrun \"--num-layers 8", ErrorCode::ScriptSyntax, {"closing quote or bracket"});
}

void TestScriptImport::errorsNameTheCause()
{
    QFETCH(QString, text);
    QFETCH(int, code);
    QFETCH(QStringList, arguments);
    const auto import = importForeign(text.toStdString(), "run", m_catalogue);
    QVERIFY(!import.ok());
    QCOMPARE(static_cast<int>(import.error().code), code);
    QStringList found;
    for (const Argument &argument : import.error().arguments)
        found << QString::fromStdString(textOf(argument));
    QCOMPARE(found, arguments);
}

void TestScriptImport::sourcedFilesAreUsed()
{
    ShellInput input;
    input.sources["/x/models/mine.sh"] = "MODEL_ARGS=(--num-layers 24 --hidden-size 2048 --num-attention-heads 16)\n";
    const auto import = importForeign("source \"$(dirname $0)/models/mine.sh\"\ntorchrun pretrain_gpt.py ${MODEL_ARGS[@]} --seq-length 4096 --bf16 --tensor-model-parallel-size 4\n",
                                      "run.sh", m_catalogue, std::nullopt, input);
    QVERIFY(import.ok());
    QCOMPARE(import.value().scenario.model->layers, 24);
}

void TestScriptImport::assumptionsAreSaid()
{
    const auto import = importForeign("NNODES=${WORLD_SIZE:-2}\nif [ -f big ]; then TP=4; else TP=2; fi\nsource models/env.sh\n" + train("24", "$TP"), "run.sh", m_catalogue);
    QVERIFY(import.ok());
    QCOMPARE(import.value().scenario.layout->tensor, 4);
    QVERIFY(says(import.value(), NoticeCode::ConditionGuessed, "[ -f big ]"));
    QVERIFY(says(import.value(), NoticeCode::DefaultTaken, "$WORLD_SIZE"));
    QVERIFY(says(import.value(), NoticeCode::MissingFile, "models/env.sh"));
}

// Keys as options; what they stand for is read off by hand.
void TestScriptImport::yamlLists()
{
    const std::string text = "ENV_VARS:\n  NCCL_DEBUG: WARN\nMODEL_ARGS:\n  --num-layers: 24   # layers\n  --hidden-size: 2048\n  \"--num-attention-heads\": 16\n"
                             "  --seq-length: 4096\n  --micro-batch-size: 1\n  --global-batch-size: 64\n  --tensor-model-parallel-size: ${TP}\n"
                             "  --swiglu: true\n  --sequence-parallel: false\n  --bf16: true\n  --recompute-granularity: selective\n"
                             "  --recompute-modules: [core_attn, moe_act]\n  --num-experts: 8\n  --moe-layer-freq: ([0]*2+[1]*22)\n  --save: 'a b''c'\n";
    const auto import = importForeign(text, "model_config.yaml", m_catalogue);
    QVERIFY(import.ok());
    const Scenario &s = import.value().scenario;
    QCOMPARE(s.model->layers, 24);
    QVERIFY(s.model->gatedFfn);
    QCOMPARE(s.layout->sequenceParallel, std::optional(false));
    QCOMPARE(s.model->moe->denseLayers, 2);
    QVERIFY(s.training->precision == Precision::Bf16);
    QVERIFY(says(import.value(), NoticeCode::UnresolvedVariable, "TP"));
    QCOMPARE(yamlArguments("--a: [1, \"b c\"]\n--b:\n  - x\n  - y\n--c: null\n--d: it's\n--e: \"$X y\"\n--f:"),
             std::optional<std::string>(" --a '1' 'b c' --b 'x' 'y' --d 'it'\\''s' --e \"$X y\" --f\n"));
    QVERIFY(!yamlArguments("torchrun --num-layers 24 --x:y 3\nkey: value\n").has_value());
}

QTEST_APPLESS_MAIN(TestScriptImport)
#include "tst_script_import.moc"
