// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_environment.h"
#include "model/formats/shell_words.h"
#include "tests/support/shell_runs.h"

#include <QtTest>

using namespace clusterbeat;

/// Words as bash 5.2 passes them to a function `run` that prints its arguments: each expected list is bash's.
class TestShellWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data();
    void words();
    void otherLineEnds();
    void placeholdersAreWords();
    void unresolvedNamesAreKept();
    void batchOptionsFillSlurmVariables();
    void syntaxErrorsHaveALine();
    void secondSplitting();
};

void TestShellWords::words_data()
{
    shellRunColumns();
    shellRunRow("plain", R"sh(run a b)sh", "run|a|b");
    shellRunRow("continuation", R"sh(run a \
  b \
  c)sh",
        "run|a|b|c");
    shellRunRow("comment", R"sh(run a # b c)sh", "run|a");
    shellRunRow("hash inside a word", R"sh(run a#b)sh", "run|a#b");
    shellRunRow("quotes", R"sh(run 'a b' "c d" e\ f "")sh", "run|a b|c d|e f|");
    shellRunRow("escapes in double quotes", R"sh(run "a\"b" "\$X" "c\d")sh", "run|a\"b|$X|c\\d");
    shellRunRow("ANSI quotes", R"sh(run $'a\tb' $'it\'s')sh", "run|a\tb|it's");
    shellRunRow("variable", R"sh(X=5; run $X ${X} x${X}y '$X' "$X")sh", "run|5|5|x5y|$X|5");
    shellRunRow("splitting only unquoted", R"sh(X='a  b'; run $X "$X")sh", "run|a|b|a  b");
    shellRunRow("empty unquoted vanishes", R"sh(X=; run a $X b "$X")sh", "run|a|b|");
    shellRunRow("unset is empty", R"sh(run a "$X" "x${Y}y")sh", "run|a||xy");
    shellRunRow("assignment is not split", R"sh(A='1 2'; B=$A; run "$B")sh", "run|1 2");
    shellRunRow("defaults", R"sh(X=; run ${X:-5} ${X:-"a b"} ${1:-"x y"} a${X-5} ${Y:-p q})sh", "run|5|a b|x y|a|p|q");
    shellRunRow("quoted default", R"sh(run "${X:-"a b"}" "${X:-a 'b'}")sh", "run|a b|a 'b'");
    shellRunRow("nested default", R"sh(Y=7; run ${X:-${Y:-3}})sh", "run|7");
    shellRunRow("assigning default", R"sh(run ${X:=4}; run $X)sh", "run|4");
    shellRunRow("colon assigns defaults", R"sh(: "${LAYERS:=24}" ${TP:=4}; run $LAYERS $TP)sh", "run|24|4");
    shellRunRow("colon keeps what is set", R"sh(TP=2; : ${TP:=4}; run $TP)sh", "run|2");
    shellRunRow("alternative", R"sh(X=1; run a${X:+b} a${Y:+b} ${Y+c} "${X:+--flag $X}")sh", "run|ab|a|--flag 1");
    shellRunRow("removing prefixes", R"sh(N=gpt-24-tp4; run ${N#*-} ${N##*-} ${N#x} ${N#gpt})sh", "run|24-tp4|tp4|gpt-24-tp4|-24-tp4");
    shellRunRow("removing suffixes", R"sh(P=/a/b/model.tar.gz; run ${P%.*} ${P%%.*} ${P%/*} "${P%%/*}x" ${P##*/})sh", "run|/a/b/model.tar|/a/b/model|/a/b|x|model.tar.gz");
    shellRunRow("trim in two steps", R"sh(N=gpt-24-tp4; R=${N#*-}; run ${R%%-*} ${N: -1})sh", "run|24|4");
    shellRunRow("slices", R"sh(X=abcdef; run ${X:2} ${X:1:3} ${X: -2} ${X:(-3):2} ${X:0:-1})sh", "run|cdef|bcd|ef|de|abcde");
    shellRunRow("replacing", R"sh(X=a_b_c; run ${X/_/-} ${X//_/-} ${X/#a/x} ${X/%c/z} ${X//_} ${X//[ab]/q})sh", "run|a-b_c|a-b-c|x_b_c|a_b_z|abc|q_q_c");
    shellRunRow("pattern from a variable", R"sh(X=1.5B; S=B; run ${X%$S} ${X%"$S"} ${X/./p})sh", "run|1.5|1.5|1p5B");
    shellRunRow("length", R"sh(X=hello; A=(a b c); run ${#X} ${#A[@]} ${#A[1]} ${#Y})sh", "run|5|3|1|0");
    shellRunRow("case change", R"sh(X=Bf16; run ${X,,} ${X^^} ${X^} ${X,})sh", "run|bf16|BF16|Bf16|bf16");
    shellRunRow("indirect", R"sh(L_small=12; S=small; N=L_$S; run ${!N})sh", "run|12");
    shellRunRow("names with a prefix", R"sh(AB_1=x; AB_2=y; run ${!AB_*})sh", "run|AB_1|AB_2");
    shellRunRow("append", R"sh(X=a; X+=b; run $X)sh", "run|ab");
    shellRunRow("array", R"sh(A=(a 'b c' d); run ${A[@]} "${A[@]}" ${A[1]} ${#A[@]} "${A[*]}" ${A[-1]} $A)sh", "run|a|b|c|d|a|b c|d|b|c|3|a b c d|d|a");
    shellRunRow("array over lines", R"sh(A=(
  a 1   # first, don't count
  # b 2

  c
)
run "${A[@]}")sh",
        "run|a|1|c");
    shellRunRow("array append", R"sh(A=(a); A+=(b "c d"); A+=("${A[@]}"); run "${A[@]}")sh", "run|a|b|c d|a|b|c d");
    shellRunRow("array elements", R"sh(A=(a b); A[2]=c; A[5]=f; A[0]+=x; run "${A[@]}" ${!A[@]} ${#A[@]})sh", "run|ax|b|c|f|0|1|2|5|4");
    shellRunRow("array slices", R"sh(A=(a b c d e); run "${A[@]:1:2}" "${A[@]: -1}")sh", "run|b|c|e");
    shellRunRow("operators on each element", R"sh(A=(x.py y.py); run "${A[@]%.py}" "${A[@]/#/--}" ${A[@]^^})sh", "run|x|y|--x.py|--y.py|X.PY|Y.PY");
    shellRunRow("empty array", R"sh(A=(); run x "${A[@]}" ${A[@]} y)sh", "run|x|y");
    shellRunRow("associative array", R"sh(declare -A L=([small]=12 [medium]=24); S=medium; run ${L[$S]} ${L[small]} "${L[none]}" ${#L[@]})sh",
        "run|24|12||2");
    shellRunRow("associative elements", R"sh(declare -A H; H[a.b]=1; H["c d"]=2; K="c d"; H[$K]+=3; run ${H[a.b]} "${H[$K]}")sh", "run|1|23");
    shellRunRow("associative test of a key", R"sh(declare -A H=([x]=1); if [[ -v H[x] ]]; then run yes; else run no; fi)sh", "run|yes");
    shellRunRow("arithmetic", R"sh(G=8; N=4; run $(($G*$N)) $((G * N + 2)) $(( (G-2)/3 )) $((7%4)) $((-2 - -5)) $((1<2)) $((2**10)) $((1<<4)) $((6&3)) $((6|1)) $((6^3)))sh",
        "run|32|34|2|3|3|1|1024|16|2|7|5");
    shellRunRow("more arithmetic", R"sh(X=5; run $((X>3?10:20)) $((X++)) $X $((++X)) $((X+=2)) $((!X)) $((~0)) $((0x1f)) $((010)) $((2#101)) $((X==9&&1)) $((X,3)))sh",
        "run|10|5|6|7|9|0|-1|31|8|5|1|3");
    shellRunRow("arithmetic on arrays", R"sh(A=(3 4); run $((A[0]*A[1])) $((${A[0]} + ${#A[@]})) $(( A[1] += 1 )) ${A[1]})sh", "run|12|5|5|5");
    shellRunRow("old arithmetic", R"sh(X=3; run $[X*2])sh", "run|6");
    shellRunRow("expression in a variable", R"sh(X=Y+1; Y=4; run $((X*2)))sh", "run|10");
    shellRunRow("let and double brackets", R"sh(L=20; let L=L+4; let "L *= 2" M=L/3; (( L -= 8 )); run $L $M)sh", "run|40|16");
    shellRunRow("integers by declaration", R"sh(declare -i N=3*4; N+=2; N=N/2; run $N)sh", "run|7");
    shellRunRow("export", R"sh(export X=3 Y="a b"; run $X "$Y")sh", "run|3|a b");
    shellRunRow("temporary environment", R"sh(X=1; X=2 run a $X)sh", "run|a|1");
    shellRunRow("self-reference", R"sh(A=x; A=$A$A; A=$A$A; run $A)sh", "run|xxxx");
    shellRunRow("braces", R"sh(run a{1,2}b {1..4} {a..c} x{,y} {01..03} {8..1..3} "{1,2}" {a} ${X:-{b,c}})sh", "run|a1b|a2b|1|2|3|4|a|b|c|x|xy|01|02|03|8|5|2|{1,2}|{a}|{b,c}");
    shellRunRow("IFS of its own", R"sh(IFS=,; X=1,2,3; A=($X); run ${#A[@]} "${A[*]}" ${A[2]})sh", "run|3|1,2,3|3");
    shellRunRow("read from a string", R"sh(IFS=: read -r TP PP <<< "4:2"; run $TP $PP)sh", "run|4|2");
    shellRunRow("read an array", R"sh(IFS=, read -ra A <<< "1,2,8"; run ${#A[@]} ${A[2]})sh", "run|3|8");
    shellRunRow("read the rest", R"sh(read a b <<< "1 2 3 4"; run "$a" "$b")sh", "run|1|2 3 4");
    shellRunRow("read without splitting", R"sh(IFS= read -r x <<< "  a b "; run "$x")sh", "run|  a b ");
    shellRunRow("read lines of a loop", R"sh(while read -r k v; do [ "$k" = tp ] && TP=$v; done <<< $'pp 2\ntp 8\nmb 1'; run $TP)sh", "run|8");
    shellRunRow("read into an array by lines", R"sh(mapfile -t M < <(printf '%s\n' a "b c" d); run ${#M[@]} "${M[1]}")sh", "run|3|b c");
    shellRunRow("here-string in a substitution", R"sh(X=$(cat <<< "a b"); run $X)sh", "run|a|b");
    shellRunRow("tilde, star and question mark without files", R"sh(run a*b '*' x?y)sh", "run|a*b|*|x?y");
    shellRunRow("printf", R"sh(printf -v X '%s-%02d' tp 4; run $X $(printf '%d,' 1 2 3) $(printf '%5s|' a) "$(printf 'a\nb')")sh",
        "run|tp-04|1,2,3,|a||a\nb");
    shellRunRow("expr and bc", R"sh(X=6; run $(expr $X \* 7) $(expr 7 / 2) `expr 3 + 4` $(echo "6*7" | bc) $(echo "2^5+1" | bc) $(expr $X = 6))sh",
        "run|42|3|7|42|33|1");
    shellRunRow("seq, basename, dirname", R"sh(run $(seq 3) $(seq -s, 2 4) $(seq 2 3 9) $(basename /a/b.sh) $(basename /a/b.sh .sh) $(dirname /a/b/c) $(dirname x))sh",
        "run|1|2|3|2,3,4|2|5|8|b.sh|b|/a/b|.");
    shellRunRow("filters", R"sh(run $(echo a:b:c | cut -d: -f2) $(echo aBc | tr a-z A-Z) $(echo 1x2x | tr -d x) $(echo a b c | wc -w) $(echo "a b c" | awk '{print $2}') $(echo a-b-c | sed 's/-/_/g') $(echo 7B | sed 's/[^0-9]//g') $(printf 'p\nq\nr\n' | head -n 2 | tail -1) $(echo A | tr '[:upper:]' '[:lower:]'))sh",
        "run|b|ABC|12|3|b|a_b_c|7|q|a");
    shellRunRow("nested substitution", R"sh(run $(echo $(echo a $(echo b))) `echo \`echo c\`` "$(echo "x  y")")sh", "run|a|b|c|x  y");
    shellRunRow("substitution with brackets and comments", R"sh(X=$(
  # it's a comment with a )
  case a in a) echo one;; *) echo two;; esac
); run $X)sh",
        "run|one");
    shellRunRow("redirections", R"sh(run a > /dev/null 2>&1 b < /dev/null)sh", "run|a|b");
    shellRunRow("redirection of a word that is a number", R"sh(run 1 2> /dev/null 3)sh", "run|1|3");
    shellRunRow("several commands on a line", R"sh(X=1; Y=2 ; run $X; run b $Y)sh", "run|b|2");
    shellRunRow("dollar alone", R"sh(run $ a$ "$" 5$)sh", "run|$|a$|$|5$");
    shellRunRow("trailing backslash at the end", R"sh(run a \)sh", "run|a");
}

