// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/shell_expansion.h"
#include "model/formats/shell_words.h"

#include <QtTest>

using namespace clusterbeat;

/// Expected words are what bash passes to the command (`printf '[%s]' …`), by the POSIX shell's rules.
class TestShellWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data();
    void words();
    void conditions_data();
    void conditions();
    void unresolvedNamesAreKept();
    void batchOptionsFillSlurmVariables();
    void syntaxErrorsHaveALine();
    void hostileTextEnds_data();
    void hostileTextEnds();
    void secondSplitting();
};

namespace {

/// The words of the last command, joined with |.
QString lastWords(const std::string &text)
{
    const auto script = readShellScript(text, "script.sh");
    if (!script.ok()) return QStringLiteral("error %1 line %2").arg(static_cast<int>(script.error().code)).arg(script.error().place.line);
    if (script.value().commands.empty()) return QStringLiteral("none");
    QStringList words;
    for (const std::string &word : script.value().commands.back().words)
        words << QString::fromStdString(word);
    return words.join(QLatin1Char('|'));
}

} // namespace

void TestShellWords::words_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << QString::fromUtf8(script) << QString::fromUtf8(expected);
    };
    row("plain", "run a b", "run|a|b");
    row("continuation", "run a \\\n  b \\\n  c", "run|a|b|c");
    row("windows line ends", "X=1\r\nrun $X \\\r\n  b\r\n", "run|1|b");
    row("comment", "run a # b c\n", "run|a");
    row("hash inside a word", "run a#b", "run|a#b");
    row("quotes", R"(run 'a b' "c d" e\ f "")", "run|a b|c d|e f|");
    row("escapes in double quotes", R"(run "a\"b" "\$X" "c\d")", "run|a\"b|$X|c\\d");
    row("variable", "X=5\nrun $X ${X} x${X}y '$X' \"$X\"", "run|5|5|x5y|$X|5");
    row("splitting only unquoted", "X='a  b'\nrun $X \"$X\"", "run|a|b|a  b");
    row("empty unquoted vanishes", "X=\nrun a $X b \"$X\"", "run|a|b|");
    row("assignment is not split", "A='1 2'\nB=$A\nrun \"$B\"", "run|1 2");
    row("default", "run ${X:-5} ${X:-\"a b\"} ${1:-\"x y\"} ${X-$(date)}x", "run|5|a|b|x|y|\x01$(date)\x02x");
    row("nested default", "Y=7\nrun ${X:-${Y:-3}}", "run|7");
    row("default of an empty value", "X=\nrun ${X:-5} a${X-5}", "run|5|a");
    row("assigning default", "run ${X:=4}\nrun $X", "run|4");
    row("alternative", "X=1\nrun a${X:+b} a${Y:+b}", "run|ab|a");
    row("case change", "X=Bf16\nrun ${X,,} ${X^^}", "run|bf16|BF16");
    row("environment that is empty by default", "X=$NOT_SET\nrun ${X:-8}", "run|8");
    row("append", "X=a\nX+=b\nrun $X", "run|ab");
    row("array", "A=(a 'b c' d)\nrun ${A[@]} \"${A[@]}\" ${A[1]} ${#A[@]}", "run|a|b|c|d|a|b c|d|b|c|3");
    row("array over lines", "A=(\n  a 1   # first\n  # b 2\n\n  c\n)\nrun \"${A[@]}\"", "run|a|1|c");
    row("array append", "A=(a)\nA+=(b \"c d\")\nA+=(\"${A[@]}\")\nrun \"${A[@]}\"", "run|a|b|c d|a|b|c d");
    row("empty array", "A=()\nrun x \"${A[@]}\" ${A[@]} y", "run|x|y");
    row("arithmetic", "G=8\nN=4\nrun $(($G*$N)) $((G * N + 2)) $(( (G-2)/3 )) $((7%4)) $((-2 - -5)) $((1<2))", "run|32|34|2|3|3|1");
    row("export", "export X=3 Y=\"a b\"\nrun $X \"$Y\"", "run|3|a b");
    row("temporary environment", "X=1 run a", "run|a");
    row("redirections", "run a > log 2>&1 b < in &> all", "run|a|b");
    row("pipeline", "run a | tee log", "tee|log");
    row("here-document", "cat <<EOF > f\n$X \"unbalanced\nEOF\nrun a", "run|a");
    row("here-document with tabs and quotes", "cat <<-'END'\n\t(\n\tEND\nrun a", "run|a");
    row("function", "launch() {\n  run inside\n}\nlaunch x", "launch|x");
    row("loop: first pass", "for tp in 2 4 8; do\n  run $tp\ndone", "run|2");
    row("self-reference", "A=x\nA=$A$A\nA=$A$A\nrun $A", "run|xxxx");
    row("trailing backslash", "run a \\", "run|a");
    row("dollar alone", "run $ a$", "run|$|a$");
    row("no arguments were given", "run \"$@\" $* a", "run|a");
    row("subshell", "(run a; run b)", "run|b");
}

