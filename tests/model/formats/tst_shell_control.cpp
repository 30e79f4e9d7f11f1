// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_words.h"
#include "tests/support/shell_runs.h"

#include <QtTest>

using namespace clusterbeat;

/// Functions, loops, conditions, here-documents: each expected list of words is what bash 5.2 passes to a function `run`
/// that prints its arguments. What bash cannot be asked (a branch that depends on the machine) follows the rules of
/// shell_condition.h.
class TestShellControl : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void control_data();
    void control();
    void undecided_data();
    void undecided();
    void whatIsNotDecidedIsSaidWhenItMatters();
    void sourcesThatAreGiven();
    void launchersOfOtherShells();
    void exitMayBeIgnored();
    void loopsThatWaitEnd();
};

void TestShellControl::control_data()
{
    shellRunColumns();
    shellRunRow("function is not run where it is defined", R"sh(small() { L=12; }
large() { L=96; }
medium() { L=24; }
medium
run $L)sh",
        "run|24");
    shellRunRow("function with arguments", R"sh(train() { local layers=$1 tp=$2; run $layers $tp $# "$@"; }
train 24 "4 x")sh",
        "run|24|4|x|2|24|4 x");
    shellRunRow("function in other spellings", R"sh(function a { X=1; }
function b() { Y=2; }
c ()
{
  Z=3
}
a; b; c
run $X $Y $Z)sh",
        "run|1|2|3");
    shellRunRow("local ends with the function", R"sh(X=1; f() { local X=2 Y=3; g; }; g() { Z=$X; }; f; run $X "$Y" $Z)sh", "run|1||2");
    shellRunRow("function that returns a status", R"sh(big() { [ $1 -gt 10 ]; }
if big 24; then L=24; else L=12; fi
big 4 || P=no
run $L $P)sh",
        "run|24|no");
    shellRunRow("function that returns a word", R"sh(tp_for() { case $1 in 7B) echo 2;; 70B) echo 8;; *) echo 1;; esac; }
TP=$(tp_for 70B)
run $TP $(tp_for 7B) $(tp_for x))sh",
        "run|8|2|1");
    shellRunRow("return before the end", R"sh(f() { X=1; return 0; X=2; }
f; run $X)sh",
        "run|1");
    shellRunRow("recursion", R"sh(fact() { if (( $1 <= 1 )); then echo 1; else echo $(( $1 * $(fact $(($1 - 1))) )); fi; }
run $(fact 6))sh",
        "run|720");
    shellRunRow("main with the script's arguments", R"sh(main() { run "$1" "$2" "$#" "${@:2}" "${!#}"; }
main "$@")sh", "run|large|8|3|8|bf16|bf16", {"large", "8", "bf16"});
    shellRunRow("option loop without arguments", R"sh(TP=4; PP=2
while [[ $# -gt 0 ]]; do
  case "$1" in
    --tp) TP="$2"; shift 2;;
    --pp) PP="$2"; shift 2;;
    *) echo "unknown $1"; exit 1;;
  esac
done
run $TP $PP)sh",
        "run|4|2");
    shellRunRow("option loop with arguments", R"sh(TP=4; PP=1; FLAG=0; REST=()
while [ $# -gt 0 ]; do
  case $1 in
    --tp) TP=$2; shift;;
    --pp=*) PP="${1#*=}";;
    --flag) FLAG=1;;
    *) REST+=("$1");;
  esac
  shift
done
run $TP $PP $FLAG ${REST[@]})sh", "run|8|2|1|rest", {"--tp", "8", "--flag", "--pp=2", "rest"});
    shellRunRow("for over the arguments", R"sh(for a in "$@"; do
  case $a in tp=*) TP=${a#tp=};; pp=*) PP=${a##*=};; esac
done
for a; do N="$N$a"; done
run $TP $PP $N)sh", "run|8|2|tp=8pp=2", {"tp=8", "pp=2"});
    shellRunRow("getopts", R"sh(while getopts ":t:p:v" o; do
  case $o in t) TP=$OPTARG;; p) PP=$OPTARG;; v) V=1;; esac
