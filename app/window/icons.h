// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "views/theme/theme.h"

#include <QIcon>
#include <QString>

namespace clusterbeat {

/// An icon of resources/icons (by name, without ending) in the theme's colours: text2, accent when on, text3 when
/// disabled; sharp at every device pixel ratio.
[[nodiscard]] QIcon themedIcon(const QString &name, const Theme &theme);

} // namespace clusterbeat
