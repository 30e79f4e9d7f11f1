// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/document/document.h"

#include <QDateTime>
#include <QLockFile>
#include <QString>
#include <QTimer>

#include <memory>
#include <vector>

namespace clusterbeat {

/// Where recovery files are kept: one folder of the user's, shared by all runs of the program.
[[nodiscard]] QString recoveryFolder();

/// Unsaved work of a run of the program that did not end by itself.
struct LostWork {
    QString file;               ///< a complete scenario file
    QString documentPath;       ///< where the document was kept; "" = nowhere yet
    QDateTime savedAt;
};

/// The lost work in `folder`, newest first. Files of runs that are still going are not among it.
[[nodiscard]] std::vector<LostWork> findLostWork(const QString &folder);
/// Removes its files.
void forgetLostWork(const LostWork &work);

/// Writes the document to a recovery file of its own within kDelayMs of a change while it differs from what is saved,
/// and takes the file away when it does not, or when this run ends by itself. Writing is all or nothing; a folder that
/// cannot be written to is reported once and the work goes on.
class Autosave final : public QObject {
    Q_OBJECT
public:
    static constexpr int kDelayMs = 1000;
    Autosave(Document *document, const QString &folder, QObject *parent = nullptr);
    ~Autosave() override;
    /// Now rather than within the delay.
    void flush();
    [[nodiscard]] QString file() const { return m_base + QStringLiteral(".clusterbeat.json"); }

Q_SIGNALS:
    void failed();

private:
    void remove();
    [[nodiscard]] bool write();

    Document *m_document;
    QString m_base;
    std::unique_ptr<QLockFile> m_lock;
    QTimer m_timer;
    bool m_failed = false;
};

} // namespace clusterbeat
