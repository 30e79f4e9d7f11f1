// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_environment.h"
#include "model/formats/shell_pattern.h"
#include "model/formats/shell_words.h"

#include <QtTest>

#include <algorithm>
#include <cstdint>
#include <string_view>

using namespace clusterbeat;

/// Whatever the text, a script is read in bounded steps and memory: the outcome is commands or one error.
class TestShellFuzz : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void hostileTextEnds_data();
    void hostileTextEnds();
    void endlessScriptsEnd_data();
    void endlessScriptsEnd();
    void truncations();
    void mutations();
    void randomTokens();
    void sameTextSameWords();
    void patternsAreBounded();
};

namespace {

/// A little of everything that the evaluator knows.
constexpr std::string_view kScript = R"sh(#!/bin/bash
#SBATCH --nodes=4 --gres=gpu:8
set -euo pipefail
: "${TP:=4}" ${PP:=2}; declare -A L=([a]=1 ["b c"]=2); A=(1 'x y' "$TP" # note
  $((TP*2)))
f() { local n=$1 m="${2:-d}"; echo "$n-$m"; return 0; }
while [[ $# -gt 0 && "$1" != -- ]]; do case "$1" in --tp|-t) TP="$2"; shift 2;; *) exit 1;; esac; done
if [ -n "${X}" ] || ! [[ ${A[1]} =~ ^x.(y|z)$ ]]; then Y=1; elif (( PP > 1 ? TP : 0 )); then Y="${TP%4}"; else Y=`f 3`; fi
for i in {1..3} "${A[@]:1}"; do [ $i = 2 ] && continue; R+="$i,"; done; for ((j=0;j<3;j++)); do let R2+=j; done
read -r -d '' CMD <<EOF || true
torchrun --nnodes $SLURM_NNODES --x "${R/,/;}" ${L["b c"]} $(f $PP q | cut -d- -f2 | tr a-z A-Z)
EOF
IFS=: read -ra P <<< "1:2:3"; printf -v Q '%s|%02d' "${P[2]^^}" 7; eval "Z=\${#A[@]}"; until true; do :; done
cat > t.sh <<'E2'
run $1 "$@"
E2
srun -N 2 bash -c "$CMD --y '\$HOME' ${!i} ${Y//[0-9]/z}" 2>&1 | tee log & bash t.sh $Z $'a\tb' && (cd x; run b) > /dev/null
)sh";

std::uint64_t next(std::uint64_t &state) // splitmix64, S. Vigna
{
    std::uint64_t z = (state += 0x9e3779b97f4a7c15U);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
    return z ^ (z >> 31);
}

/// Reads; fails the test when more comes out than is allowed.
void read(const std::string &text, bool ignoreExit = false)
{
    ShellInput input;
    input.ignoreExit = ignoreExit;
    input.arguments = {"--tp", "8", "x y", ""};
    const auto script = readShellScript(text, "script.sh", input);
    if (!script.ok()) {
        QVERIFY(!script.error().arguments.empty());
        return;
    }
    std::size_t size = 0;
    for (const ShellCommand &command : script.value().commands) {
        QVERIFY(!command.words.empty());
        for (const std::string &word : command.words)
            size += word.size();
    }
    QVERIFY(size <= 2 * ShellBudget::kMaxOutput);
    QVERIFY(script.value().commands.size() <= 5000);
    QVERIFY(script.value().guesses.size() <= 200);
}

} // namespace

void TestShellFuzz::hostileTextEnds_data()
{
    QTest::addColumn<QByteArray>("text");
    QByteArray doubling = "A=xxxxxxxxxx\n";
    for (int i = 0; i < 200; ++i)
        doubling += "A=$A$A$A$A\nB=(\"${B[@]}\" \"${B[@]}\" $A)\n";
    QTest::newRow("doubling variable") << doubling + "run $A\n";
    const auto nested = [](const char *name, const char *start, const char *open, int depth) {
        QTest::newRow(name) << QByteArray(start) + QByteArray(open).repeated(depth);
    };
    nested("expansions", "run ", "${X:-", 100'000);
    QTest::newRow("closed expansions") << QByteArray("run ") + QByteArray("${X:-").repeated(1000) + QByteArray("}").repeated(1000);
    nested("substitutions", "run ", "$(", 100'000);
    nested("process substitutions", "run ", "<(", 100'000);
    nested("quotes", "run ", "\"$(", 100'000);
    nested("arithmetic in arithmetic", "run ", "$((", 100'000);
    nested("extended patterns", "run ", "@(", 100'000);
    nested("brackets in words", "run ", "( ", 100'000);
    nested("subshells", "", "(", 100'000);
    nested("double brackets", "", "((", 100'000);
    nested("braces", "run ", "{a,", 100'000);
    nested("subscripts", "run ", "${A[", 100'000);
    nested("assigned subscripts", "", "A[", 100'000);
    nested("groups", "", "{ ", 100'000);
    nested("functions", "", "f() {\n", 100'000);
    nested("ifs", "", "if true; then\n", 100'000);
    nested("elifs", "if false; then :\n", "elif false; then :\n", 50'000);
    nested("cases", "", "case x in x)\n", 100'000);
    nested("loops", "", "for i in a; do\n", 100'000);
    nested("conditions", "if [[ ", "( ", 100'000);
    nested("tests", "[ ", "! ( ", 100'000);
    nested("closers", "", "fi done esac } ) ;; ", 10'000);
    nested("here-documents without end", "", "cat <<EOF\n", 2000);
    nested("here-documents announced on one line", "cat", " <<A", 20'000);
    nested("array without end", "A=(", "a ", 100'000);
    nested("ternaries", "(( ", "1 ? ", 100'000);
    nested("signs", "(( ", "- ", 100'000);
    nested("pipes", "run a", " | cat", 20'000);
    nested("lists", "run a", " && run b", 20'000);
    QTest::newRow("deep arithmetic") << "run $((" + QByteArray("(").repeated(10'000) + "1" + QByteArray(")").repeated(10'000) + "))";
    QTest::newRow("overflow") << QByteArray("run $((9223372036854775807 * 2)) $((1/0)) $((-9223372036854775807 - 2)) $((2**99)) $((1<<99)) $((0**9223372036854775807))");
    QTest::newRow("case without end") << QByteArray("case x in a|b");
    QTest::newRow("function at the end") << QByteArray("f(");
    QTest::newRow("huge line") << "run " + QByteArray("a").repeated(8'000'000);
    QTest::newRow("huge quoted line") << "run \"" + QByteArray("a$X ").repeated(1'000'000) + "\"";
    QTest::newRow("stars") << "if [[ " + QByteArray("a").repeated(5000) + " == " + QByteArray("*a").repeated(2000) + "b ]]; then X=1; fi";
    QTest::newRow("regular expression") << "[[ " + QByteArray("a").repeated(5000) + " =~ (a*)*(a|aa)+b ]]; [[ aaaa =~ " + QByteArray("(a").repeated(100) + " ]]";
    QTest::newRow("repetitions") << "[[ " + QByteArray("a").repeated(500) + " =~ ((a{30}){30}){30} ]]";
    QTest::newRow("long value trimmed") << "X=" + QByteArray("ab").repeated(100'000) + "\nrun ${X#*c} ${X%%c*} ${X//[a]*b/c} ${X/z/y} ${#X}";
    QTest::newRow("large sequences") << QByteArray("run {1..1000000} {1..9}{1..9}{1..9}{1..9}{1..9}{1..9}{1..9} $(seq 1 1000000)");
    QTest::newRow("marks in the text") << QByteArray("run \x01" "A \x01" "B\x02 \x03 \x02 \"\x01\" '\x01'$\x01 `\x01`");
    QByteArray binary;
    for (int i = 0; i < 100'000; ++i)
        binary += static_cast<char>((i * 7919 + i / 256) % 255 + 1);
    QTest::newRow("binary") << binary;
}

void TestShellFuzz::hostileTextEnds()
{
    QFETCH(QByteArray, text);
    read(text.toStdString());
}

void TestShellFuzz::endlessScriptsEnd_data()
{
    QTest::addColumn<QByteArray>("text");
    const auto row = [](const char *text) { QTest::newRow(text) << QByteArray(text); };
    row("while true; do run a b c; X=$X.x; done");
    row("while (( 1 )); do run $((i++)); done");
    row("for ((;;)); do for ((;;)); do run a; done; done");
    row("until false; do X=$X$X.; done");
    row("f() { f; f; }; f");
    row("f() { run a | f | f; }; f");
    row("f() { X=$(f)$(f); }; f");
    row("f() { eval f; bash -c 'f'; }; f");
    row("X='eval \"$X$X\"'; eval \"$X\"");
    row("cat > a.sh <<'E'\nbash a.sh; bash a.sh; source a.sh\nE\nbash a.sh");
    row("x=x+x; run $((x))");
    row("a=b+b; b=a+a; (( a ))");
    row("for i in {1..1000}; do for j in {1..1000}; do for k in {1..1000}; do X=$i; done; done; done");
    row("for i in {1..9999}; do A+=($i \"${A[@]}\"); done");
    row("while :; do set -- \"$@\" \"$@\" a; done");
    row("declare -A H; for i in {1..9999}; do H[$i]=$i; done; run \"${!H[@]}\"");
    row("while read -r x; do run $x; done < <(seq 1 100000)");
    row("declare -n a=b; declare -n b=a; a=1; run $a");
}

void TestShellFuzz::endlessScriptsEnd()
{
    QFETCH(QByteArray, text);
    read(text.toStdString());
    read(text.toStdString(), true);
}

void TestShellFuzz::truncations()
{
    for (std::size_t length = 0; length <= kScript.size(); length += 2)
        read(std::string(kScript.substr(0, length)));
    for (std::size_t from = 0; from <= kScript.size(); from += 3)
        read(std::string(kScript.substr(from)), true);
}

void TestShellFuzz::mutations()
{
    constexpr std::string_view kCharacters = "$(){}[]\"'`\\;&|<>#!*?=+-/:@%^~, \n\tabX19\x01\x02\x03\x7f\xc3";
    std::uint64_t state = 1;
    for (int round = 0; round < 600; ++round) {
        std::string text(kScript);
        const std::uint64_t changes = 1 + next(state) % 6;
        for (std::uint64_t i = 0; i < changes; ++i) {
            const std::size_t at = next(state) % text.size();
            const char c = kCharacters[next(state) % kCharacters.size()];
            const std::uint64_t kind = next(state) % 4;
            if (kind == 0) text[at] = c;
            else if (kind == 1) text.insert(at, 1, c);
            else if (kind == 2) text.erase(at, 1 + next(state) % 8);
            else text.insert(at, text.substr(next(state) % text.size(), 1 + next(state) % 60));
        }
        read(text, round % 2 == 0);
    }
}

void TestShellFuzz::randomTokens()
{
    constexpr std::string_view kTokens[] = {
        "if", "then", "else", "fi", "for", "in", "do", "done", "while", "case", "esac", "{", "}", "(", ")", ";", ";;", "&&", "||", "|", "\n", "f()", "f",
        "$(", "`", "$((", "))", "((", "[[", "]]", "[", "]", "${X", ":-", "}", "\"", "'", "A=(", "X=", "$X", "${A[@]}", "<<E", "\nE\n", "<<<", ">", "<(", "=~",
        "==", "-n", "!", "break", "continue", "return", "exit", "shift", "set --", "eval", "read X", "local Y=1", "declare -A A", "run", "a b"};
    std::uint64_t state = 7;
    for (int round = 0; round < 2000; ++round) {
        std::string text;
        const std::uint64_t count = next(state) % 40;
        for (std::uint64_t i = 0; i < count; ++i) {
            text += kTokens[next(state) % std::size(kTokens)];
            if (next(state) % 3 != 0) text += ' ';
        }
        read(text, round % 2 == 0);
    }
}

void TestShellFuzz::sameTextSameWords()
{
    const auto words = [] {
        std::vector<std::string> all;
        const auto script = readShellScript(kScript, "script.sh");
        if (!script.ok()) return all;
        for (const ShellCommand &command : script.value().commands)
            all.insert(all.end(), command.words.begin(), command.words.end());
        return all;
    };
    QVERIFY(words().size() > 20);
    QCOMPARE(words(), words());
}

void TestShellFuzz::patternsAreBounded()
{
    ShellBudget budget;
    const std::string text(20'000, 'a');
    std::string stars;
    for (int i = 0; i < 200; ++i)
        stars += "*a";
    QVERIFY(!shellPatternMatches(stars + "b", text, budget));
    QVERIFY(!shellRegexMatch("(a*)*b", text, budget).value_or(ShellRegexMatch{}).matched);
    QVERIFY(budget.steps > 1000);
    budget.steps = ShellBudget::kMaxSteps + 1;
    QVERIFY(!shellRegexMatch("a", "a", budget).has_value());
}

QTEST_APPLESS_MAIN(TestShellFuzz)
#include "tst_shell_fuzz.moc"
