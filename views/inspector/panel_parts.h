// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QFrame>

namespace clusterbeat {

/// A hairline between the groups of a side panel; the style sheet colours it.
[[nodiscard]] inline QFrame *separator(QWidget *parent)
{
    auto *line = new QFrame(parent);
    line->setObjectName(QStringLiteral("separator"));
    line->setFixedHeight(1);
    return line;
}

} // namespace clusterbeat
