// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include "app/document/document.h"
#include "app/simulation/latest_job.h"
#include "views/shared/view_state.h"

#include <QObject>

namespace clusterbeat {

class SearchDialog;
struct LayoutChoice;

/// The search for better layouts in the window: runs it beside the GUI thread and makes what is taken an undo step.
class SearchController final : public QObject {
    Q_OBJECT
public:
    SearchController(Document *document, ViewState *state, QWidget *window);

    /// Opens the dialog, and searches when nothing was found for this run yet.
    void show();
    [[nodiscard]] SearchDialog *dialog();

private:
    void search();
    void adopt(const LayoutChoice &choice);

    Document *m_document;
    ViewState *m_state;
    QWidget *m_window;
    SearchDialog *m_dialog = nullptr;   ///< of the window
    bool m_found = false;
    LatestJob m_job;                    ///< last: joins before what it uses goes away
};

} // namespace clusterbeat
