// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/controllers/recovery_controller.h"

#include "app/document/scenario_file.h"

#include <QDir>
#include <QFileInfo>
#include <QLocale>
#include <QMessageBox>
#include <QPushButton>

namespace clusterbeat {

RecoveryController::RecoveryController(Document *document, DocumentController *files, const QString &folder, QWidget *window)
    : QObject(window), m_document(document), m_files(files), m_window(window), m_folder(folder), m_autosave(document, folder)
{
    connect(&m_autosave, &Autosave::failed, this, [this] {
        Q_EMIT failed(tr("Unsaved changes cannot be kept for recovery: %1 cannot be written to.").arg(QDir::toNativeSeparators(m_folder)));
    });
}

void RecoveryController::offer()
{
    const std::vector<LostWork> lost = findLostWork(m_folder);
    if (lost.empty()) return;
    const LostWork work = lost.front();
    const QString name = work.documentPath.isEmpty() ? tr("a document that was never saved") : QDir::toNativeSeparators(work.documentPath);
    auto *box = new QMessageBox(QMessageBox::Question, tr("Recover unsaved work"),
                                tr("Clusterbeat was ended with unsaved changes."), QMessageBox::NoButton, m_window);
    box->setTextFormat(Qt::PlainText);
    box->setInformativeText(tr("Changes to %1 were kept at %2.").arg(name, QLocale().toString(work.savedAt, QLocale::ShortFormat)));
    const QPushButton *recoverButton = box->addButton(tr("&Recover"), QMessageBox::AcceptRole);
    const QPushButton *discard = box->addButton(tr("&Discard"), QMessageBox::DestructiveRole);
    QPushButton *later = box->addButton(tr("&Not Now"), QMessageBox::RejectRole);
    box->setDefaultButton(qobject_cast<QPushButton *>(box->buttons().front()));
    box->setEscapeButton(later);
    box->setAttribute(Qt::WA_DeleteOnClose);
    connect(box, &QMessageBox::buttonClicked, this, [this, work, recoverButton, discard](const QAbstractButton *clicked) {
        if (clicked == recoverButton) recover(work);
        if (clicked == discard) forgetLostWork(work);
    });
    box->open();
}

void RecoveryController::recover(const LostWork &work)
{
    auto scenario = loadScenario(work.file, m_document->catalogue());
    std::optional<Error> error;
    if (scenario.ok()) error = m_document->recover(std::move(scenario).value(), work.documentPath);
    else error = scenario.error();
    if (error) {
        m_files->showError(tr("Cannot recover %1").arg(QFileInfo(work.file).fileName()), *error);
        return;
    }
    m_autosave.flush();         // it is kept anew before the old file goes
    forgetLostWork(work);
}

} // namespace clusterbeat