done
shift $((OPTIND-1))
run $TP $PP $V $1)sh", "run|8|2|1|rest", {"-t", "8", "-p2", "-v", "rest"});
    shellRunRow("getopt", R"sh(A=$(getopt -o t: --long tp:,name:,quick -- "$@"); eval set -- "$A"
while true; do
  case "$1" in --tp) TP=$2; shift 2;; --name) N=$2; shift 2;; --) shift; break;; esac
done
run $TP $N $1)sh", "run|8|x|file", {"--tp", "8", "--name", "x", "file"});
    shellRunRow("getopt without arguments", R"sh(TP=1
OPTS=$(getopt -o t: -l tp: -n x -- "$@")
eval set -- "$OPTS"
while true; do case "$1" in -t|--tp) TP=$2; shift 2;; --) shift; break;; *) break;; esac; done
run $TP)sh",
        "run|1");
    shellRunRow("set replaces the arguments", R"sh(set -- a "b c" d; shift; run "$@" $#)sh", "run|b c|d|2");
    shellRunRow("set options leave the arguments", R"sh(set -euo pipefail; set +x; run $1)sh", "run|a", {"a"});
    shellRunRow("if, elif, else", R"sh(N=8
if [ $N -lt 4 ]; then X=a; elif [ $N -ge 8 ] && [[ $N != 9 ]]; then X=b; else X=c; fi
run $X)sh",
        "run|b");
    shellRunRow("tests of unset variables", R"sh(if [ -n "$A" ]; then X=1; fi
if [ ! -z "$A" ]; then X=2; fi
if [ "$A" != "" ]; then X=3; fi
if [[ $A ]]; then X=4; fi
if [ "x$A" = x ]; then Y=5; fi
[ -z "$A" ] && Z=6
[[ -v A ]] || W=7
run "$X" $Y $Z $W)sh",
        "run||5|6|7");
    shellRunRow("unquoted unset in a test", R"sh(if [ $A = small ]; then X=a; else X=b; fi
if [ -n $A ]; then Y=c; fi
run $X $Y)sh",
        "run|b|c");
    shellRunRow("numbers in conditions", R"sh(X=08; A=4
if (( A > 3 && A < 5 )); then R=a; fi
if [[ $A -eq 2+2 ]]; then R=${R}b; fi
if [ "$A" -eq 4 -a "$A" -ne 5 ]; then R=${R}c; fi
if [ ! "$A" -eq 4 -o "$A" = 4 ]; then R=${R}d; fi
if (( UNSET )); then R=${R}e; fi
run $R)sh",
        "run|abcd");
    shellRunRow("pattern conditions", R"sh(D=bf16-mixed
[[ $D == bf16* ]] && R=a
[[ $D == "bf16*" ]] || R=${R}b
[[ $D != *fp8* && ( $D = *mixed || $D = x ) ]] && R=${R}c
[[ $D == @(fp8|bf16)* ]] && R=${R}d
[[ $D == +([a-z0-9])-mixed ]] && R=${R}e
[[ a < b ]] && R=${R}f
run $R)sh",
        "run|abcdef");
    shellRunRow("regular expressions", R"sh(V=llama3-70B
if [[ $V =~ ^([a-z]+)([0-9]+)-([0-9]+)B$ ]]; then run ${BASH_REMATCH[1]} ${BASH_REMATCH[2]} ${BASH_REMATCH[3]}; fi)sh",
        "run|llama|3|70");
    shellRunRow("more regular expressions", R"sh(re='^[0-9]+(\.[0-9]+)?$'
for x in 12 1.5 a1 1. ; do [[ $x =~ $re ]] && R="$R $x"; done
[[ "70b" =~ ^(7|70|405)b$ ]] && R="$R y"
[[ "a.b" =~ a\.b ]] && R="$R z"
[[ "axb" =~ a"."b ]] || R="$R w"
[[ abab =~ (ab){2} ]] && R="$R v"
run $R)sh",
        "run|12|1.5|y|z|w|v");
    shellRunRow("case patterns", R"sh(for s in 7B 13b 70B-chat "" other; do
  case "$s" in
    7[bB]) R="$R 1";;
    1[0-9]b|2[0-9]b) R="$R 2";;
    70B*) R="$R 3";;
    "") R="$R 4";;
    *) R="$R 5";;
  esac
