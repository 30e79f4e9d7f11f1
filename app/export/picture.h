// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <QString>

#include <optional>

class QWidget;

namespace clusterbeat {

/// Draws a widget at its size into a .png, .svg or .pdf file, by the path's ending. The file is written whole or not at
/// all. Errors: UnsupportedFeature for another ending, FileUnwritable.
[[nodiscard]] std::optional<Error> savePictureOf(QWidget &widget, const QString &path);

} // namespace clusterbeat
