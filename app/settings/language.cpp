// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/settings/language.h"

#include "app/settings/preferences.h"

#include <QCoreApplication>
#include <QLibraryInfo>
#include <QLocale>
#include <QTranslator>

namespace clusterbeat {

Language::Language() : m_code(QStringLiteral("en")) {}
Language::~Language() { uninstall(); }

void Language::uninstall()
{
    for (auto *translator : {&m_own, &m_qt}) {
        if (*translator && QCoreApplication::instance()) QCoreApplication::removeTranslator(translator->get());
        translator->reset();
    }
}

void Language::set(const QString &code)
{
    const QString wanted = isLanguage(code) ? code : systemLanguage();
    const bool english = wanted == QLatin1String("en");
    // The default locale first: widgets that hear of the new language format their numbers by it.
    QLocale::setDefault(english ? QLocale(QLocale::English, QLocale::UnitedStates) : QLocale(wanted));
    if (wanted == m_code) return;
    m_code = wanted;
    uninstall();
    if (english) return;
    m_qt = std::make_unique<QTranslator>();
    if (m_qt->load(QStringLiteral("qtbase_") + wanted, QLibraryInfo::path(QLibraryInfo::TranslationsPath)))
        QCoreApplication::installTranslator(m_qt.get());
    m_own = std::make_unique<QTranslator>();
    if (m_own->load(QStringLiteral(":/i18n/clusterbeat_") + wanted)) QCoreApplication::installTranslator(m_own.get());
}

QString systemLanguage()
{
    return QLocale::system().language() == QLocale::Chinese ? QStringLiteral("zh_CN") : QStringLiteral("en");
}

} // namespace clusterbeat
