// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/document/recovery.h"

#include "app/document/scenario_file.h"
#include "model/scenario/scenario_json.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QUuid>

namespace clusterbeat {
namespace {

const QString kScenario = QStringLiteral(".clusterbeat.json");
const QString kPath = QStringLiteral(".path");
const QString kLock = QStringLiteral(".lock");

QString baseOf(const QString &file) { return file.chopped(kScenario.size()); }

/// The lock of a run that is still going is never stale by age, only by the end of its process.
std::unique_ptr<QLockFile> lockOf(const QString &base)
{
    auto lock = std::make_unique<QLockFile>(base + kLock);
    lock->setStaleLockTime(0);
    return lock;
}

void removeFilesOf(const QString &base)
{
    QFile::remove(base + kScenario);
    QFile::remove(base + kPath);
}

} // namespace

QString recoveryFolder() { return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) + QStringLiteral("/recovery"); }

std::vector<LostWork> findLostWork(const QString &folder)
{
    std::vector<LostWork> found;
    for (const QFileInfo &info : QDir(folder).entryInfoList({QLatin1Char('*') + kScenario}, QDir::Files, QDir::Time)) {
        const QString base = baseOf(info.absoluteFilePath());
        const auto lock = lockOf(base);
        if (!lock->tryLock(0)) continue;
        QFile path(base + kPath);
        const QString documentPath = path.open(QIODevice::ReadOnly) ? QString::fromUtf8(path.readAll()) : QString();
        found.push_back({info.absoluteFilePath(), documentPath, info.lastModified()});
    }
    return found;
}

void forgetLostWork(const LostWork &work) { removeFilesOf(baseOf(work.file)); }

Autosave::Autosave(Document *document, const QString &folder, QObject *parent) : QObject(parent), m_document(document)
{
    QDir().mkpath(folder);
    m_base = QDir(folder).absoluteFilePath(QUuid::createUuid().toString(QUuid::WithoutBraces));
    m_lock = lockOf(m_base);
    m_timer.setSingleShot(true);
    m_timer.setInterval(kDelayMs);
    // Not restarted by the next change: a drag that goes on for minutes is kept too.
    const auto note = [this] {
        if (!m_timer.isActive()) m_timer.start();
    };
    connect(document, &Document::changed, this, note);
    connect(document, &Document::titleChanged, this, note);
    connect(&m_timer, &QTimer::timeout, this, &Autosave::flush);
}

Autosave::~Autosave() { remove(); }

void Autosave::flush()
{
    m_timer.stop();
    if (!m_document->isModified()) {
        remove();
        return;
    }
    const bool written = write();
    if (!written && !m_failed) Q_EMIT failed();
    m_failed = !written;
}

bool Autosave::write()
{
    if (!m_lock->isLocked() && !m_lock->tryLock(0)) return false;
    if (writeFile(m_base + kPath, m_document->path().toStdString())) return false;
    return !writeFile(file(), writeScenario(m_document->scenario()));
}

void Autosave::remove()
{
    removeFilesOf(m_base);
    m_lock->unlock();
}

} // namespace clusterbeat
