// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/document/document.h"
#include "app/settings/preferences.h"
#include "model/formats/import.h"

#include <QObject>
#include <QPointer>

#include <functional>

class QMessageBox;
class QWidget;

namespace clusterbeat {

/// Opening, importing and saving with their dialogs. Messages do not block; only the question about unsaved changes does.
class DocumentController final : public QObject {
    Q_OBJECT
public:
    enum class Answer : quint8 { Save, Discard, Cancel };

    DocumentController(Document *document, Preferences *preferences, QWidget *window);

    /// A scenario, a file of another program (recognised by content) or "preset:NAME"; asks about unsaved changes first.
    /// False: it was refused or the person changed their mind; the open document stays.
    bool open(const QString &source);
    /// One file, or a file with a pipeline schedule that goes into it; says so where several cannot be opened.
    bool openAll(const QStringList &sources);
    /// A scenario that no file holds (a published run) becomes the document; asks first. `name` = for the message.
    bool openScenario(Scenario scenario, const QString &name);
    bool save();
    bool saveAs();
    void chooseAndOpen();
    /// Asks for another name of the run; one undo step.
    void rename();
    void setName(const QString &name);
    /// True when nothing would be lost: saved, or the person says so.
    [[nodiscard]] bool mayReplace();
    void showError(const QString &title, const Error &error);
    /// Replaces the question about unsaved changes (tests).
    void setQuestion(std::function<Answer()> question) { m_question = std::move(question); }

Q_SIGNALS:
    void recentFilesChanged();

private:
    [[nodiscard]] std::optional<Error> load(const QString &source);
    void showReport(const QString &source, ImportReport report);
    [[nodiscard]] std::optional<Error> loadSchedule(const QString &source, const std::string &text);
    [[nodiscard]] Answer ask();
    void showMessage(QMessageBox *box);
    bool saveTo(const QString &path);

    Document *m_document;
    Preferences *m_preferences;
    QWidget *m_window;
    std::function<Answer()> m_question;
};

} // namespace clusterbeat