done
run $R)sh",
        "run|1|2|3|4|5");
    shellRunRow("case that falls through", R"sh(case a in a) X=1;& b) Y=2;; c) Z=3;; esac
run $X $Y "$Z")sh",
        "run|1|2|");
    shellRunRow("loops", R"sh(for i in 1 2 3; do S=$S$i; done
for ((i=0; i<3; i++)); do T=$T$i; done
i=5; while [ $i -gt 2 ]; do U=$U$i; i=$((i-1)); done
until (( i >= 4 )); do ((i++)); V=$V$i; done
run $S $T $U $V)sh",
        "run|123|012|543|34");
    shellRunRow("break and continue", R"sh(for i in 1 2 3 4 5; do
  [ $i = 2 ] && continue
  if [ $i = 4 ]; then break; fi
  for j in a b; do if [ $j = b ]; then continue 2; fi; R=$R$i$j; done
  R=${R}x
done
run $R)sh",
        "run|1a3a");
    shellRunRow("list built in a loop", R"sh(LAYERS=6; DENSE=2; F=()
for ((i=0; i<LAYERS; i++)); do if ((i < DENSE)); then F[i]=0; else F[i]=1; fi; done
run "[$(IFS=,; echo "${F[*]}")]" "$(IFS=', '; echo "[${F[*]}]")")sh",
        "run|[0,0,1,1,1,1]|[0,0,1,1,1,1]");
    shellRunRow("sweep: the last pass", R"sh(for tp in 2 4 8; do
  run $tp
done)sh",
        "run|8");
    shellRunRow("lists", R"sh(true && A=1; false && B=1; false || C=1; true || D=1; ! false && E=1; false && F=1 || G=1
run "$A" "$B" "$C" "$D" "$E" "$F" "$G")sh",
        "run|1||1||1||1");
    shellRunRow("exit ends the script", R"sh(run a; if [ -z "$1" ]; then exit 0; fi
run b)sh",
        "run|a");
    shellRunRow("exit in a subshell does not", R"sh((exit 1); run a)sh", "run|a");
    shellRunRow("subshell keeps its variables", R"sh(X=1; (X=2; run $X); run $X)sh", "run|1");
    shellRunRow("group does not", R"sh(X=1; { X=2; }; run $X)sh", "run|2");
    shellRunRow("here-document into a variable", R"sh(TP=4
read -r -d '' job <<STOP
cd /work && run a --tp $TP "b c" \
  d
STOP
eval "$job")sh",
        "run|a|--tp|4|b c|d");
    shellRunRow("here-document into a substitution", R"sh(TP=4
A=$(cat <<EOF2
--a 1 don't
--tp $TP \$TP $((TP*2)) $(echo x)
EOF2
)
run $A)sh",
        "run|--a|1|don't|--tp|4|$TP|8|x");
    shellRunRow("quoted here-document", R"sh(A=$(cat <<'EOF2'
--tp $TP `x`
EOF2
)
run "$A")sh",
        "run|--tp $TP `x`");
    shellRunRow("here-document with tabs", R"sh(A=$(cat <<-EOF2
	a
	 b
	EOF2
)
run $A)sh",
        "run|a|b");
    shellRunRow("here-document read by a loop", R"sh(while read -r n v; do printf -v "$n" %s "$v"; done <<EOF2
TP 8
PP 2
EOF2
run $TP $PP)sh",
        "run|8|2");
    shellRunRow("file that is written and read", R"sh(cat > conf.sh <<EOF2
TP=8
PP=\$((TP/4))
EOF2
source ./conf.sh
echo "--x 1" > opts; echo "--y 2" >> opts
run $TP $PP $(cat opts) $(<opts))sh",
        "run|8|2|--x|1|--y|2|--x|1|--y|2");
    shellRunRow("file that is written and run", R"sh(cat > go.sh <<'EOF2'
run $1 $X
EOF2
export X=3
bash go.sh 7)sh",
        "run|7|3");
    shellRunRow("command string", R"sh(X=4; bash -c "run $X '\$X' \"a b\"")sh", "run|4|$X|a b");
    shellRunRow("command string with arguments", R"sh(bash -c 'run "$1" "$0"' zero one)sh", "run|one|zero");
    shellRunRow("eval", R"sh(N=TP; eval "$N=8"; eval run \$$N; C="run a 'b c'"; eval $C)sh", "run|a|b c");
    shellRunRow("command in a variable", R"sh(C="run a"; C+=" b"; $C c)sh", "run|a|b|c");
    shellRunRow("command in an array", R"sh(C=(run "a b"); C+=(--tp 4); "${C[@]}")sh", "run|a b|--tp|4");
    shellRunRow("references", R"sh(f() { local -n r=$1; r=5; }; f X; run $X)sh", "run|5");
    shellRunRow("keys of an array", R"sh(declare -A TPS=([7B]=1); for k in "${!TPS[@]}"; do R="$k=${TPS[$k]}"; done; run $R)sh", "run|7B=1");
    shellRunRow("options from a table", R"sh(declare -A L H
L[small]=12; H[small]=768; L[big]=48; H[big]=6144
for s in big; do run --num-layers ${L[$s]} --hidden-size ${H[$s]}; done)sh",
        "run|--num-layers|48|--hidden-size|6144");
    shellRunRow("unset", R"sh(X=1; A=(a b c); unset X; unset 'A[1]'; run "${X-no}" "${A[@]}")sh", "run|no|a|c");
    shellRunRow("error status in a variable", R"sh(false; S=$?; true; run $S $?)sh", "run|1|0");
    shellRunRow("pipeline", R"sh(X=a; echo b | { read X; run $X; })sh", "run|b");
    shellRunRow("windows of a list", R"sh(A="1 2 3"; set -- $A; run $2 ${A%% *} ${A##* })sh", "run|2|1|3");
    shellRunRow("negated group of conditions", R"sh(T=llama; if ! [[ $T == gpt || $T == bert ]]; then run other; fi)sh", "run|other");
    shellRunRow("default of a default in a test", R"sh([[ "${MODE:-train}" == train ]] && run ${MODE:-t} ${MODE:=x} $MODE)sh", "run|t|x|x");
    shellRunRow("select by indirection", R"sh(M=7B; L_7B=32; v=L_$M; run --num-layers ${!v})sh", "run|--num-layers|32");
}

