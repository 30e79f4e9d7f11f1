// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/controllers/document_controller.h"
#include "app/document/recovery.h"

#include <QObject>

class QWidget;

namespace clusterbeat {

/// Keeps the document recoverable and, at the start, offers what an earlier run left unsaved when it was ended.
class RecoveryController final : public QObject {
    Q_OBJECT
public:
    RecoveryController(Document *document, DocumentController *files, const QString &folder, QWidget *window);
    /// Asks about the newest lost work, if there is any. The question is the window's; nothing waits for the answer.
    void offer();
    /// Makes it the open document, with unsaved changes, and removes its file; a file that cannot be read stays.
    void recover(const LostWork &work);

Q_SIGNALS:
    /// Changes cannot be kept for recovery.
    void failed(const QString &sentence);

private:
    Document *m_document;
    DocumentController *m_files;
    QWidget *m_window;
    QString m_folder;
    Autosave m_autosave;
};

} // namespace clusterbeat
