// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/window/menu_bar.h"

#include <QRegularExpression>
#include <QAction>
#include <QMenu>

namespace clusterbeat {
namespace {

// Menu letters and dots are for the menu: "打开(&O)…" is "打开".
QString withoutMenuLetter(QString text)
{
    static const QRegularExpression menuLetter(QStringLiteral("\\(&.\\)"));
    return text.remove(menuLetter).remove(QLatin1Char('&')).remove(QChar(0x2026));
}

/// The title of the menu of the bar that holds the action, maybe within submenus.
QString topMenuOf(const QAction *action)
{
    QString title;
    const QObject *holder = action->parent();
    while (const auto *menu = qobject_cast<const QMenu *>(holder)) {
        title = menu->title();
        holder = menu->parent();
    }
    return title;
}

} // namespace

MenuBar::MenuBar(QWidget *parent) : QMenuBar(parent) { setNativeMenuBar(false); }

QMenu *MenuBar::addTextMenu(const Text &text, QMenu *parent)
{
    QMenu *menu = parent ? parent->addMenu(text()) : addMenu(text());
    m_texts.push_back({menu->menuAction(), text});
    return menu;
}

QAction *MenuBar::addTextAction(QMenu *menu, const Text &text, const QList<QKeySequence> &keys,
                                const std::function<void()> &run)
{
    QAction *action = menu->addAction(text());
    action->setShortcuts(keys);
    connect(action, &QAction::triggered, this, [run] { run(); });
    remember(action, text, menu);
    return action;
}

QAction *MenuBar::addTextToggle(QMenu *menu, const Text &text, const QList<QKeySequence> &keys,
                                const std::function<void(bool)> &run)
{
    QAction *action = menu->addAction(text());
    action->setShortcuts(keys);
    action->setCheckable(true);
    connect(action, &QAction::triggered, this, [run](bool checked) { run(checked); });
    remember(action, text, menu);
    return action;
}

void MenuBar::remember(QAction *action, const Text &text, QMenu *menu)
{
    m_texts.push_back({action, text, qobject_cast<QMenu *>(menu->parentWidget()) ? menu : nullptr});
}

void MenuBar::retranslate()
{
    for (const TextOf &entry : m_texts) entry.action->setText(entry.text());
}

std::vector<MenuBar::KeyHelp> MenuBar::keyHelp() const
{
    std::vector<KeyHelp> help;
    for (const TextOf &entry : m_texts) {
        if (entry.action->shortcuts().isEmpty()) continue;
        const QString action = withoutMenuLetter(entry.text());
        help.push_back({entry.action->shortcut().toString(QKeySequence::NativeText),
                        entry.menu ? tr("%1: %2").arg(withoutMenuLetter(entry.menu->title()), action) : action,
                        withoutMenuLetter(topMenuOf(entry.action))});
    }
    return help;
}

} // namespace clusterbeat
