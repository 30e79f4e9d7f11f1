// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/error.h"

#include <QLocale>
#include <QString>

/// The sentences for the model's codes (translation context "Errors"), for the window and the command line alike.
/// QtCore only. Missing arguments show as "?", never as a place marker.
namespace clusterbeat {

struct ErrorText {
    QString where;      ///< "run.json:12:5" or "/layout/tensor"; "" when there is no place
    QString what;       ///< one sentence
    QString todo;       ///< one sentence; "" when what says it all
};
[[nodiscard]] ErrorText errorParts(const Error &error, const QLocale &locale = {});
/// One line: "where: what to do" as "run.json: /layout/tensor: 2.5 is not a whole number. Write it without a fraction."
[[nodiscard]] QString errorText(const Error &error, const QLocale &locale = {});
/// The same for an edit in the window, which has fields instead of places in a file: "128 heads are not a multiple of 3."
[[nodiscard]] QString editErrorText(const Error &error, const QLocale &locale = {});
[[nodiscard]] QString noticeText(const Notice &notice, const QLocale &locale = {});
/// "file:line:column" or "file: /pointer", as far as known.
[[nodiscard]] QString placeText(const Place &place);

} // namespace clusterbeat
