// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QKeySequence>
#include <QList>
#include <QMenuBar>
#include <QString>

#include <functional>
#include <vector>

class QAction;
class QMenu;

namespace clusterbeat {

/// A menu bar whose texts are functions, so that all of them can be said again in another language, and that knows its
/// short-cuts for the key sheet.
class MenuBar final : public QMenuBar {
    Q_OBJECT
public:
    using Text = std::function<QString()>;
    explicit MenuBar(QWidget *parent = nullptr);

    QMenu *addTextMenu(const Text &text, QMenu *parent = nullptr);
    QAction *addTextAction(QMenu *menu, const Text &text, const QList<QKeySequence> &keys, const std::function<void()> &run);
    /// Checkable; `run` gets the new state when a person changes it.
    QAction *addTextToggle(QMenu *menu, const Text &text, const QList<QKeySequence> &keys,
                           const std::function<void(bool)> &run);
    void retranslate();

    struct KeyHelp {
        QString keys, action, menu;
    };
    /// Every action that has keys, in menu order; one of a submenu after the submenu's name.
    [[nodiscard]] std::vector<KeyHelp> keyHelp() const;

private:
    struct TextOf {
        QAction *action;
        Text text;
        QMenu *menu = nullptr;      ///< of a submenu's action
    };
    void remember(QAction *action, const Text &text, QMenu *menu);
    std::vector<TextOf> m_texts;
};

} // namespace clusterbeat
