// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/shared/move_keys.h"

#include <QGuiApplication>
#include <QKeyEvent>

#include <array>

namespace clusterbeat {

// evdev codes plus 8 on X11 and Wayland, set 1 elsewhere, so that the keys stay a cross on every layout; events without a
// scan code go by the letter.
Move moveOf(const QKeyEvent &event)
{
    constexpr std::array<Move, 4> moves{Move::In, Move::Earlier, Move::Out, Move::Later};
    const QString platform = QGuiApplication::platformName();
    const bool evdev = platform == QLatin1String("xcb") || platform.startsWith(QLatin1String("wayland"));
    const std::array<quint32, 4> codes = evdev ? std::array<quint32, 4>{25, 38, 39, 40} : std::array<quint32, 4>{17, 30, 31, 32};
    const bool scanned = (evdev || platform == QLatin1String("windows")) && event.nativeScanCode() != 0;
    constexpr std::array<int, 4> keys{Qt::Key_W, Qt::Key_A, Qt::Key_S, Qt::Key_D};
    for (std::size_t i = 0; i < moves.size(); ++i)
        if (scanned ? event.nativeScanCode() == codes[i] : event.key() == keys[i]) return moves[i];
    return Move::None;
}

} // namespace clusterbeat
