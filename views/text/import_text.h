// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QString>

/// Words of an import that the model names in a closed list (formats/import_notes.h): features that are not simulated and
/// why a value was assumed.
namespace clusterbeat {

/// In the reader's language; a text that is in neither list as it is.
[[nodiscard]] QString importWords(const QString &words);

} // namespace clusterbeat