void TestShellControl::control() { checkShellRun(); }

// Which branch sets X; a condition that cannot be decided takes the likelier one and is reported by line.
void TestShellControl::undecided_data()
{
    QTest::addColumn<QString>("condition");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<bool>("undecided");
    const auto row = [](const char *condition, const char *expected, bool undecided) {
        QTest::newRow(condition) << QString::fromUtf8(condition) << QString::fromUtf8(expected) << undecided;
    };
    row("[ -f /etc/passwd ]", "yes", true); // what a script looks for is there
    row("[ ! -d out ]", "no", true);
    row("grep -q x file", "yes", true);     // programs succeed
    row("! grep -q x file", "no", true);
    row("[ \"$(hostname)\" = node1 ]", "no", true);
    row("[[ $(hostname) != node1 ]]", "yes", true);
    row("[ -n \"$HOME\" ]", "yes", false); // it has a value, whichever
    row("[ \"$UNKNOWN\" = 1 ]", "no", false);
    row("[[ $UNKNOWN == 1 && -f x ]]", "no", false);
    row("[[ -f x || $N == 8 ]]", "yes", false);
    row("[ -f x ] && [ $N = 9 ]", "no", false);
    row("(( $(nproc) > 4 ))", "yes", true);
    row("[ \"$SLURM_JOB_ID\" = 5 ]", "no", false); // no #SBATCH line: as in a shell by hand
}

