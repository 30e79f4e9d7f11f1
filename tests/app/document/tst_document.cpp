// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/document.h"
#include "app/document/scenario_edit.h"
#include "model/scenario/scenario_json.h"

#include <QFile>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace clusterbeat;

namespace {

const QString kPath = QStringLiteral("pod.0/rack.1/server.0/gpu.5");

ScenarioEdit edit(const char *pointer, const char *json)
{
    return {QString::fromUtf8(pointer), QString::fromUtf8(json), QStringLiteral("edit")};
}

} // namespace

class TestDocument : public QObject {
    Q_OBJECT
    std::shared_ptr<const Catalogue> m_catalogue;
    std::unique_ptr<Document> m_document;
    [[nodiscard]] std::string text() const { return writeScenario(m_document->scenario()); }
    [[nodiscard]] int steps() const { return m_document->undoStack()->count(); }

private Q_SLOTS:
    void initTestCase()
    {
        auto catalogue = loadCatalogue();
        QVERIFY(catalogue.ok());
        m_catalogue = std::make_shared<const Catalogue>(std::move(catalogue).value());
    }
    void init()
    {
        m_document = std::make_unique<Document>(m_catalogue);
        QVERIFY(!m_document->open(QStringLiteral("preset:llama3-405b-16k")).has_value());
    }

