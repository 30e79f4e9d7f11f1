// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#pragma once

#include <QString>

#include <memory>

class QTranslator;

namespace clusterbeat {

/// The installed translation of the program and of Qt's own dialogs. Switching posts LanguageChange to every widget.
class Language final {
public:
    Language();
    ~Language();
    Language(const Language &) = delete;
    Language &operator=(const Language &) = delete;
    /// "" = the system's language when it is shipped, else English. Sets QLocale's default as well.
    void set(const QString &code);
    [[nodiscard]] QString code() const { return m_code; }

private:
    void uninstall();
    std::unique_ptr<QTranslator> m_own, m_qt;
    QString m_code;
};

/// What set("") chooses on this system.
[[nodiscard]] QString systemLanguage();

} // namespace clusterbeat
