// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/iteration/communication_account.h"

#include <QLocale>
#include <QString>
#include <QStringList>

/// Communication in words (translation context "Communication"). QtCore only.
namespace clusterbeat {

/// "Gradient reduce-scatter, chunk 4", "Activations of micro-batch 5, chunk 2".
[[nodiscard]] QString communicationTitle(const CommunicationSpan &span, const IterationResult &result, const QLocale &locale = {});
/// How long it takes and what of that is hidden, exposed or beside other waits; behind which operations; how it is done.
[[nodiscard]] QStringList communicationDetails(const CommunicationSpan &span, std::int32_t stage, std::int32_t replica, std::int32_t member,
                                               const CommunicationAccount &account, const IterationResult &result, const QLocale &locale = {});
/// "Ring, LL128; slowest link: NIC" of a dimension; "" when it communicates nothing.
[[nodiscard]] QString wayText(Dimension dimension, const IterationResult &result);
/// A kind of link by its name in the report ("nic", "leaf-spine", …).
[[nodiscard]] QString linkKindName(const std::string &kind);
[[nodiscard]] QString protocolName(CollectiveProtocol protocol);

} // namespace clusterbeat
