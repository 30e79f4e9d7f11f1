// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace clusterbeat {

/// What is wrong. The model never writes sentences: views/text turns a code with its arguments into
/// the reader's language. The arguments of each code are listed beside it.
enum class ErrorCode {
    FileNotFound,        // path
    NotAFile,            // path (a directory, a device)
    FileUnreadable,      // path
    FileUnwritable,      // path
    FileEmpty,           // path
    FileTooLarge,        // path, size in bytes, limit in bytes
    SyntaxError,         // what the parser expected (English token names); place has line and column
    TooDeep,             // limit
    DuplicateKey,        // key
    UnknownKey,          // key, closest known key or ""
    MissingKey,          // key
    WrongType,           // found, expected   (json type names: "string", "number", ...)
    NotAnInteger,        // number as written
    OutOfRange,          // value as written, lowest, highest
    UnknownName,         // name, kind of name ("preset", "accelerator", ...), closest or "", and without a closest perhaps the known ones
    NewerVersion,        // version in the file, newest known
    NotAScenario,        // nothing
    DegreesExceedGpus,   // product, gpus, tensor, pipeline, context, data
    BatchNotDivisible,   // global batch, data * micro batch
    NotDivisible,        // what, value, by what, value
    UnknownTarget,       // path or query
    NoSuchLink,          // path or query that has no link of the kind asked for
    BadPointer,          // pointer, and "=" where a value is missing behind it
    UnsupportedFeature,  // feature (its key), what to write instead as key = value, or "" to leave it out
    UnknownFormat,       // path
    ImportMissing,       // what the foreign file lacks (key)
    ImportUnknown,       // option, the variable or command that it is set from
    ImportNeedsFile,     // option, file that the script reads and that was not given
    ImportNeedsArgument, // option, argument of the script ("$1") that was not given
    FormatNotRead,       // kind of the file ("Python", "Markdown")
    ScriptSyntax,        // what does not close; place has the line
    ImportNotSimulated,  // feature of the foreign file in words (formats/import_notes.h), key or option that says so, and what to write instead if anything
    TooManyGpus,         // gpus, limit
    NotConnected,        // nothing, or the target of the dead link: some GPUs of the layout have no route to each other
    Contradiction,       // key a, value a, key b, value b
    BadSchedule,         // problem (layout/custom_schedule.h), operation as written, more by problem
    Internal,            // what
};

/// Where: any part may be empty / 0. `pointer` is a JSON pointer (RFC 6901), line and column count from 1.
struct Place {
    std::string file;
    std::string pointer;
    int line = 0;
    int column = 0;
    friend bool operator==(const Place &, const Place &) = default;
};

using Argument = std::variant<std::int64_t, double, std::string>;

struct Error {
    ErrorCode code = ErrorCode::Internal;
    Place place;
    std::vector<Argument> arguments;
    friend bool operator==(const Error &, const Error &) = default;
};

/// Something a person should know that does not stop the work: a default that was taken on import,
/// GPUs left over, a limit of the model. Same rules as Error.
enum class NoticeCode {
    DefaultTaken,       // key, value as text, why ("not in the file", ...)
    DegreesBelowGpus,   // product, gpus, spares
    WorldGrown,         // gpus named by the file, gpus used
    IgnoredOption,      // option name
    VirtualUnavailable, // why
    Approximation,      // topic
    LayoutChosen,       // tensor, pipeline, data, gpus
    UnresolvedVariable, // variable name
    SeveralRuns,        // trainings that a script starts, line of the one taken
    SweptRun,           // runs of the loop, line
    MissingArguments,   // arguments that the script reads ("$1, $2")
    MissingFile,        // file that the script reads with source
    ConditionGuessed,   // condition as written, "true" or "false"
    ScriptCutShort,     // programs that were followed
    NotSimulated,       // option or key of a foreign file that has an effect
    NotUnderstood,      // option or key of a foreign file with its value
    UnknownModelType,   // type
};

struct Notice {
    NoticeCode code = NoticeCode::DefaultTaken;
    Place place;
    std::vector<Argument> arguments;
    friend bool operator==(const Notice &, const Notice &) = default;
};

} // namespace clusterbeat