void TestShellWords::words()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    QCOMPARE(lastWords(script.toStdString()), expected);
}

// Which branch sets X; undecided conditions take the first one and are reported by line.
void TestShellWords::conditions_data()
{
    QTest::addColumn<QString>("condition");
    QTest::addColumn<QString>("expected");
    QTest::addColumn<bool>("undecided");
    const auto row = [](const char *condition, const char *expected, bool undecided) {
        QTest::newRow(condition) << QString::fromUtf8(condition) << QString::fromUtf8(expected) << undecided;
    };
    row("[[ \"$D\" == \"fp8\" ]]", "yes", false);
    row("[[ \"$D\" == \"bf16\" ]]", "no", false);
    row("[[ $D == fp* ]]", "yes", false);
    row("[[ $D != fp8 ]]", "no", false);
    row("[ \"$D\" = fp8 ]", "yes", false);
    row("[ -z \"$D\" ]", "no", false);
    row("[ -n \"$D\" ]", "yes", false);
    row("[ $N -gt 4 ]", "yes", false);
    row("[ $N -le 4 ]", "no", false);
    row("(( N == 8 ))", "yes", false);
    row("! [ $N -eq 8 ]", "no", false);
    row("[[ $D == a ]] || [[ $D == fp8 ]] || [[ -z $D ]]", "yes", false);
    row("[[ $D == fp8 ]] && [[ $N == 9 ]]", "no", false);
    row("[[ $D == a || $N -eq 8 ]]", "yes", false);
    row("[[ ( $D == a || $N -eq 8 ) && $N -lt 8 ]]", "no", false);
    row("[ -f /etc/passwd ]", "yes", true);
    row("[ \"$UNKNOWN\" = 1 ]", "yes", true);
    row("[[ $UNKNOWN == 1 && $N == 9 ]]", "no", false);
    row("grep -q x file", "yes", true);
}

void TestShellWords::conditions()
{
    QFETCH(QString, condition);
    QFETCH(QString, expected);
    QFETCH(bool, undecided);
    const std::string text = "D=fp8\nN=8\nif " + condition.toStdString() + "; then\n  X=yes\nelse\n  X=no\nfi\n";
    const auto script = readShellScript(text, "script.sh");
    QVERIFY(script.ok());
    QCOMPARE(QString::fromStdString(script.value().variables.at("X")), expected);
    QCOMPARE(script.value().undecidedLines, undecided ? std::vector<int>{3} : std::vector<int>{});

    // The same through elif, case and &&.
    QCOMPARE(lastWords("D=fp8\nN=8\nif false; then run a\nelif " + condition.toStdString() + "; then run yes\nelse run no\nfi"),
             QStringLiteral("run|") + expected);
    QCOMPARE(lastWords("case fp8 in\n  bf16) run a ;;\n  fp8|fp4) run b ;;\n  *) run c ;;\nesac"), QStringLiteral("run|b"));
    QCOMPARE(lastWords("N=8\nX=a\n[ $N -eq 9 ] && X=b\n[ $N -eq 8 ] && X=${X}c\n[ $N -eq 8 ] || X=d\nrun $X"), QStringLiteral("run|ac"));
}

void TestShellWords::unresolvedNamesAreKept()
{
    const auto script = readShellScript("N=$SLURM_NNODES\nrun --nnodes $N x$HOST `hostname` $(nproc) $((N*8)) $1", "script.sh");
    QVERIFY(script.ok());
    std::vector<std::string> names;
    for (const std::string &word : script.value().commands.back().words)
        names.push_back(unresolvedName(word).value_or("-"));
    QCOMPARE(names, (std::vector<std::string>{"-", "-", "SLURM_NNODES", "HOST", "`", "$(nproc)", "SLURM_NNODES", "1"}));
    QCOMPARE(script.value().variables.count("N"), std::size_t{0});
}

