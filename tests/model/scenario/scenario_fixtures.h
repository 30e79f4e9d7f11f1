// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/scenario/catalogue.h"
#include "model/scenario/scenario_json.h"

#include <cstdlib>
#include <string>

namespace clusterbeat::test
{

inline const Catalogue &catalogue()
{
    static const Result<Catalogue> loaded = loadCatalogue();
    if (!loaded.ok()) std::abort();
    return loaded.value();
}

/// A small valid file: 4 layers on one server of 8 H100. `section` is inserted after the model, e.g. R"("layout":
/// {...},)".
inline std::string smallFile(const std::string &section = {})
{
    return R"({"clusterbeat": 1, "model": {"layers": 4, "hidden": 1024, "heads": 8, "vocab": 32000}, )" + section +
           R"("training": {"sequence_length": 2048, "global_batch": 16}, "cluster": {"gpus": 8}})";
}

/// "code pointer line:column argument|argument" of an error, to compare as one string.
inline std::string describe(const Error &error)
{
    std::string text = std::to_string(static_cast<int>(error.code)) + ' ' + error.place.pointer + ' ' +
                       std::to_string(error.place.line) + ':' + std::to_string(error.place.column);
    for (const Argument &argument : error.arguments) {
        text += ' ';
        if (const auto *word = std::get_if<std::string>(&argument))
            text += *word;
        else if (const auto *whole = std::get_if<std::int64_t>(&argument))
            text += std::to_string(*whole);
        else
            text += std::to_string(std::get<double>(argument));
    }
    return text;
}

} // namespace clusterbeat::test
