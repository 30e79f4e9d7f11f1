// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/controllers/document_controller.h"
#include "app/validation/validation_runner.h"
#include "views/shared/view_state.h"

#include <QObject>

namespace clusterbeat {

class ValidationPage;

/// The Validation page and the job behind it. Both are made when the page is first asked for: until then they cost
/// nothing.
class ValidationController final : public QObject {
    Q_OBJECT
public:
    ValidationController(std::shared_ptr<const Catalogue> catalogue, DocumentController *files, ViewState *state,
                         QObject *parent = nullptr);

    /// The page, made at the first call; its parent is the caller's to set.
    [[nodiscard]] ValidationPage *page();
    [[nodiscard]] bool hasPage() const { return m_page != nullptr; }
    [[nodiscard]] ValidationRunner *runner() { return m_runner; }
    /// Simulates the runs unless that was done or is under way.
    void ensureComputed();
    /// Shows rows that were computed elsewhere (a picture from the command line).
    void present(std::vector<ValidatedRow> rows);

Q_SIGNALS:
    /// A row has become the document.
    void opened();

private:
    void openRow(const QString &id);

    std::shared_ptr<const Catalogue> m_catalogue;
    DocumentController *m_files;
    ViewState *m_state;
    ValidationPage *m_page = nullptr;
    ValidationRunner *m_runner = nullptr;
    bool m_computed = false;
};

} // namespace clusterbeat
