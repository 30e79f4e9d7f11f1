// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/text/error_text.h"

#include "views/text/format.h"
#include "views/text/import_text.h"
#include "views/text/names.h"

#include <QCoreApplication>

#include <cmath>

namespace clusterbeat {
namespace {

/// What and to-do as patterns with %1 … %9.
struct Pattern {
    QString what;
    QString todo;
};

QString argumentText(const Argument &argument, const QLocale &locale)
{
    if (const auto *integer = std::get_if<std::int64_t>(&argument)) return integerText(*integer, locale);
    if (const auto *number = std::get_if<double>(&argument)) {
        if (std::floor(*number) == *number && std::abs(*number) < 1e15) return integerText(static_cast<qint64>(*number), locale);
        return locale.toString(*number, 'g', 6);
    }
    return QString::fromStdString(std::get<std::string>(argument));
}

QStringList argumentTexts(const std::vector<Argument> &arguments, const QLocale &locale)
{
    QStringList texts;
    for (const Argument &argument : arguments) texts << argumentText(argument, locale);
    return texts;
}

QString jsonTypeName(const QString &type)
{
    if (type == QLatin1String("string")) return QCoreApplication::translate("Errors", "text");
    if (type == QLatin1String("number")) return QCoreApplication::translate("Errors", "a number");
    if (type == QLatin1String("integer")) return QCoreApplication::translate("Errors", "a whole number");
    if (type == QLatin1String("boolean")) return QCoreApplication::translate("Errors", "true or false");
    if (type == QLatin1String("array")) return QCoreApplication::translate("Errors", "a list");
    if (type == QLatin1String("object")) return QCoreApplication::translate("Errors", "an object");
    if (type == QLatin1String("null")) return QCoreApplication::translate("Errors", "null");
    return type;
}

QString nameKind(const QString &kind)
{
    if (kind == QLatin1String("preset")) return QCoreApplication::translate("Errors", "preset");
    if (kind == QLatin1String("picture format")) return QCoreApplication::translate("Errors", "picture format");
    if (kind == QLatin1String("accelerator")) return QCoreApplication::translate("Errors", "accelerator");
    if (kind == QLatin1String("profile")) return QCoreApplication::translate("Errors", "software profile");
    if (kind == QLatin1String("schedule")) return QCoreApplication::translate("Errors", "schedule");
    if (kind == QLatin1String("template")) return QCoreApplication::translate("Errors", "cluster template");
    return kind;
}

// Keys of the file that a rule divides, in words.
QString quantityName(const QString &key)
{
    if (key == QLatin1String("heads")) return QCoreApplication::translate("Errors", "heads");
    if (key == QLatin1String("kv_heads")) return QCoreApplication::translate("Errors", "KV heads");
    if (key == QLatin1String("layers")) return QCoreApplication::translate("Errors", "layers");
    if (key == QLatin1String("experts")) return QCoreApplication::translate("Errors", "experts");
    if (key == QLatin1String("tensor")) return QCoreApplication::translate("Errors", "tensor");
    if (key == QLatin1String("pipeline")) return QCoreApplication::translate("Errors", "pipeline");
    if (key == QLatin1String("data")) return QCoreApplication::translate("Errors", "data");
    return key;
}

bool isEmptyAt(const QStringList &arguments, qsizetype i) { return i >= arguments.size() || arguments[i].isEmpty(); }

Pattern filePattern(ErrorCode code)
{
    switch (code) {
    case ErrorCode::FileNotFound:
        return {QCoreApplication::translate("Errors", "There is no file “%1”."),
                QCoreApplication::translate("Errors", "Check the path, or use preset:NAME for a built-in scenario.")};
    case ErrorCode::NotAFile:
        return {QCoreApplication::translate("Errors", "“%1” is not a file."),
                QCoreApplication::translate("Errors", "Name a file, not a folder or a device.")};
    case ErrorCode::FileUnreadable:
        return {QCoreApplication::translate("Errors", "“%1” cannot be read."),
                QCoreApplication::translate("Errors", "Check its permissions.")};
    case ErrorCode::FileUnwritable:
        return {QCoreApplication::translate("Errors", "“%1” cannot be written."),
                QCoreApplication::translate("Errors", "Check the folder's permissions and free space, or choose another place.")};
    case ErrorCode::FileEmpty:
        return {QCoreApplication::translate("Errors", "“%1” is empty."),
                QCoreApplication::translate("Errors", "Choose a file that holds something.")};
    case ErrorCode::FileTooLarge:
        return {QCoreApplication::translate("Errors", "“%1” is too large: %2, the limit is %3."),
                QCoreApplication::translate("Errors", "A scenario is a few kilobytes; this is probably another kind of file.")};
    case ErrorCode::UnknownFormat:
        return {QCoreApplication::translate("Errors", "The format of “%1” is not known."),
                QCoreApplication::translate("Errors", "Scenario files, Hugging Face config.json, Megatron-LM scripts and pipeline schedules as CSV can be read.")};
    case ErrorCode::FormatNotRead:
        return {QCoreApplication::translate("Errors", "%1 is not read."),
                QCoreApplication::translate("Errors", "Copy the launch command with its options into a file of its own, as a shell would read it.")};
    default: return {};
    }
}

Pattern jsonPattern(ErrorCode code, const QStringList &arguments)
{
    switch (code) {
    case ErrorCode::SyntaxError:
        return {QCoreApplication::translate("Errors", "This is not valid JSON: %1."),
                QCoreApplication::translate("Errors", "Correct the text at this place.")};
    case ErrorCode::TooDeep:
        return {QCoreApplication::translate("Errors", "Objects and lists are nested more than %1 deep."),
                QCoreApplication::translate("Errors", "A scenario needs only a few levels.")};
    case ErrorCode::DuplicateKey:
        return {QCoreApplication::translate("Errors", "The key “%1” is there twice."),
                QCoreApplication::translate("Errors", "Remove one of them.")};
    case ErrorCode::UnknownKey:
        return {QCoreApplication::translate("Errors", "The key “%1” is not known."),
                isEmptyAt(arguments, 1) ? QCoreApplication::translate("Errors", "Remove it, or check its spelling.")
                                        : QCoreApplication::translate("Errors", "Did you mean “%2”?")};
    case ErrorCode::MissingKey:
        return {QCoreApplication::translate("Errors", "The key “%1” is missing."), QCoreApplication::translate("Errors", "Add it.")};
    case ErrorCode::WrongType:
        return {QCoreApplication::translate("Errors", "Found %1 where %2 belongs."),
                QCoreApplication::translate("Errors", "Write %2.")};
    case ErrorCode::NotAnInteger:
        return {QCoreApplication::translate("Errors", "%1 is not a whole number."),
                QCoreApplication::translate("Errors", "Write it without a fraction.")};
    case ErrorCode::OutOfRange:
        return {QCoreApplication::translate("Errors", "%1 is out of range."),
                QCoreApplication::translate("Errors", "Choose a value from %2 to %3.")};
    case ErrorCode::UnknownName:
        return {QCoreApplication::translate("Errors", "There is no %2 “%1”."),
                !isEmptyAt(arguments, 3) ? QCoreApplication::translate("Errors", "Known are %4.")
                : isEmptyAt(arguments, 2) ? QCoreApplication::translate("Errors", "Check its spelling.")
                                        : QCoreApplication::translate("Errors", "Did you mean “%3”?")};
    case ErrorCode::NewerVersion:
        return {QCoreApplication::translate("Errors", "The file has version %1; this program knows versions up to %2."),
                QCoreApplication::translate("Errors", "Open it with a newer Clusterbeat.")};
    case ErrorCode::NotAScenario:
        return {QCoreApplication::translate("Errors", "This is not a Clusterbeat scenario."),
                QCoreApplication::translate("Errors", "A scenario starts with \"clusterbeat\": 1; use import for other formats.")};
    case ErrorCode::BadPointer:
        if (!isEmptyAt(arguments, 1))
            return {QCoreApplication::translate("Errors", "“%1” gives no value."),
                    QCoreApplication::translate("Errors", "Write a place and its value like /layout/tensor=8.")};
        return {QCoreApplication::translate("Errors", "“%1” is not a JSON pointer to a place in the scenario."),
                QCoreApplication::translate("Errors", "Write it like /layout/tensor.")};
    default: return {};
    }
}

Pattern rulePattern(ErrorCode code, const QStringList &arguments)
{
    switch (code) {
    case ErrorCode::DegreesExceedGpus:
        return {QCoreApplication::translate("Errors", "The layout needs %1 GPUs (tensor %3 × pipeline %4 × context %5 × data %6); the cluster has %2."),
                QCoreApplication::translate("Errors", "Lower a degree, or add GPUs.")};
    case ErrorCode::BatchNotDivisible:
        return {QCoreApplication::translate("Errors", "A global batch of %1 cannot be split into micro-batches: it is not a multiple of %2 (data × micro-batch)."),
                QCoreApplication::translate("Errors", "Choose a multiple of %2.")};
    case ErrorCode::NotDivisible:
        return {QCoreApplication::translate("Errors", "%1 (%2) is not a multiple of %3 (%4)."),
                QCoreApplication::translate("Errors", "Change one of the two.")};
    case ErrorCode::UnknownTarget:
        return {QCoreApplication::translate("Errors", "“%1” names nothing in this cluster."),
                QCoreApplication::translate("Errors", "Write a path such as pod.0/rack.3/server.1/gpu.5, or a query such as rank:12.")};
    case ErrorCode::NoSuchLink:
        return {QCoreApplication::translate("Errors", "“%1” has no such link."),
                QCoreApplication::translate("Errors", "Name a GPU, a server or a rack for nvlink, pcie and nic, a leaf or spine switch for uplink.")};
    case ErrorCode::UnsupportedFeature:
        return {QCoreApplication::translate("Errors", "%1 cannot be simulated yet."),
                isEmptyAt(arguments, 1) ? QString() : QCoreApplication::translate("Errors", "Write %2")};
    case ErrorCode::ImportMissing:
        return {QCoreApplication::translate("Errors", "The file does not say “%1”, and it cannot be guessed."),
                QCoreApplication::translate("Errors", "Add it to the file.")};
    case ErrorCode::ImportUnknown:
        return {QCoreApplication::translate("Errors", "“%1” is set from %2, which is not known without running the script."),
                QCoreApplication::translate("Errors", "Write the value in its place.")};
    case ErrorCode::ImportNeedsFile:
        return {QCoreApplication::translate("Errors", "“%1” is not in the script, which reads “%2”, a file that was not given."),
                QCoreApplication::translate("Errors", "Give that file too: import SCRIPT %2.")};
    case ErrorCode::ImportNeedsArgument:
        return {QCoreApplication::translate("Errors", "“%1” depends on the script's argument %2, which was not given."),
                QCoreApplication::translate("Errors", "Give the script's arguments: import SCRIPT --args \"…\".")};
    case ErrorCode::ScriptSyntax:
        return {QCoreApplication::translate("Errors", "The shell would not read this script: %1 is missing."),
                QCoreApplication::translate("Errors", "Close it.")};
    case ErrorCode::ImportNotSimulated:
        return {QCoreApplication::translate("Errors", "The file describes %1 (“%2”), which is not simulated."),
                isEmptyAt(arguments, 2) ? QCoreApplication::translate("Errors", "Import a model of plain transformer layers.")
                                        : QCoreApplication::translate("Errors", "Write %3, if that is what runs.")};
    case ErrorCode::TooManyGpus:
        return {QCoreApplication::translate("Errors", "%1 GPUs are too many; the limit is %2."),
                QCoreApplication::translate("Errors", "Use a smaller cluster.")};
    case ErrorCode::NotConnected:
        if (!isEmptyAt(arguments, 0))
            return {QCoreApplication::translate("Errors", "With the dead link of “%1” some GPUs of the layout have no route to each other."),
                    QCoreApplication::translate("Errors", "Leave one NIC in its server alive, or one way between the switches.")};
        return {QCoreApplication::translate("Errors", "Some GPUs of the layout have no network route to each other."),
                QCoreApplication::translate("Errors", "Link every GPU to a NIC, and every NIC to leaf and spine switches that meet.")};
    case ErrorCode::Contradiction:
        return {QCoreApplication::translate("Errors", "%1 (%2) contradicts %3 (%4)."),
                QCoreApplication::translate("Errors", "Change one of the two.")};
    case ErrorCode::Internal:
        return {QCoreApplication::translate("Errors", "Clusterbeat made a mistake: %1."),
                QCoreApplication::translate("Errors", "Please report it with the scenario file.")};
    default: return {};
    }
}

// An order of pipeline operations that cannot be run; arguments[0] is the problem.
Pattern schedulePattern(const QStringList &arguments)
{
    const QString problem = arguments.value(0);
    const QString order = QCoreApplication::translate("Errors", "Correct the rank's order.");
    if (problem == QLatin1String("duplicate"))
        return {QCoreApplication::translate("Errors", "“%2” is there twice: it is cell %4 of rank %3, too (both from 0)."),
                QCoreApplication::translate("Errors", "Remove one of them.")};
    if (problem == QLatin1String("missing"))
        return {QCoreApplication::translate("Errors", "The operation “%2” is missing."),
                QCoreApplication::translate("Errors", "Every part of the model needs F, and B or I and W, for every micro-batch.")};
    if (problem == QLatin1String("before_input"))
        return {QCoreApplication::translate("Errors", "“%2” stands before “%3”, whose result it needs."), order};
    if (problem == QLatin1String("two_ranks"))
        return {QCoreApplication::translate("Errors", "“%2” is in this rank's order, but rank %3 runs the same part of the model."),
                QCoreApplication::translate("Errors", "Give each part to one rank, or, as DualPipe does, part g to the ranks g and p-1-g with half of the micro-batches each.")};
    if (problem == QLatin1String("uneven"))
        return {QCoreApplication::translate("Errors", "This rank runs %3 parts of the model, rank 0 runs %4."),
                QCoreApplication::translate("Errors", "Give every rank the same number of parts.")};
    if (problem == QLatin1String("deadlock"))
        return {QCoreApplication::translate("Errors", "The order cannot be run: “%2” waits for “%3”, and rank %4 does not get there: it is at “%5”."), order};
    if (problem == QLatin1String("range"))
        return {QCoreApplication::translate("Errors", "A number in “%2” is too large."), order};
    return {QCoreApplication::translate("Errors", "“%2” is not a pipeline operation."),
            QCoreApplication::translate("Errors", "Write part, F, B, I or W, micro-batch, such as 2F0; an overlapped pair as (0F1;3B0)OVERLAP_F_B.")};
}

// A code's arguments in words: types and kinds translated, sizes with a unit.
QStringList wordedArguments(const Error &error, const QLocale &locale)
{
    QStringList texts = argumentTexts(error.arguments, locale);
    if (error.code == ErrorCode::WrongType)
        for (QString &text : texts) text = jsonTypeName(text);
    if (error.code == ErrorCode::ImportNotSimulated && !texts.isEmpty()) texts[0] = importWords(texts[0]);
    if (error.code == ErrorCode::UnknownName && texts.size() > 1) texts[1] = nameKind(texts[1]);
    if (error.code == ErrorCode::FileTooLarge)
        for (std::size_t i = 1; i < error.arguments.size(); ++i)
            if (const auto *bytes = std::get_if<std::int64_t>(&error.arguments[i]))
                texts[static_cast<qsizetype>(i)] = bytesText(static_cast<double>(*bytes), locale);
    if (error.code == ErrorCode::UnsupportedFeature && texts.size() > 1 && !texts[1].isEmpty() && !texts[1].endsWith(QLatin1Char('.')))
        texts[1] += QLatin1Char('.');
    return texts;
}

} // namespace

QString placeText(const Place &place)
{
    QString text = QString::fromStdString(place.file);
    if (place.line > 0) {
        text += text.isEmpty() ? fillText(QCoreApplication::translate("Errors", "line %1"), {QString::number(place.line)})
                               : QLatin1Char(':') + QString::number(place.line);
        if (place.column > 0) text += QLatin1Char(':') + QString::number(place.column);
    }
    if (place.pointer.empty()) return text;
    return text.isEmpty() ? QString::fromStdString(place.pointer) : text + QStringLiteral(": ") + QString::fromStdString(place.pointer);
}

ErrorText errorParts(const Error &error, const QLocale &locale)
{
    const QStringList arguments = wordedArguments(error, locale);
    Pattern pattern = filePattern(error.code);
    if (pattern.what.isEmpty()) pattern = jsonPattern(error.code, arguments);
    if (pattern.what.isEmpty() && error.code == ErrorCode::BadSchedule) pattern = schedulePattern(arguments);
    if (pattern.what.isEmpty()) pattern = rulePattern(error.code, arguments);
    return {placeText(error.place), fillText(pattern.what, arguments), fillText(pattern.todo, arguments)};
}

QString errorText(const Error &error, const QLocale &locale)
{
    const ErrorText parts = errorParts(error, locale);
    QString text = parts.where.isEmpty() ? parts.what : parts.where + QStringLiteral(": ") + parts.what;
    if (!parts.todo.isEmpty()) text += QLatin1Char(' ') + parts.todo;
    return text;
}

QString editErrorText(const Error &error, const QLocale &locale)
{
    if (error.code == ErrorCode::NotDivisible) {
        QStringList arguments = wordedArguments(error, locale);
        for (qsizetype i = 0; i < arguments.size(); i += 2) arguments[i] = quantityName(arguments[i]);
        return fillText(QCoreApplication::translate("Errors", "%2 %1 are not a multiple of %4 (%3)."), arguments);
    }
    const ErrorText parts = errorParts(error, locale);
    return parts.todo.isEmpty() ? parts.what : parts.what + QLatin1Char(' ') + parts.todo;
}

QString noticeText(const Notice &notice, const QLocale &locale)
{
    QStringList arguments = argumentTexts(notice.arguments, locale);
    if (notice.code == NoticeCode::DefaultTaken && arguments.size() > 2) arguments[2] = importWords(arguments[2]);
    QString pattern;
    switch (notice.code) {
    case NoticeCode::DefaultTaken:
        pattern = isEmptyAt(arguments, 2) ? QCoreApplication::translate("Errors", "%1 = %2 is a default.")
                                          : QCoreApplication::translate("Errors", "%1 = %2 is a default: %3.");
        break;
    case NoticeCode::DegreesBelowGpus:
        pattern = QCoreApplication::translate("Errors", "The layout uses %1 of %2 GPUs; %3 are spares.");
        break;
    case NoticeCode::WorldGrown:
        pattern = QCoreApplication::translate("Errors", "The file names %1 GPUs, its degrees need %2, which are used.");
        break;
    case NoticeCode::IgnoredOption:
        pattern = QCoreApplication::translate("Errors", "%1 has no effect here and is ignored.");
        break;
    case NoticeCode::VirtualUnavailable:
        pattern = QCoreApplication::translate("Errors", "Virtual stages are off: %1.");
        break;
    case NoticeCode::Approximation:
        pattern = QCoreApplication::translate("Errors", "%1 is an approximation.");
        break;
    case NoticeCode::LayoutChosen:
        pattern = QCoreApplication::translate("Errors", "Chosen layout: tensor %1 × pipeline %2 × data %3 on %4 GPUs.");
        break;
    case NoticeCode::UnresolvedVariable:
        pattern = QCoreApplication::translate("Errors", "The variable %1 is not set in the file; what uses it is ignored.");
        break;
    case NoticeCode::SeveralRuns:
        pattern = QCoreApplication::translate("Errors", "The script starts %1 trainings; the one of line %2 is taken.");
        break;
    case NoticeCode::SweptRun:
        pattern = QCoreApplication::translate("Errors", "The script is a sweep: a loop starts %1 trainings in line %2; the largest of them is taken, or the last.");
        break;
    case NoticeCode::MissingArguments:
        pattern = QCoreApplication::translate("Errors", "The script reads %1, which was not given (--args): it counts as empty.");
        break;
    case NoticeCode::MissingFile:
        pattern = QCoreApplication::translate("Errors", "The script reads “%1”, which was not given; what that sets is not known.");
        break;
    case NoticeCode::ConditionGuessed:
        pattern = QCoreApplication::translate("Errors", "“%1” cannot be decided without running the script; it is taken as %2.");
        break;
    case NoticeCode::ScriptCutShort:
        pattern = QCoreApplication::translate("Errors", "The script does more than is followed; %1 programs were seen.");
        break;
    case NoticeCode::NotSimulated:
        pattern = QCoreApplication::translate("Errors", "%1 has an effect that is not simulated.");
        break;
    case NoticeCode::NotUnderstood:
        pattern = QCoreApplication::translate("Errors", "%1 is not understood and is left out.");
        break;
    case NoticeCode::UnknownModelType:
        pattern = QCoreApplication::translate("Errors", "The model type “%1” is not known: it is read as a plain transformer. Check its layers and parameters.");
        break;
    }
    const QString where = placeText(notice.place);
    const QString what = fillText(pattern, arguments);
    return where.isEmpty() ? what : where + QStringLiteral(": ") + what;
}

} // namespace clusterbeat