void TestShellControl::undecided()
{
    QFETCH(QString, condition);
    QFETCH(QString, expected);
    QFETCH(bool, undecided);
    const std::string text = "D=fp8\nN=8\nif " + condition.toStdString() + "; then\n  X=yes\nelse\n  X=no\nfi\n";
    const auto script = readShellScript(text, "script.sh");
    QVERIFY(script.ok());
    QCOMPARE(QString::fromStdString(script.value().variables.at("X")), expected);
    std::vector<int> lines;
    for (const ShellGuess &guess : script.value().guesses) {
        lines.push_back(guess.line);
        QCOMPARE(QString::fromStdString(guess.condition), condition);
        QCOMPARE(guess.taken, expected == QLatin1String("yes"));
    }
    QCOMPARE(lines, undecided ? std::vector<int>{3} : std::vector<int>{});
}

void TestShellControl::whatIsNotDecidedIsSaidWhenItMatters()
{
    const auto guesses = [](const char *text) {
        const auto script = readShellScript(text, "script.sh");
        return script.ok() ? static_cast<int>(script.value().guesses.size()) : -1;
    };
    QCOMPARE(guesses("if [ -f x ]; then echo there; else exit 1; fi"), 0);
    QCOMPARE(guesses("[ -d out ] || mkdir out"), 0);
    QCOMPARE(guesses("[ -d out ] && X=1"), 1);
    QCOMPARE(guesses("cd out && run a || exit 1"), 0);
    QCOMPARE(guesses("if false; then if [ -f x ]; then X=1; fi; fi"), 0);
    QCOMPARE(guesses("case $(hostname) in a*) X=1;; *) X=2;; esac"), 1);
    // The way that ends a script is not the one it usually takes.
    QCOMPARE(lastShellRun("if [ ! -f x ]; then run a; fi\nif [ -f y ]; then exit 1; fi\n[ -f z ] && exit 1\nrun b"), QStringLiteral("run|b"));
    QCOMPARE(lastShellRun("case $(hostname) in a*) X=1;; *) exit 1;; esac; run $X"), QStringLiteral("run|1"));
    QCOMPARE(lastShellRun("case $(hostname) in a*) X=1;; *) X=2;; esac; run $X"), QStringLiteral("run|2"));
}

void TestShellControl::sourcesThatAreGiven()
{
    const std::string script = "D=$(cd $(dirname $0) && pwd)\nsource $D/models/mine.sh 7\n. ./env.sh\nsource /etc/profile\nrun $L \"${ARGS[@]}\"";
    ShellInput input;
    input.sources["elsewhere/models/mine.sh"] = "L=$1\nARGS=(--a 1)\n";
    const auto given = readShellScript(script, "script.sh", input);
    QVERIFY(given.ok());
    QCOMPARE(given.value().commands.back().words, (std::vector<std::string>{"run", "7", "--a", "1"}));
    QCOMPARE(given.value().missingSources, (std::vector<std::string>{"env.sh", "/etc/profile"}));
    const auto missing = readShellScript(script, "script.sh");
    QVERIFY(missing.ok());
    QCOMPARE(missing.value().missingSources, (std::vector<std::string>{"models/mine.sh", "env.sh", "/etc/profile"}));
}