    void anEditIsOneStepAndKeepsTheOtherSections()
    {
        const Scenario before = m_document->scenario();
        QSignalSpy changed(m_document.get(), &Document::changed);
        QVERIFY(!m_document->apply({edit("/training/global_batch", "4096"), edit("/training/micro_batch", "2")}).has_value());
        QCOMPARE(steps(), 1);
        QCOMPARE(changed.count(), 1);
        QCOMPARE(changed.at(0).at(0).toBool(), true);
        QCOMPARE(m_document->scenario().training->globalBatch, 4096);
        // By pointer: the stage cache is keyed by it.
        QCOMPARE(m_document->scenario().model.get(), before.model.get());
        QCOMPARE(m_document->scenario().layout.get(), before.layout.get());
        QCOMPARE(m_document->scenario().cluster.get(), before.cluster.get());
        QVERIFY(m_document->scenario().training.get() != before.training.get());
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().training.get(), before.training.get());
    }

    void refusedEditsChangeNothing_data()
    {
        QTest::addColumn<QString>("pointer");
        QTest::addColumn<QString>("json");
        QTest::addColumn<int>("code");
        const auto row = [](const char *pointer, const char *json, ErrorCode code) {
            QTest::newRow(pointer) << QString::fromUtf8(pointer) << QString::fromUtf8(json) << static_cast<int>(code);
        };
        row("/layout/tensor", "2.5", ErrorCode::NotAnInteger);
        row("/layout/data", "512", ErrorCode::DegreesExceedGpus);
        row("/training/global_batch", "2047", ErrorCode::BatchNotDivisible);
        row("/training/sequence_length", "1e300", ErrorCode::OutOfRange);
        row("/layout/tenser", "8", ErrorCode::UnknownKey);
        row("/software/profile", "megatron99", ErrorCode::UnknownName);
    }
    void refusedEditsChangeNothing()
    {
        QFETCH(QString, pointer);
        QFETCH(QString, json);
        QFETCH(int, code);
        const std::string before = text();
        QSignalSpy changed(m_document.get(), &Document::changed);
        const auto error = m_document->apply({edit("/name", "changed"), {pointer, json, {}}});
        QVERIFY(error.has_value());
        QCOMPARE(static_cast<int>(error->code), code);
        QCOMPARE(text(), before);
        QCOMPARE(steps(), 0);
        QCOMPARE(changed.count(), 0);
        QVERIFY(!m_document->isModified());
    }

    void whatChangesNothingIsNoStep()
    {
        QVERIFY(!m_document->apply({edit("/layout/tensor", "8")}).has_value());
        QVERIFY(!m_document->slowGpu(kPath, 1.0).has_value());
        QVERIFY(!m_document->clearPerturbations().has_value());
        QCOMPARE(steps(), 0);
    }

    void slowGpuAddsReplacesAndRemovesExactlyItsTarget()
    {
        const QString other = QStringLiteral("pod.1/rack.0/server.1/gpu.0");
        QVERIFY(!m_document->slowGpu(kPath, 0.7).has_value());
        QVERIFY(!m_document->slowGpu(other, 0.9).has_value());
        QVERIFY(!m_document->slowGpu(kPath, 0.5).has_value());
        QCOMPARE(m_document->scenario().perturbations->size(), std::size_t{2});
        QCOMPARE(m_document->scenario().perturbations->at(0).speed, 0.5);
        QVERIFY(!m_document->slowGpu(kPath, 1.0).has_value());
        QCOMPARE(m_document->scenario().perturbations->size(), std::size_t{1});
        QCOMPARE(m_document->scenario().perturbations->at(0).target, other.toStdString());
        QCOMPARE(steps(), 4);
        for (const double wrong : {0.0, -1.0, 1.5, std::numeric_limits<double>::quiet_NaN()})
            QVERIFY(m_document->slowGpu(kPath, wrong).has_value());
        QCOMPARE(steps(), 4);
    }

    void aDragIsOneStepAndTheNextDragAnother()
    {
        QSignalSpy changed(m_document.get(), &Document::changed);
        for (const double speed : {0.95, 0.9, 0.8}) QVERIFY(!m_document->slowGpu(kPath, speed, true).has_value());
        QVERIFY(!m_document->slowGpu(kPath, 0.7, false).has_value());
        QCOMPARE(steps(), 1);
        QCOMPARE(changed.count(), 4);
        for (const double speed : {0.6, 0.5}) QVERIFY(!m_document->slowGpu(kPath, speed, true).has_value());
        QVERIFY(!m_document->slowGpu(kPath, 0.5, false).has_value());     // the release repeats the last value
        QCOMPARE(steps(), 2);
        m_document->undoStack()->undo();
        QCOMPARE(m_document->scenario().perturbations->at(0).speed, 0.7);
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario().perturbations->empty());
    }

    void aDragThatEndsWhereItBeganLeavesNoStep()
    {
        const std::string before = text();
        QVERIFY(!m_document->slowGpu(kPath, 0.9, true).has_value());
        QVERIFY(!m_document->slowGpu(kPath, 1.0, false).has_value());
        QCOMPARE(steps(), 0);
        QCOMPARE(text(), before);
        QVERIFY(!m_document->isModified());
    }

    void undoInTheMiddleOfADragStartsANewStep()
    {
        QVERIFY(!m_document->slowGpu(kPath, 0.9, true).has_value());
        m_document->undoStack()->undo();
        QVERIFY(!m_document->slowGpu(kPath, 0.8, true).has_value());
        QVERIFY(!m_document->slowGpu(kPath, 0.7, false).has_value());
        QCOMPARE(steps(), 1);
        m_document->undoStack()->undo();
        QVERIFY(m_document->scenario().perturbations->empty());
    }

    void anEditWithoutValueRemovesItsKey()
    {
        QVERIFY(!m_document->slowGpu(kPath, 0.7).has_value());
        QVERIFY(!m_document->apply({edit("/perturbations/0", "")}).has_value());
        QVERIFY(m_document->scenario().perturbations->empty());
        QCOMPARE(steps(), 2);
        QVERIFY(!m_document->apply({edit("/perturbations/7", ""), edit("/nothing/there", "")}).has_value());
        QCOMPARE(steps(), 2);
        QCOMPARE(m_document->apply({edit("no pointer", "")})->code, ErrorCode::BadPointer);
    }

    void openSaveAndTheModifiedFlag()
    {
        const QTemporaryDir folder;
        const QString path = folder.filePath(QStringLiteral("a.clusterbeat.json"));
        QVERIFY(!m_document->slowGpu(kPath, 0.7).has_value());
        QVERIFY(m_document->isModified());
        QVERIFY(!m_document->save(path).has_value());
        QVERIFY(!m_document->isModified());
        QCOMPARE(m_document->path(), path);
        const std::string saved = text();
        m_document->undoStack()->undo();
        QVERIFY(m_document->isModified());
        Document again(m_catalogue);
        QVERIFY(!again.open(path).has_value());
        QCOMPARE(writeScenario(again.scenario()), saved);
        QVERIFY(!again.isModified());
        QVERIFY(again.save(folder.filePath(QStringLiteral("no/where.json"))).has_value());
        QCOMPARE(again.path(), path);
    }

    void whatCannotBeOpenedLeavesTheDocument()
    {
        const QTemporaryDir folder;
        QVERIFY(!m_document->slowGpu(kPath, 0.7).has_value());
        const std::string before = text();
        const auto refused = [&](const char *name, const QByteArray &bytes) {
            QFile file(folder.filePath(QString::fromUtf8(name)));
            if (file.open(QIODevice::WriteOnly)) file.write(bytes);
            file.close();
            const auto error = m_document->open(file.fileName());
            return error.has_value() && error->place.file == file.fileName().toStdString();
        };
        QVERIFY(refused("syntax", "{\"clusterbeat\": 1,"));
        QVERIFY(refused("rules", "{\"clusterbeat\": 1, \"model\": {\"preset\": \"llama3-405b-16k\"}, \"cluster\": "
                                 "{\"accelerator\": \"H100-SXM5-80GB\", \"gpus\": 8}, \"layout\": {\"tensor\": 16}}"));
        QVERIFY(m_document->open(folder.path()).has_value());
        QVERIFY(m_document->open(QStringLiteral("preset:none")).has_value());
        QCOMPARE(text(), before);
        QCOMPARE(steps(), 1);
    }

    void anImportedScenarioIsUnsaved()
    {
        QVERIFY(!m_document->adopt(m_document->scenario()).has_value());
        QVERIFY(m_document->isModified());
        QCOMPARE(steps(), 0);
        QVERIFY(m_document->path().isEmpty());
    }

    // Hundreds of random intents, refused ones among them: undo of all is the original, redo of all the final text, and
    // in between every state is the one that was seen on the way.
    void storm_data()
    {
        QTest::addColumn<int>("seed");
        for (int seed = 1; seed <= 5; ++seed) QTest::newRow(qPrintable(QString::number(seed))) << seed;
    }
    void storm()
    {
        QFETCH(int, seed);
        std::vector<std::string> states{text()};
        std::uint64_t draw = static_cast<std::uint64_t>(seed) * std::uint64_t{0x9E3779B97F4A7C15};
        const auto next = [&draw](std::uint64_t below) {
            draw = draw * std::uint64_t{6364136223846793005} + std::uint64_t{1442695040888963407};
            return (draw >> 33) % below;
        };
        for (int i = 0; i < 200; ++i) {
            const QString gpu = QStringLiteral("pod.%1/rack.0/server.0/gpu.%2").arg(next(2)).arg(next(3));
            const double speed = 0.1 * static_cast<double>(1 + next(10));
            switch (next(6)) {
            case 0: (void)m_document->slowGpu(gpu, speed); break;
            case 1: (void)m_document->slowGpu(gpu, speed, true); break;
            case 2: (void)m_document->apply({edit("/layout/tensor", next(2) ? "4" : "8")}); break;
            case 3: (void)m_document->apply({edit("/training/global_batch", next(2) ? "4096" : "2047")}); break;
            case 4: (void)m_document->apply({{QStringLiteral("/name"), QStringLiteral("n%1").arg(next(3)), {}}}, QStringLiteral("name")); break;
            default:
                if (next(2))
                    m_document->undoStack()->undo();
                else
                    (void)m_document->clearPerturbations();
            }
            // What the stack holds now replaces everything above its index.
            states.resize(static_cast<std::size_t>(m_document->undoStack()->index()) + 1);
            states.back() = text();
        }
        const std::string last = text();
        m_document->finishMerge();
        QUndoStack *stack = m_document->undoStack();
        QVERIFY(stack->index() > 10);
        while (stack->canUndo()) {
            QCOMPARE(text(), states[static_cast<std::size_t>(stack->index())]);
            stack->undo();
        }
        QCOMPARE(text(), states.front());
        QVERIFY(!m_document->isModified());
        const int index = static_cast<int>(states.size()) - 1;
        while (stack->index() < index) stack->redo();
        QCOMPARE(text(), last);
    }
};

QTEST_GUILESS_MAIN(TestDocument)
#include "tst_document.moc"
