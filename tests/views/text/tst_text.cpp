// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/error_text.h"
#include "views/text/format.h"
#include "views/text/names.h"
#include "views/text/why_text.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QtTest>

#include <set>

using namespace clusterbeat;

namespace {

const QLocale kEnglish(QLocale::English, QLocale::UnitedStates);
const QLocale kGerman(QLocale::German, QLocale::Germany);

bool hasMarker(const QString &text)
{
    static const QRegularExpression marker(QStringLiteral("%[1-9n]"));
    return text.contains(marker);
}

// No-break spaces are hard to read in expectations.
QString plain(QString text) { return text.replace(QChar(0x00a0), QLatin1Char(' ')); }

} // namespace

class TestText final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void microBatchesOfTwoDirectionsAreToldApart();
    // Three significant digits; a value that rounds up to the next unit is shown in it (999.6 ms = 1.00 s).
    void durations_data()
    {
        QTest::addColumn<qint64>("ns");
        QTest::addColumn<QString>("expected");
        QTest::newRow("zero") << qint64{0} << QStringLiteral("0 s");
        QTest::newRow("ns") << qint64{12} << QStringLiteral("12 ns");
        QTest::newRow("us") << qint64{8'250} << QStringLiteral("8.25 µs");
        QTest::newRow("ms") << qint64{37'140'000} << QStringLiteral("37.1 ms");
        QTest::newRow("rounds up") << qint64{999'600'000} << QStringLiteral("1.00 s");
        QTest::newRow("heartbeat") << qint64{6'228'000'000} << QStringLiteral("6.23 s");
        QTest::newRow("negative") << qint64{-1'384'000'000} << QStringLiteral("−1.38 s");
        QTest::newRow("minutes") << qint64{900} * kNsPerSecond << QStringLiteral("15.0 min");
        QTest::newRow("hours") << qint64{11'160} * kNsPerSecond << QStringLiteral("3.1 h");
        QTest::newRow("days") << qint64{54} * 86'400 * kNsPerSecond << QStringLiteral("54.0 d");
    }
    void durations()
    {
        QFETCH(qint64, ns);
        QFETCH(QString, expected);
        QCOMPARE(plain(durationText(ns, kEnglish)), expected);
    }

    void figures()
    {
        QCOMPARE(plain(bytesText(62.4e9, kEnglish)), QStringLiteral("62.4 GB"));
        QCOMPARE(plain(bytesText(6.48e12, kEnglish)), QStringLiteral("6.48 TB"));
        QCOMPARE(plain(bytesText(512, kEnglish)), QStringLiteral("512 B"));
        QCOMPARE(plain(bitRateText(400, kEnglish)), QStringLiteral("400 Gb/s"));
        QCOMPARE(plain(bitRateText(16384.0 * 400.0, kEnglish)), QStringLiteral("6.55 Pb/s"));   // facts: injection of 16,384 x 400 Gb/s
        QCOMPARE(plain(powerQuantity(24e6, kEnglish).text()), QStringLiteral("24.0 MW"));       // facts: 20,000 x 1 kW x 1.2
        QCOMPARE(plain(tokenRateQuantity(2.2e6, kEnglish).text()), QStringLiteral("2.20 M tokens/s"));
        QCOMPARE(plain(percentText(0.413, kEnglish)), QStringLiteral("41.3 %"));
        QCOMPARE(plain(percentText(1.0, kEnglish)), QStringLiteral("100 %"));
        QCOMPARE(plain(percentText(0.7, kEnglish, 0)), QStringLiteral("70 %"));
        QCOMPARE(plain(usdText(3.414, kEnglish)), QStringLiteral("$3.41"));
        QCOMPARE(plain(usdText(0.0624, kEnglish)), QStringLiteral("$0.0624"));
        QCOMPARE(plain(usdText(0.5, kEnglish)), QStringLiteral("$0.500"));
        QCOMPARE(plain(usdText(0.0012, kEnglish, Sign::Always, 4)), QStringLiteral("+$0.0012"));
        QCOMPARE(plain(usdText(0.0, kEnglish)), QStringLiteral("$0.00"));
        QCOMPARE(plain(usdText(850e3, kEnglish)), QStringLiteral("$850 k"));
        QCOMPARE(plain(usdText(12.3e6, kEnglish, Sign::Always)), QStringLiteral("+$12.3 M"));
        QCOMPARE(plain(usdText(-999'700, kEnglish)), QStringLiteral("−$1.00 M"));
        QCOMPARE(integerText(16384, kEnglish), QStringLiteral("16,384"));
        QCOMPARE(integerText(-16384, kEnglish), QStringLiteral("−16,384"));
        QCOMPARE(plain(secondsText(1.3849, kEnglish, Sign::Always)), QStringLiteral("+1.38 s"));
    }

    // A number that is shown as zero has no sign, and what is not a number is a dash, not "nan".
    void noFalseFigures()
    {
        QCOMPARE(fixedText(-0.001, 2, kEnglish), QStringLiteral("0.00"));
        QCOMPARE(fixedText(0.001, 2, kEnglish, Sign::Always), QStringLiteral("0.00"));
        const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
        for (const double bad : {nan, infinity, -infinity})
            for (const QString &text : {numberText(bad, kEnglish), usdText(bad, kEnglish), percentText(bad, kEnglish), bytesText(bad, kEnglish),
                                        secondsText(bad, kEnglish), powerQuantity(bad, kEnglish).text(), tokenRateQuantity(bad, kEnglish).text()})
                QVERIFY2(text.startsWith(QChar(0x2013)), qPrintable(text));
    }

    void localeRules()
    {
        QCOMPARE(plain(secondsText(6.23, kGerman)), QStringLiteral("6,23 s"));
        QCOMPARE(integerText(16384, kGerman), QStringLiteral("16.384"));
    }

    void memberPaths()
    {
        QCOMPARE(memberPathText(QStringLiteral("pod.2/rack.84/server.1/gpu.5")), QStringLiteral("pod 2 / rack 84 / server 1 / GPU 5"));
        QCOMPARE(containerPathText(QStringLiteral("pod.2/rack.84/server.1/gpu.5")), QStringLiteral("pod 2 / rack 84 / server 1"));
        QCOMPARE(memberText(QStringLiteral("pod.2/rack.84/server.1/gpu.5")), QStringLiteral("GPU 5"));
        QCOMPARE(memberPathText(QStringLiteral("rack.17/**")), QStringLiteral("rack 17 / all GPUs"));
        QCOMPARE(memberPathText(QStringLiteral("my-box.3/gpu.0")), QStringLiteral("my-box 3 / GPU 0"));
        QCOMPARE(memberPathText(QStringLiteral("stage:7 replica:41")), QStringLiteral("stage:7 replica:41"));
        QCOMPARE(memberPathText(QString()), QStringLiteral("all GPUs"));
    }

    // Arguments are inserted in one pass: one that looks like a marker stays as it is.
    void fillingIsOnePass()
    {
        QCOMPARE(fillText(QStringLiteral("%2 before %1"), {QStringLiteral("%2"), QStringLiteral("x")}), QStringLiteral("x before %2"));
        QCOMPARE(fillText(QStringLiteral("100 % of %1"), {}), QStringLiteral("100 % of ?"));
    }

    void everyNameExists()
    {
        std::set<QString> seen;
        for (std::size_t i = 0; i < kCategoryCount; ++i) {
            QVERIFY(seen.insert(categoryName(static_cast<Category>(i))).second);
            QVERIFY(categoryDescription(static_cast<Category>(i)).endsWith(QLatin1Char('.')));
            QCOMPARE(stateName(static_cast<std::uint8_t>(i)), categoryName(static_cast<Category>(i)));
        }
        QVERIFY(seen.insert(stateName(kUnusedState)).second);
        QVERIFY(!seen.contains(QString()));
        const auto check = [](int last, auto nameOf) {
            std::set<QString> names;
            for (int i = 0; i <= last; ++i) QVERIFY(names.insert(nameOf(i)).second);
            QVERIFY(!names.contains(QString()));
        };
        check(static_cast<int>(Dimension::Pipeline), [](int i) { return dimensionName(static_cast<Dimension>(i)); });
        check(static_cast<int>(Dimension::Pipeline), [](int i) { return dimensionAbbreviation(static_cast<Dimension>(i)); });
        check(static_cast<int>(ScheduleKind::Custom), [](int i) { return scheduleName(static_cast<ScheduleKind>(i)); });
        check(static_cast<int>(ScheduleKind::Custom), [](int i) { return scheduleKey(static_cast<ScheduleKind>(i)); });
        check(static_cast<int>(NodeKind::Storage), [](int i) { return nodeKindName(static_cast<NodeKind>(i)); });
        check(static_cast<int>(PerturbationKind::WarmUp), [](int i) { return perturbationName(static_cast<PerturbationKind>(i)); });
        check(static_cast<int>(LinkDomain::Uplink), [](int i) { return linkDomainName(static_cast<LinkDomain>(i)); });
        check(static_cast<int>(CollectiveAlgorithm::AllToAll), [](int i) { return algorithmName(static_cast<CollectiveAlgorithm>(i)); });
        check(static_cast<int>(OperationKind::WeightGradient), [](int i) { return operationName(static_cast<OperationKind>(i)); });
        check(static_cast<int>(SimulationStage::Attribute), [](int i) { return stageOfWorkName(static_cast<SimulationStage>(i)); });
    }

    // Every code says what and what to do, with any number of arguments, and never shows a place marker.
    void everyErrorHasASentence()
    {
        std::set<QString> sentences;
        for (int i = 0; i <= static_cast<int>(ErrorCode::Internal); ++i) {
            Error error{static_cast<ErrorCode>(i), {}, {}};
            QVERIFY(!hasMarker(errorText(error, kEnglish)));
            for (int k = 0; k < 6; ++k) error.arguments.emplace_back(std::string("argument") + std::to_string(k));
            error.place.pointer = "/layout/tensor";
            const ErrorText parts = errorParts(error, kEnglish);
            QVERIFY2(parts.what.endsWith(QLatin1Char('.')), qPrintable(QString::number(i)));
            QVERIFY2(!parts.todo.isEmpty(), qPrintable(QString::number(i)));
            QVERIFY(sentences.insert(parts.what).second);
            const QString line = errorText(error, kEnglish);
            QVERIFY(!hasMarker(line) && !line.contains(QLatin1Char('\n')));
            QVERIFY(line.startsWith(QStringLiteral("/layout/tensor: ")));
        }
        std::set<QString> notices;
        for (int i = 0; i <= static_cast<int>(NoticeCode::ScriptCutShort); ++i) {
            Notice notice{static_cast<NoticeCode>(i), {}, {}};
            QVERIFY(!hasMarker(noticeText(notice, kEnglish)));
            notice.arguments.assign(4, Argument{std::int64_t{12345}});
            QVERIFY(notices.insert(noticeText(notice, kEnglish)).second);
            QVERIFY(noticeText(notice, kEnglish).contains(QStringLiteral("12,345")));
        }
    }

    void errorsReadWell()
    {
        QCOMPARE(errorText({ErrorCode::NotAnInteger, {"run.json", "/model/layers", 0, 0}, {std::string("2.5")}}, kEnglish),
                 QStringLiteral("run.json: /model/layers: 2.5 is not a whole number. Write it without a fraction."));
        QCOMPARE(errorText({ErrorCode::SyntaxError, {"run.json", "", 12, 5}, {std::string("expected ','")}}, kEnglish),
                 QStringLiteral("run.json:12:5: This is not valid JSON: expected ','. Correct the text at this place."));
        QCOMPARE(errorText({ErrorCode::UnknownKey, {"", "/layout", 0, 0}, {std::string("tensr"), std::string("tensor")}}, kEnglish),
                 QStringLiteral("/layout: The key “tensr” is not known. Did you mean “tensor”?"));
        QCOMPARE(errorText({ErrorCode::DegreesExceedGpus, {}, {std::int64_t{32768}, std::int64_t{16384}, std::int64_t{8}, std::int64_t{32},
                                                               std::int64_t{1}, std::int64_t{128}}}, kEnglish),
                 QStringLiteral("The layout needs 32,768 GPUs (tensor 8 × pipeline 32 × context 1 × data 128); the cluster has 16,384. "
                                "Lower a degree, or add GPUs."));
        QCOMPARE(plain(errorParts({ErrorCode::FileTooLarge, {}, {std::string("a"), std::int64_t{1'073'741'824}, std::int64_t{67'108'864}}}, kEnglish).what),
                 QStringLiteral("“a” is too large: 1.07 GB, the limit is 67.1 MB."));
        QCOMPARE(errorText({ErrorCode::WrongType, {}, {std::string("string"), std::string("number")}}, kEnglish),
                 QStringLiteral("Found text where a number belongs. Write a number."));
    }

    // A step speaks even when the result knows no placement, and names the GPU when it does.
    void everyWhyHasASentence()
    {
        IterationResult bare;
        std::set<QString> titles;
        for (int i = 0; i <= static_cast<int>(WhyKind::MostWork); ++i) {
            WhyStep step;
            step.kind = static_cast<WhyKind>(i);
            step.stage = 7, step.replica = 41, step.member = 5, step.stagesPassed = 3, step.ns = 1'384'000'000, step.speed = 0.7;
            const WhyText text = whyText(step, bare, kEnglish);
            QVERIFY(titles.insert(text.title).second);
            QVERIFY(!text.title.isEmpty() && !text.details.isEmpty() && text.details.size() <= 2);
            for (const QString &line : text.details + QStringList{text.title}) QVERIFY(!hasMarker(line) && !line.isEmpty());
        }
        auto placement = std::make_shared<Placement>();
        placement->tensor = 2;
        placement->rankOfGpu = {0, 1};
        placement->gpuOfRank = {0, 1};
        placement->rankOfPosition = {0, 1};
        bare.placement = placement;
        WhyStep root;
        root.kind = WhyKind::SlowGpu;
        root.member = 1;
        QCOMPARE(gpuOfStep(root, bare), GpuIndex{1});
        root.stage = 1;
        QCOMPARE(gpuOfStep(root, bare), kNone);
    }

    // Without an operation a busy rank is in its optimizer step: neither "computes" nor a stage's work.
    void optimizerStepSaysSo()
    {
        WhyStep step;
        step.kind = WhyKind::Computing;
        step.stage = 14, step.ns = 12'000'000;
        const WhyText text = whyText(step, {}, kEnglish);
        QCOMPARE(plain(text.title), QStringLiteral("Replica 0, stage 14: optimizer step"));
        QCOMPARE(plain(text.details.front()), QStringLiteral("12.0 ms"));
    }

    // The sentences serve the command line too: nothing here may need a GUI.
    void textNeedsOnlyQtCore()
    {
        static const QRegularExpression gui(QStringLiteral("#include <(QtGui|QtWidgets|QWidget|QColor|QFont|QPainter|QApplication|QGuiApplication)"));
        int files = 0;
        for (QDirIterator it(QStringLiteral(CLUSTERBEAT_SOURCE_DIR "/views/text")); it.hasNext();) {
            QFile file(it.next());
            if (!file.open(QIODevice::ReadOnly)) continue;
            ++files;
            const QString source = QString::fromUtf8(file.readAll());
            QVERIFY2(!source.contains(gui), qPrintable(file.fileName()));
        }
        QVERIFY(files >= 8);
    }
};

// 4 ranks, 16 micro-batches, half of them from each end: every rank runs the forward of all 16, and each number once.
void TestText::microBatchesOfTwoDirectionsAreToldApart()
{
    const PipelineSchedule dual = makeSchedule(ScheduleKind::DualPipe, 4, 2, 16);
    for (const auto &order : dual.order) {
        std::multiset<std::int32_t> numbers;
        for (const ScheduledOperation &operation : order)
            if (operation.kind == OperationKind::Forward) numbers.insert(shownMicroBatch(dual, operation.chunk, operation.microBatch));
        QCOMPARE(numbers.size(), 16U);
        for (std::int32_t i = 0; i < 16; ++i) QCOMPARE(numbers.count(i), 1U);
    }
    // chunks of one copy carry the same micro-batch
    QCOMPARE(shownMicroBatch(makeSchedule(ScheduleKind::Interleaved, 4, 2, 16), 1, 3), 3);
}

QTEST_GUILESS_MAIN(TestText)
#include "tst_text.moc"
