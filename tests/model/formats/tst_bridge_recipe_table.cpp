// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "model/formats/bridge_recipe.h"
#include "model/formats/bridge_recipe_table.h"
#include "model/scenario/catalogue.h"

#include <QtTest>

using namespace clusterbeat;

namespace {

/// Two releases of one recipe and another layout of the later one.
constexpr const char *kRecipes = R"([
    {"model": "QWEN3_30B_A3B", "gpu": "H100", "precision": "FP8_CS", "first": 260200, "last": 260200, "gpus": 16, "pp": 2,
     "vp": 12, "ep": 8, "batch": 1024, "dispatcher": "deepep", "expert_overlap": true},
    {"model": "QWEN3_30B_A3B", "gpu": "H100", "precision": "FP8_CS", "first": 260201, "last": 260601, "gpus": 16, "ep": 16,
     "batch": 1024, "dispatcher": "hybridep", "graphs": "full", "fused_mlp": true},
    {"model": "LLAMA3_70B", "gpu": "GB200", "precision": "FP8_MX", "first": 260400, "last": 260401, "gpus": 64, "tp": 2,
     "pp": 4, "vp": 5, "batch": 256, "recompute_layers": 3}])";

BridgeLayout qwen(std::int64_t release, std::int64_t pipeline, std::int64_t chunks, std::int64_t expert)
{
    BridgeLayout run{"Qwen3 30B-A3B", "H100-SXM5-80GB", Precision::Fp8, "current", release};
    run.gpus = 16, run.pipeline = pipeline, run.virtualPipeline = chunks, run.expert = expert, run.globalBatch = 1024;
    return run;
}

} // namespace

class TestBridgeRecipeTable : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theNearestReleaseDecides();
    void familiesAndPrecisions();
    void whatARecipeSets();
    void theCatalogueIsReadable();
};

void TestBridgeRecipeTable::theNearestReleaseDecides()
{
    const auto recipes = readBridgeRecipes(kRecipes).value();
    QCOMPARE(recipes.size(), std::size_t{3});
    QCOMPARE(recipeOfRun(recipes, qwen(260200, 2, 12, 8)), &recipes[0]);
    QCOMPARE(recipeOfRun(recipes, qwen(260201, 1, 1, 16)), &recipes[1]);
    QCOMPARE(recipeOfRun(recipes, qwen(260800, 1, 1, 16)), &recipes[1]);
    // A layout of the release before is no recipe of this one: the run had knobs of its own.
    QVERIFY(recipeOfRun(recipes, qwen(260201, 2, 12, 8)) == nullptr);
    // Before the first recipes.
    QVERIFY(recipeOfRun(recipes, qwen(250900, 2, 12, 8)) == nullptr);
}

void TestBridgeRecipeTable::familiesAndPrecisions()
{
    const auto recipes = readBridgeRecipes(kRecipes).value();
    BridgeLayout run{"Llama 3/3.1 70B", "GB200-NVL72", Precision::Fp8, "mxfp8", 260400};
    run.gpus = 64, run.tensor = 2, run.pipeline = 4, run.virtualPipeline = 5, run.globalBatch = 256;
    QCOMPARE(recipeOfRun(recipes, run), &recipes[2]);
    run.fp8Recipe = "current";
    QVERIFY(recipeOfRun(recipes, run) == nullptr);
    run.fp8Recipe = "mxfp8", run.model = "Llama 3.1 405B";
    QVERIFY(recipeOfRun(recipes, run) == nullptr);
    run.model = "Llama 3/3.1 70B", run.gpu = "GB300-NVL72";
    QVERIFY(recipeOfRun(recipes, run) == nullptr);
}

void TestBridgeRecipeTable::whatARecipeSets()
{
    const auto recipes = readBridgeRecipes(kRecipes).value();
    SoftwareSection software;
    TrainingSection training;
    LayoutSection layout;
    ModelSection model;
    model.moe = MoeShape{};
    applyRecipe(recipes[1], software, training, layout, model);
    QCOMPARE(software.cudaGraphs.value(), CudaGraphs::Full);
    QCOMPARE(software.moeDispatcher.value(), std::string("hybridep"));
    QVERIFY(!software.expertOverlap.value() && software.groupedMatmulFused.value());
    QVERIFY(training.recompute == Recompute{});
    // A clamped activation stays outside the fused kernel.
    software.expertActivationFused = false;
    applyRecipe(recipes[1], software, training, layout, model);
    QVERIFY(!software.groupedMatmulFused.value());
    model.moe.reset();
    applyRecipe(recipes[2], software, training, layout, model);
    QVERIFY(training.recompute == (Recompute{RecomputeMode::Layers, 3, {}}));
    // DeepSeek-V3's recipe "Et*4|(t*4|)*14tmL": 61 layers in 16 parts, a prediction module beside the last layer.
    BridgeRecipe deepSeek;
    deepSeek.pipeline = 4, deepSeek.virtualPipeline = 4, deepSeek.stages = "Et*4|(t*4|)*14tmL";
    layout.pipeline = 4, layout.virtualPipeline = 4, model.layers = 61;
    applyRecipe(deepSeek, software, training, layout, model);
    QCOMPARE(layout.layersPerStage.size(), std::size_t{16});
    QCOMPARE(layout.layersPerStage.back(), std::int64_t{1});
    QCOMPARE(model.mtpLayers, std::int64_t{1});
    QCOMPARE(layout.mtpStage.value(), std::int64_t{3});
}

void TestBridgeRecipeTable::theCatalogueIsReadable()
{
    const auto recipes = readBridgeRecipes(loadCatalogue().value().bridgeRecipesJson);
    QVERIFY(recipes.ok());
    QVERIFY(recipes.value().size() > 400);
    for (const BridgeRecipe &recipe : recipes.value()) QVERIFY(recipe.firstRelease <= recipe.lastRelease && recipe.firstRelease >= 251100);
    QVERIFY(!readBridgeRecipes("[{}]").ok());
    QVERIFY(!readBridgeRecipes("nothing").ok());
}

QTEST_APPLESS_MAIN(TestBridgeRecipeTable)
#include "tst_bridge_recipe_table.moc"