// The words of what starts another shell come before those that this one starts.
void TestShellControl::launchersOfOtherShells()
{
    const auto words = [](const char *text) {
        const auto script = readShellScript(text, "script.sh");
        return script.ok() && !script.value().commands.empty() ? script.value().commands.back().words : std::vector<std::string>();
    };
    using Words = std::vector<std::string>;
    QCOMPARE(words("srun --nodes 2 bash -c \"cd /w && torchrun --a 1 x.py\""), (Words{"srun", "--nodes", "2", "bash", "-c", "torchrun", "--a", "1", "x.py"}));
    QCOMPARE(words("X=3; srun bash -lc 'torchrun --a $X x.py'"), (Words{"srun", "bash", "-lc", "torchrun", "--a", "3", "x.py"}));
    QCOMPARE(words("sbatch --nodes=4 <<EOF\n#!/bin/bash\ntorchrun x.py\nEOF\n"), (Words{"sbatch", "--nodes=4", "torchrun", "x.py"}));
    QCOMPARE(words("sbatch --wrap=\"torchrun x.py\""), (Words{"sbatch", "torchrun", "x.py"}));
    QCOMPARE(words("cat > job.sh <<'EOF'\ntorchrun $1\nEOF\nsbatch -N 2 job.sh a.py"), (Words{"sbatch", "-N", "2", "torchrun", "a.py"}));
    QCOMPARE(words("ssh node1 \"cd x; torchrun y.py\""), (Words{"ssh", "node1", "torchrun", "y.py"}));
    QCOMPARE(words("nohup torchrun x.py > log 2>&1 &"), (Words{"nohup", "torchrun", "x.py"}));
    const auto script = readShellScript("N=4\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --nodes=$N\nsrun python x.py --n \\$SLURM_NNODES\nEOF\n", "script.sh");
    QVERIFY(script.ok());
    QCOMPARE(script.value().batchOptions, (std::vector<std::pair<std::string, std::string>>{{"--nodes", "4"}}));
    QCOMPARE(script.value().commands.back().words.back(), std::string("4"));
}

void TestShellControl::exitMayBeIgnored()
{
    const std::string text = "if [ $# -lt 2 ]; then\n  echo usage\n  exit 1\nfi\nrun $1 $2\n";
    const auto strict = readShellScript(text, "script.sh");
    QVERIFY(strict.ok());
    QVERIFY(strict.value().commands.empty());
    QCOMPARE(strict.value().exitLine, 3);
    ShellInput input;
    input.ignoreExit = true;
    const auto lenient = readShellScript(text, "script.sh", input);
    QVERIFY(lenient.ok());
    QCOMPARE(lenient.value().missingArguments, (std::vector<std::string>{"1", "2"}));
    QCOMPARE(lenient.value().commands.size(), std::size_t{1});
    input.ignoreExit = false;
    input.arguments = {"a", "b"};
    const auto given = readShellScript(text, "script.sh", input);
    QVERIFY(given.ok() && given.value().missingArguments.empty());
    QCOMPARE(given.value().commands.back().words, (std::vector<std::string>{"run", "a", "b"}));
}

void TestShellControl::loopsThatWaitEnd()
{
    QCOMPARE(lastShellRun("while [ ! -f ready ]; do sleep 1; done\nrun a"), QStringLiteral("run|a"));
    QCOMPARE(lastShellRun("while true; do run b; sleep 1; done\nrun a"), QStringLiteral("run|a"));
    QCOMPARE(lastShellRun("while read -r l; do X=$l; done < hosts\nrun a ${X:+x}"), QStringLiteral("run|a"));
    QCOMPARE(lastShellRun("i=0\nwhile true; do i=$((i+1)); if [ $i -ge 3 ]; then break; fi; done\nrun $i"), QStringLiteral("run|3"));
    QCOMPARE(lastShellRun("for f in $(ls); do X=$f; done; run ${X:+x}"), QStringLiteral("run|x"));
}

QTEST_APPLESS_MAIN(TestShellControl)
#include "tst_shell_control.moc"