void TestShellWords::words() { checkShellRun(); }

void TestShellWords::otherLineEnds()
{
    QCOMPARE(lastShellRun("X=1\r\nrun $X \\\r\n  b\r\n"), QStringLiteral("run|1|b"));
}

// <PATH TO DATA> is left to be filled in; bash would look for a file PATH.
void TestShellWords::placeholdersAreWords()
{
    QCOMPARE(lastShellRun("run --data <PATH TO DATA> --fp16 --vocab <vocab.json> \\\n --bf16"),
             QStringLiteral("run|--data|<PATH TO DATA>|--fp16|--vocab|<vocab.json>|--bf16"));
    QCOMPARE(lastShellRun("run a <in >out b"), QStringLiteral("run|a|b"));
}

void TestShellWords::unresolvedNamesAreKept()
{
    const auto script = readShellScript("N=$SLURM_NNODES\nrun --nnodes $N x$HOST `hostname` $(nproc) $((N*8)) $1 \"${A[@]}\" ${X%a} $(nvidia-smi -L | wc -l) $HOME", "script.sh");
    QVERIFY(script.ok());
    std::vector<std::string> names;
    for (const std::string &word : script.value().commands.back().words)
        names.push_back(unresolvedName(word).value_or("-"));
    QCOMPARE(names, (std::vector<std::string>{"-", "-", "SLURM_NNODES", "HOST", "$(hostname)", "$(nproc)", "SLURM_NNODES", "1", "A", "X", "$(nvidia-smi)", "HOME"}));
    QCOMPARE(script.value().variables.count("N"), std::size_t{0});
    QCOMPARE(script.value().missingArguments, std::vector<std::string>{"1"});
    // A value that is not known survives another shell, and what is made of it stays unknown.
    const auto inner = readShellScript("T=$(date +%s)\nbash -c \"run --a $T 'b $T' ${T%x}\"\nrun $((T+1)) ${#T} $(echo $T | cut -c1)", "script.sh");
    QVERIFY(inner.ok());
    QCOMPARE(inner.value().commands.size(), std::size_t{3});
    QCOMPARE(unknownName(inner.value().commands[1].words.at(4)), std::optional<std::string>("$(date)"));
    for (std::size_t i = 1; i < 4; ++i)
        QVERIFY(unknownName(inner.value().commands[2].words.at(i)).has_value());
}

