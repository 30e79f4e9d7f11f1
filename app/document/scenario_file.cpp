// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/scenario_file.h"

#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include <algorithm>
#include <array>

namespace clusterbeat {
namespace {

constexpr std::string_view kPresetPrefix = "preset:";

Error fileError(ErrorCode code, const QString &name, std::vector<Argument> more = {})
{
    Error error;
    error.code = code;
    error.place.file = name.toStdString();
    error.arguments.emplace_back(name.toStdString());
    for (Argument &argument : more) error.arguments.push_back(std::move(argument));
    return error;
}

} // namespace

Result<std::string> readTextDevice(QIODevice &device, const QString &name, std::int64_t limit)
{
    std::string text;
    std::array<char, 1 << 16> buffer{};
    for (;;) {
        const qint64 wanted = std::min<qint64>(static_cast<qint64>(buffer.size()),
                                               limit + 1 - static_cast<qint64>(text.size()));
        const qint64 got = device.read(buffer.data(), wanted);
        if (got < 0) return fileError(ErrorCode::FileUnreadable, name);
        if (got == 0) break;
        text.append(buffer.data(), static_cast<std::size_t>(got));
        if (static_cast<std::int64_t>(text.size()) > limit)
            return fileError(ErrorCode::FileTooLarge, name, {static_cast<std::int64_t>(text.size()), limit});
    }
    if (text.empty()) return fileError(ErrorCode::FileEmpty, name);
    return text;
}

Result<std::string> readTextFile(const QString &path, std::int64_t limit)
{
    const QFileInfo info(path);
    if (!info.exists()) return fileError(ErrorCode::FileNotFound, path);
    if (info.isDir()) return fileError(ErrorCode::NotAFile, path);
    if (info.isFile()) {
        if (info.size() > limit) return fileError(ErrorCode::FileTooLarge, path, {std::int64_t{info.size()}, limit});
        if (info.size() == 0) return fileError(ErrorCode::FileEmpty, path);
    }
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return fileError(ErrorCode::FileUnreadable, path);
    return readTextDevice(file, path, limit);
}

std::optional<Error> writeFile(const QString &path, std::string_view bytes)
{
    const auto size = static_cast<qint64>(bytes.size());
    const QFileInfo info(path);
    // Devices and pipes are written to; only a file is replaced as a whole.
    if (info.exists() && !info.isFile() && !info.isDir()) {
        QFile device(path);
        const bool written = device.open(QIODevice::WriteOnly | QIODevice::Unbuffered) && device.write(bytes.data(), size) == size;
        return written ? std::nullopt : std::optional(fileError(ErrorCode::FileUnwritable, path));
    }
    QSaveFile file(path);
    if (info.isDir() || !file.open(QIODevice::WriteOnly) || file.write(bytes.data(), size) != size ||
        !file.commit())
        return fileError(ErrorCode::FileUnwritable, path);
    return std::nullopt;
}

Result<Scenario> loadScenario(const QString &source, const Catalogue &catalogue, const std::vector<PointerEdit> &edits,
                              QIODevice *standardInput)
{
    const std::string name = source.toStdString();
    if (name.starts_with(kPresetPrefix))
        return readPreset(std::string_view(name).substr(kPresetPrefix.size()), catalogue, edits);
    const bool piped = source == QLatin1String("-") && standardInput;
    const QString shown = piped ? QStringLiteral("standard input") : source;
    auto text = piped ? readTextDevice(*standardInput, shown) : readTextFile(source);
    if (!text.ok()) return text.error();
    auto scenario = readScenario(text.value(), catalogue, edits);
    if (scenario.ok()) return scenario;
    Error error = scenario.error();
    if (error.place.file.empty()) error.place.file = shown.toStdString();
    return error;
}

} // namespace clusterbeat
