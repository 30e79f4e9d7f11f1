// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QList>
#include <QMetaType>
#include <QString>

namespace clusterbeat {

/// One change of the scenario file that a view asks for; the document decides. `pointer` is a JSON pointer, `json` the
/// new value as JSON text ("" removes the key), `label` the name of the undo step in the user's language.
struct ScenarioEdit {
    QString pointer;
    QString json;
    QString label;
    friend bool operator==(const ScenarioEdit &, const ScenarioEdit &) = default;
};

} // namespace clusterbeat

Q_DECLARE_METATYPE(clusterbeat::ScenarioEdit)