void TestShellWords::batchOptionsFillSlurmVariables()
{
    const auto script = readShellScript("#!/bin/bash\n#SBATCH --nodes=24   # servers\n#SBATCH --gres=gpu:a100:8\n#SBATCH -C a100 --exclusive -n192\n#SBATCH -J name\n"
                                        "#PBS -l select=2:ngpus=8\n"
                                        "run $SLURM_NNODES $SLURM_GPUS_ON_NODE $SLURM_NTASKS $SLURM_PROCID $SLURM_JOB_NAME", "script.sh");
    QVERIFY(script.ok());
    QCOMPARE(script.value().commands.back().words, (std::vector<std::string>{"run", "24", "8", "192", "0", "name"}));
    const std::vector<std::pair<std::string, std::string>> expected{{"--nodes", "24"}, {"--gres", "gpu:a100:8"}, {"-C", "a100"}, {"--exclusive", ""},
                                                                    {"-n", "192"}, {"-J", "name"}, {"PBS -l", "select=2:ngpus=8"}};
    QCOMPARE(script.value().batchOptions, expected);
}

void TestShellWords::syntaxErrorsHaveALine()
{
    const QString syntax = QStringLiteral("error %1 line %2").arg(static_cast<int>(ErrorCode::ScriptSyntax));
    QCOMPARE(lastShellRun("run a\nrun \"b\nrun c\n"), syntax.arg(2));
    QCOMPARE(lastShellRun("run 'a"), syntax.arg(1));
    QCOMPARE(lastShellRun("run a\n\nrun ${X"), syntax.arg(3));
    QCOMPARE(lastShellRun("run $(date"), syntax.arg(1));
}

void TestShellWords::secondSplitting()
{
    QCOMPARE(splitQuotedWords("--split '99,1,0'  --a \"b c\" d\\ e ''"),
             (std::vector<std::string>{"--split", "99,1,0", "--a", "b c", "d e", ""}));
    QCOMPARE(splitQuotedWords("  \t\n"), std::vector<std::string>{});
    QCOMPARE(splitQuotedWords("'open"), std::vector<std::string>{"open"});
}

QTEST_APPLESS_MAIN(TestShellWords)
#include "tst_shell_words.moc"
