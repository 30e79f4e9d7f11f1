// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// The model's budgets: a whole iteration with attribution, every GPU with its own jitter; one click.
#include "model/iteration/result_json.h"
#include "model/iteration/simulate.h"
#include "model/scenario/scenario_json.h"
#include "tests/benchmarks/measure.h"

#include <cstdlib>

using namespace clusterbeat;

namespace {

Scenario scenario(const Catalogue &catalogue, const std::vector<std::string> &edits)
{
    std::vector<PointerEdit> parsed;
    for (const std::string &edit : edits)
        parsed.push_back(parsePointerEdit(edit).value());
    auto read = readPreset("llama3-405b-16k", catalogue, parsed);
    if (!read.ok()) std::abort();
    return std::move(read).value();
}

/// The scenario with other perturbations and the same other sections, as a click makes it.
Scenario perturbed(const Scenario &base, PerturbationList perturbations)
{
    Scenario changed = base;
    changed.perturbations = std::make_shared<const PerturbationList>(std::move(perturbations));
    return changed;
}

Perturbation slowGpu(double speed)
{
    Perturbation perturbation;
    perturbation.target = "pod.2/rack.84/server.1/gpu.5";
    perturbation.speed = speed;
    return perturbation;
}

Perturbation jitter(std::int64_t seed)
{
    Perturbation perturbation;
    perturbation.kind = PerturbationKind::Jitter;
    perturbation.sigma = 0.02;
    perturbation.seed = seed;
    return perturbation;
}

} // namespace

int main()
{
    const auto loaded = loadCatalogue();
    if (!loaded.ok()) return 1;
    const Catalogue &catalogue = loaded.value();
    const Scenario base = scenario(catalogue, {});

    Measurement cold("simulate 16,384 GPUs, nothing cached", 500);
    cold.run(9, [&] {
        StageCache cache;
        static_cast<void>(simulate(base, catalogue, cache));
    });
    cold.print();

    StageCache cache;
    static_cast<void>(simulate(base, catalogue, cache));
    Measurement click("one click: slow one GPU of 16,384", 10);
    int i = 0;
    click.run(41, [&] { static_cast<void>(simulate(perturbed(base, {slowGpu(0.5 + 0.01 * (i++ % 40))}), catalogue, cache)); });
    click.print();

    Measurement everyGpu("16,384 GPUs, each with its own jitter", 50);
    everyGpu.run(9, [&] { static_cast<void>(simulate(perturbed(base, {jitter(i++)}), catalogue, cache)); });
    everyGpu.print();

    const Scenario large = scenario(catalogue, {"/cluster/gpus=131072", "/training/global_batch=16384"});
    StageCache largeCache;
    static_cast<void>(simulate(large, catalogue, largeCache));
    Measurement largest("131,072 GPUs, each with its own jitter", 400);
    largest.run(5, [&] { static_cast<void>(simulate(perturbed(large, {jitter(i++)}), catalogue, largeCache)); });
    largest.print();
    return 0;
}
