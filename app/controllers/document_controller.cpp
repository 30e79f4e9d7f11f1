// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/document_controller.h"

#include "app/document/scenario_file.h"
#include "model/formats/schedule_csv.h"
#include "views/imports/import_dialog.h"
#include "views/text/error_text.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QInputDialog>
#include <QMessageBox>
#include <nlohmann/json.hpp>

#include <utility>

namespace clusterbeat {
namespace {

const QString kEnding = QStringLiteral(".clusterbeat.json");

/// A pipeline schedule of PyTorch's: it goes into the open run.
bool isSchedule(const std::string &text) { return !recogniseFormat(text) && looksLikeScheduleCsv(text); }

bool isPreset(const QString &source) { return source.startsWith(QLatin1String("preset:")); }

} // namespace

DocumentController::DocumentController(Document *document, Preferences *preferences, QWidget *window)
    : QObject(window), m_document(document), m_preferences(preferences), m_window(window),
      m_question([this] { return ask(); })
{
}

bool DocumentController::open(const QString &source)
{
    if (const auto text = isPreset(source) ? Result<std::string>(std::string()) : readTextFile(source); text.ok() && isSchedule(text.value())) {
        const auto error = loadSchedule(source, text.value());
        if (error) showError(tr("Cannot open %1").arg(QFileInfo(source).fileName()), *error);
        return !error;
    }
    if (!mayReplace()) return false;
    if (const auto error = load(source)) {
        showError(tr("Cannot open %1").arg(isPreset(source) ? source : QFileInfo(source).fileName()), *error);
        return false;
    }
    if (!isPreset(source)) {
        addRecentFile(*m_preferences, QFileInfo(source).absoluteFilePath());
        Q_EMIT recentFilesChanged();
    }
    return true;
}

bool DocumentController::openScenario(Scenario scenario, const QString &name)
{
    if (!mayReplace()) return false;
    if (const auto error = m_document->adopt(std::move(scenario), false)) {
        showError(tr("Cannot open %1").arg(name), *error);
        return false;
    }
    return true;
}

std::optional<Error> DocumentController::load(const QString &source)
{
    if (isPreset(source)) return m_document->open(source);
    const auto text = readTextFile(source);
    if (!text.ok()) return text.error();
    if (!recogniseFormat(text.value())) return m_document->open(source);
    auto imported = importForeign(text.value(), source.toStdString(), m_document->catalogue());
    if (!imported.ok()) return imported.error();
    // The file itself still holds what was imported: nothing is lost as long as nothing was changed.
    if (auto error = m_document->adopt(std::move(imported.value().scenario), false)) return error;
    showReport(source, std::move(imported.value().report));
    return std::nullopt;
}

void DocumentController::showReport(const QString &source, ImportReport report)
{
    auto *dialog = new ImportDialog(QFileInfo(source).fileName(), std::move(report), m_document->scenario(), m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ImportDialog::editRequested, this, [this, dialog](const ScenarioEdit &edit) {
        const auto error = m_document->apply({edit});
        dialog->setMessage(error ? editErrorText(*error) : QString());
        dialog->setScenario(m_document->scenario());
    });
    connect(m_document, &Document::changed, dialog, [this, dialog](bool, bool replaced) {
        if (replaced) dialog->close();
        else dialog->setScenario(m_document->scenario());
    });
    dialog->show();
}

std::optional<Error> DocumentController::loadSchedule(const QString &source, const std::string &text)
{
    auto cells = readScheduleCsv(text, source.toStdString());
    if (!cells.ok()) return cells.error();
    return m_document->setLayout(*withSchedule(m_document->scenario(), std::move(cells).value()).layout, tr("Schedule of %1").arg(QFileInfo(source).fileName()));
}

bool DocumentController::openAll(const QStringList &sources)
{
    QStringList runs, schedules;
    for (const QString &source : sources) {
        const auto text = isPreset(source) ? Result<std::string>(std::string()) : readTextFile(source);
        (text.ok() && isSchedule(text.value()) ? schedules : runs).append(source);
    }
    if (runs.size() > 1 || schedules.size() > 1) {
        auto *box = new QMessageBox(QMessageBox::Information, tr("Clusterbeat"), tr("Several files cannot be opened at once."), QMessageBox::Ok, m_window);
        box->setInformativeText(tr("Drop one run, a pipeline schedule, or both together."));
        showMessage(box);
        return false;
    }
    if (!runs.isEmpty() && !open(runs.first())) return false;
    return schedules.isEmpty() || open(schedules.first());
}

void DocumentController::showError(const QString &title, const Error &error)
{
    const ErrorText parts = errorParts(error);
    auto *box = new QMessageBox(QMessageBox::Warning, tr("Clusterbeat"), title, QMessageBox::Ok, m_window);
    QStringList lines{parts.what};
    if (!parts.todo.isEmpty()) lines.append(parts.todo);
    if (!parts.where.isEmpty()) lines.append(tr("Where: %1").arg(parts.where));
    box->setInformativeText(lines.join(QStringLiteral("\n")));
    showMessage(box);
}

void DocumentController::showMessage(QMessageBox *box)
{
    box->setTextFormat(Qt::PlainText);
    box->setAttribute(Qt::WA_DeleteOnClose);
    box->open();
}

DocumentController::Answer DocumentController::ask()
{
    QMessageBox box(QMessageBox::Question, tr("Unsaved changes"),
                    tr("“%1” has changes that are not saved.").arg(m_document->displayName()),
                    QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel, m_window);
    box.setTextFormat(Qt::PlainText);
    box.setInformativeText(tr("They are lost if they are not saved."));
    box.setDefaultButton(QMessageBox::Save);
    switch (box.exec()) {
    case QMessageBox::Save: return Answer::Save;
    case QMessageBox::Discard: return Answer::Discard;
    default: return Answer::Cancel;
    }
}

bool DocumentController::mayReplace()
{
    m_document->finishMerge();
    if (!m_document->isModified()) return true;
    switch (m_question()) {
    case Answer::Save: return save();
    case Answer::Discard: return true;
    case Answer::Cancel: break;
    }
    return false;
}

bool DocumentController::save() { return m_document->path().isEmpty() ? saveAs() : saveTo(m_document->path()); }

bool DocumentController::saveAs()
{
    const QString start = m_document->path().isEmpty() ? m_document->displayName() + kEnding : m_document->path();
    QString path = QFileDialog::getSaveFileName(m_window, tr("Save scenario"), start,
                                                tr("Clusterbeat scenarios (*.clusterbeat.json);;All files (*)"));
    if (path.isEmpty()) return false;
    if (QFileInfo(path).suffix().isEmpty()) path += kEnding;
    return saveTo(path);
}

bool DocumentController::saveTo(const QString &path)
{
    if (const auto error = m_document->save(path)) {
        showError(tr("Cannot save %1").arg(QFileInfo(path).fileName()), *error);
        return false;
    }
    addRecentFile(*m_preferences, m_document->path());
    Q_EMIT recentFilesChanged();
    return true;
}

void DocumentController::rename()
{
    auto *dialog = new QInputDialog(m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Rename this run"));
    dialog->setLabelText(tr("Name, in the title and in comparisons:"));
    dialog->setTextValue(m_document->displayName());
    dialog->setMinimumWidth(420);
    connect(dialog, &QInputDialog::textValueSelected, this, &DocumentController::setName);
    dialog->open();
}

void DocumentController::setName(const QString &name)
{
    const QString text = name.trimmed();
    if (text.isEmpty() || text == m_document->displayName()) return;
    const QString json = QString::fromStdString(nlohmann::json(text.toStdString()).dump());
    if (const auto error = m_document->apply({{QStringLiteral("/name"), json, tr("Rename to “%1”").arg(text)}}))
        showError(tr("Cannot rename to “%1”").arg(text), *error);
}

void DocumentController::chooseAndOpen()
{
    const QString path = QFileDialog::getOpenFileName(
        m_window, tr("Open"), QFileInfo(m_document->path()).absolutePath(),
        tr("Scenarios and importable files (*.json *.sh *.slurm *.txt);;All files (*)"));
    if (!path.isEmpty()) open(path);
}

} // namespace clusterbeat
