// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/cli/options.h"

#include "model/cluster/templates.h"

#include <algorithm>
#include <ostream>

namespace clusterbeat {

ExitCode runPresets(const QStringList &arguments, const CommandContext &context)
{
    CommandParser parser(QStringLiteral("presets"),
                         english("Lists scenario presets, cluster templates, accelerators and software profiles."), {}, {});
    if (const auto done = parser.parse(arguments, context, 0, 0)) return *done;
    const auto loaded = loadCatalogue();
    if (!loaded.ok()) return fail(context, loaded.error());
    const Catalogue &catalogue = loaded.value();

    std::size_t widest = 0;
    for (const auto &preset : catalogue.presets) widest = std::max(widest, preset.name.size());
    for (const auto &preset : catalogue.presets)
        context.out << "preset:" << preset.name << std::string(widest + 2 - preset.name.size(), ' ') << preset.title << '\n';
    for (const auto &name : clusterTemplateNames()) context.out << "template " << name << '\n';
    for (const auto &accelerator : catalogue.accelerators) context.out << "accelerator " << accelerator.name << '\n';
    for (const auto &profile : catalogue.profiles) context.out << "profile " << profile.name << '\n';
    return ExitCode::Done;
}

} // namespace clusterbeat