void TestShellWords::batchOptionsFillSlurmVariables()
{
    const auto script = readShellScript("#!/bin/bash\n#SBATCH --nodes=24   # servers\n#SBATCH --gres=gpu:a100:8\n#SBATCH -C a100\n"
                                        "run $SLURM_NNODES $SLURM_GPUS_ON_NODE", "script.sh");
    QVERIFY(script.ok());
    QCOMPARE(script.value().commands.back().words, (std::vector<std::string>{"run", "24", "8"}));
    QCOMPARE(script.value().batchOptions.size(), std::size_t{3});
    QCOMPARE(script.value().batchOptions[2].second, std::string("a100"));
}

void TestShellWords::syntaxErrorsHaveALine()
{
    const QString syntax = QStringLiteral("error %1 line %2").arg(static_cast<int>(ErrorCode::SyntaxError));
    QCOMPARE(lastWords("run a\nrun \"b\nrun c\n"), syntax.arg(2));
    QCOMPARE(lastWords("run 'a"), syntax.arg(1));
    QCOMPARE(lastWords("run a\n\nrun ${X"), syntax.arg(3));
    QCOMPARE(lastWords("run $(date"), syntax.arg(1));
}

// Nothing here may crash, hang or use memory without bound; the outcome is either words or one error.
void TestShellWords::hostileTextEnds_data()
{
    QTest::addColumn<QByteArray>("text");
    QByteArray doubling = "A=xxxxxxxxxx\n";
    for (int i = 0; i < 200; ++i)
        doubling += "A=$A$A$A$A\nB=(\"${B[@]}\" \"${B[@]}\" $A)\n";
    QTest::newRow("doubling variable") << doubling + "run $A\n";
    QTest::newRow("nested expansions") << QByteArray("run ") + QByteArray("${X:-").repeated(100'000);
    QTest::newRow("nested closed expansions") << QByteArray("run ") + QByteArray("${X:-").repeated(1000) + QByteArray("}").repeated(1000);
    QTest::newRow("nested substitutions") << QByteArray("run ") + QByteArray("$(").repeated(100'000);
    QTest::newRow("nested quotes") << QByteArray("run ") + QByteArray("\"$(").repeated(100'000);
    QTest::newRow("nested arithmetic") << "run $((" + QByteArray("(").repeated(100'000) + "))";
    QTest::newRow("deep arithmetic") << "run $((" + QByteArray("(").repeated(10'000) + "1" + QByteArray(")").repeated(10'000) + "))";
    QTest::newRow("signs") << "run $((" + QByteArray("-").repeated(100'000) + "1))";
    QTest::newRow("overflow") << QByteArray("run $((9223372036854775807 * 2)) $((1/0)) $((-9223372036854775807 - 1))");
    QTest::newRow("conditions") << QByteArray("if [[ ").append(QByteArray("( ").repeated(100'000)) + "\n";
    QTest::newRow("ifs") << QByteArray("if true; then\n").repeated(100'000);
    QTest::newRow("closers") << QByteArray("fi done esac } ) ;; ").repeated(10'000);
    QTest::newRow("case without end") << QByteArray("case x in a|b");
    QTest::newRow("function at the end") << QByteArray("f(");
    QTest::newRow("array without end") << QByteArray("A=(a b c");
    QTest::newRow("here-document without end") << QByteArray("cat <<EOF\n").repeated(1000);
    QTest::newRow("huge line") << "run " + QByteArray("a").repeated(8'000'000);
    QTest::newRow("huge quoted line") << "run \"" + QByteArray("a$X ").repeated(1'000'000) + "\"";
    QTest::newRow("stars") << "if [[ " + QByteArray("a").repeated(5000) + " == " + QByteArray("*a").repeated(2000) + "b ]]; then X=1; fi";
    QByteArray binary;
    for (int i = 0; i < 100'000; ++i)
        binary += static_cast<char>((i * 7919 + i / 256) % 255 + 1);
    QTest::newRow("binary") << binary;
}

void TestShellWords::hostileTextEnds()
{
    QFETCH(QByteArray, text);
    const auto script = readShellScript(text.toStdString(), "script.sh");
    if (!script.ok()) {
        QVERIFY(!script.error().arguments.empty());
        return;
    }
    std::size_t size = 0;
    for (const ShellCommand &command : script.value().commands) {
        for (const std::string &word : command.words)
            size += word.size();
    }
    QVERIFY(size <= 2 * ShellVariables::kMaxOutput);
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
