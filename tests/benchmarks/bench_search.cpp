// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors

// The search's budget: 5,000 layouts a second on two cores.
#include "model/scenario/scenario_json.h"
#include "model/search/search_layouts.h"

#include <chrono>
#include <cstdio>
#include <ctime>

using namespace clusterbeat;

namespace
{

constexpr double kBudgetPerSecond = 5000.0;

bool measure(const Catalogue &catalogue, const char *preset, const std::vector<PointerEdit> &edits, const char *name)
{
    const auto scenario = readPreset(preset, catalogue, edits);
    if (!scenario.ok()) return false;
    SearchOptions options;
    options.threads = 2;
    const std::clock_t processor = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    const auto outcome = searchLayouts(scenario.value(), catalogue, options);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    const double processorSeconds = static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC;
    if (!outcome.result) return false;
    std::printf("search %-22s %7zu layouts  %5zu simulated  2 threads %7.2f s  processor %7.2f s  %8.0f layouts/s   "
                "budget %.0f layouts/s\n",
                name, outcome.result->valid, outcome.result->executed, seconds, processorSeconds,
                static_cast<double>(outcome.result->valid) / seconds, kBudgetPerSecond);
    return true;
}

} // namespace

int main()
{
    const auto catalogue = loadCatalogue();
    if (!catalogue.ok()) return 1;
    const bool done =
        measure(catalogue.value(), "llama3-8b-64", {}, "8B on 64 GPUs") &&
        measure(catalogue.value(), "llama3-405b-16k", {{"/cluster/gpus", "1024"}}, "405B on 1,024 GPUs") &&
        measure(catalogue.value(), "llama3-405b-16k", {}, "405B on 16,384 GPUs");
    return done ? 0 : 1;
}
