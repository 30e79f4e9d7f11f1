// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "model/base/result.h"
#include "model/scenario/catalogue.h"
#include "model/scenario/scenario.h"
#include "views/shared/intents.h"

#include <QObject>
#include <QUndoStack>

#include <memory>
#include <optional>

namespace clusterbeat {

/// The open scenario, where it is kept, and every change since. One intent is one undo step; the steps of one drag merge;
/// a change that changes nothing is no step. A refused edit returns the Error and changes nothing.
class Document final : public QObject {
    Q_OBJECT
public:
    explicit Document(std::shared_ptr<const Catalogue> catalogue, QObject *parent = nullptr);

    [[nodiscard]] const Scenario &scenario() const { return m_scenario; }
    [[nodiscard]] const Catalogue &catalogue() const { return *m_catalogue; }
    [[nodiscard]] std::shared_ptr<const Catalogue> sharedCatalogue() const { return m_catalogue; }
    [[nodiscard]] QUndoStack *undoStack() { return &m_stack; }
    [[nodiscard]] bool isModified() const { return !m_stack.isClean() || m_unsaved; }
    [[nodiscard]] QString path() const { return m_path; }          ///< "" = never saved
    [[nodiscard]] QString displayName() const;

    // ---- whole documents. On an error the open one stays.
    /// A scenario file or "preset:NAME".
    [[nodiscard]] std::optional<Error> open(const QString &source);
    /// Replaces the document by one that no file holds yet; `unsaved` = it would be a loss (an import).
    [[nodiscard]] std::optional<Error> adopt(Scenario scenario, bool unsaved = true);
    /// Unsaved work of an earlier run: differs from the file at `path` ("" = none).
    [[nodiscard]] std::optional<Error> recover(Scenario scenario, const QString &path);
    [[nodiscard]] std::optional<Error> save(const QString &path);

    // ---- changes
    /// Applies JSON edits to the scenario's canonical text, reads it again and checks the rules. Consecutive calls with
    /// the same non-empty key are one step until finishMerge(), undo or redo.
    [[nodiscard]] std::optional<Error> apply(const QList<ScenarioEdit> &edits, const QString &mergeKey = {});
    /// Another scenario as one step called `label`.
    [[nodiscard]] std::optional<Error> change(Scenario next, const QString &label);
    /// Adds, replaces or (speed 1) removes the slowdown of exactly this target. While `dragging`, steps merge.
    [[nodiscard]] std::optional<Error> slowGpu(const QString &target, double speed, bool dragging = false);
    /// Ends a drag: the next change is a step of its own.
    void finishMerge();
    /// Another list of perturbations, as one step called `label`.
    [[nodiscard]] std::optional<Error> setPerturbations(PerturbationList list, const QString &label);
    /// Another layout, as one step called `label`.
    [[nodiscard]] std::optional<Error> setLayout(LayoutSection layout, const QString &label);
    /// Takes every perturbation away.
    [[nodiscard]] std::optional<Error> clearPerturbations();

Q_SIGNALS:
    /// The scenario differs. `structural`: more than perturbations changed; `replaced`: another document.
    void changed(bool structural, bool replaced);
    /// Name, path or modified flag.
    void titleChanged();

private:
    class Change;
    [[nodiscard]] std::optional<Error> commit(Scenario next, const QString &label, const QString &mergeKey);
    void show(const Scenario &scenario);
    [[nodiscard]] std::optional<Error> replace(Scenario scenario, const QString &path, bool unsaved);

    std::shared_ptr<const Catalogue> m_catalogue;
    Scenario m_scenario;
    QUndoStack m_stack;
    QString m_path;
    QString m_mergeKey;
    int m_mergeToken = 0;
    bool m_unsaved = false;         ///< imported: differs from every file though nothing was edited
};

} // namespace clusterbeat
