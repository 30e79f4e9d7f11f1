// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "views/theme/theme.h"

#include <QFile>
#include <QFontMetrics>
#include <QImage>
#include <QPainter>
#include <QRegularExpression>
#include <QtTest>

#include <set>

using namespace clusterbeat;

namespace {

constexpr std::array kThemes{ThemeKind::Dark, ThemeKind::Light, ThemeKind::Projector};

Category categoryAt(std::size_t i) { return static_cast<Category>(i); }

QImage filled(const QBrush &brush, int size, int ratio)
{
    QImage image(size * ratio, size * ratio, QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(Qt::black);
    QPainter painter(&image);
    painter.fillRect(0, 0, size, size, brush);
    return image;
}

} // namespace

class TestTheme final : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // WCAG 2.1: black on white is 21:1; #777777 on white is the well-known 4.48:1 that just fails AA.
    void contrastIsWcag()
    {
        QVERIFY(std::abs(contrastRatio(Qt::black, Qt::white) - 21.0) < 1e-9);
        QVERIFY(std::abs(contrastRatio(QColor(0x77, 0x77, 0x77), Qt::white) - 4.48) < 0.005);
        QCOMPARE(contrastRatio(Qt::white, Qt::black), contrastRatio(Qt::black, Qt::white));
    }

    // WCAG AA for text below 18 pt: 4.5:1.
    void textIsReadable()
    {
        for (const ThemeKind kind : kThemes) {
            const Theme theme(kind);
            const auto check = [kind](const char *what, const QColor &ink, const QColor &ground) {
                const double ratio = contrastRatio(ink, ground);
                QVERIFY2(ratio >= 4.5, qPrintable(QStringLiteral("theme %1: %2 %3 on %4 is %5")
                    .arg(static_cast<int>(kind)).arg(QLatin1String(what), ink.name(), ground.name()).arg(ratio)));
            };
            for (const QColor &ground : {theme.window, theme.panel, theme.raised, theme.sunken}) {
                check("text", theme.text, ground);
                check("text2", theme.text2, ground);
                check("text3", theme.text3, ground);
                check("accent", theme.accent, ground);
                check("worse", theme.worse, ground);
                check("warning", theme.warning, ground);
            }
            for (const QColor &ground : {theme.accentSoft, theme.worseSoft}) {
                check("text", theme.text, ground);
                check("text2", theme.text2, ground);
            }
            check("worse", theme.worse, theme.worseSoft);
            check("accent", theme.accent, theme.accentSoft);
            check("button", Theme::textOn(theme.accent), theme.accent);
            for (std::size_t i = 0; i < kCategoryCount; ++i)
                check(kCategoryKeys[i].data(), Theme::textOn(theme.category(categoryAt(i))), theme.category(categoryAt(i)));
        }
    }

    // The playhead and the selection cross every fill: ink or casing must stand out (3:1, WCAG 1.4.11).
    void selectionStandsOutOnEveryFill()
    {
        for (const ThemeKind kind : kThemes) {
            const Theme theme(kind);
            for (std::size_t i = 0; i < kCategoryCount; ++i) {
                const QColor fill = theme.category(categoryAt(i));
                QVERIFY(std::max(contrastRatio(theme.selection, fill), contrastRatio(theme.selectionCasing, fill)) >= 3.0);
            }
        }
    }

    // Solid is compute, hatched is exposed communication, crossed is waiting: no two categories of the exposed family
    // share a texture, none of them looks like compute or like waiting, and only waiting is crossed.
    void texturesTellFamiliesApart()
    {
        const std::array exposed{Category::ExposedTp, Category::ExposedCp, Category::ExposedEp, Category::ExposedPp, Category::ExposedDp};
        std::set<Texture> seen;
        for (const Category each : exposed) {
            QVERIFY(seen.insert(Theme::texture(each)).second);
            QVERIFY(Theme::texture(each) != Texture::Solid);
        }
        for (std::size_t i = 0; i < kCategoryCount; ++i)
            QCOMPARE(Theme::texture(categoryAt(i)) == Texture::Crossed, categoryAt(i) == Category::StragglerWait);
        QCOMPARE(Theme::texture(Category::Forward), Texture::Solid);
        QCOMPARE(Theme::texture(Category::Backward), Texture::Solid);

        // As painted: the tiles of one colourless sheet differ pixel by pixel, at both densities.
        for (const int ratio : {1, 2}) {
            const Theme theme(ThemeKind::Dark);
            std::set<QByteArray> patterns;
            for (const Category each : exposed) {
                const QImage image = filled(theme.brush(each, false, ratio), 24, ratio);
                QByteArray pattern;
                for (int y = 0; y < image.height(); ++y)
                    for (int x = 0; x < image.width(); ++x)
                        pattern.append(image.pixelColor(x, y).lightness() < theme.category(each).lightness() - 20 ? '#' : '.');
                QVERIFY(pattern.contains('#') && pattern.contains('.'));
                QVERIFY(patterns.insert(pattern).second);
            }
        }
    }

    // A tile is 6 logical pixels at every density: the pattern repeats after 6, and not after 3, for a diagonal.
    void tileIsSixLogicalPixels()
    {
        for (const int ratio : {1, 2}) {
            const QImage image = filled(Theme(ThemeKind::Dark).brush(Category::StragglerWait, false, ratio), 36, ratio);
            const int step = 6 * ratio;
            bool halfDiffers = false;
            for (int y = 0; y < 24 * ratio; ++y)
                for (int x = 0; x < 24 * ratio; ++x) {
                    QCOMPARE(image.pixel(x + step, y), image.pixel(x, y));
                    QCOMPARE(image.pixel(x, y + step), image.pixel(x, y));
                    halfDiffers |= image.pixel(x + step / 2, y) != image.pixel(x, y);
                }
            QVERIFY(halfDiffers);
        }
        QCOMPARE(Theme().brush(Category::ExposedTp, true).style(), Qt::SolidPattern);
        QCOMPARE(Theme().brush(Category::Forward).color(), Theme().category(Category::Forward));
        QCOMPARE(Theme().brush(Category::ExposedTp, false, 2.0).color(), Theme().category(Category::ExposedTp));
    }

    void colourHasOneMeaning()
    {
        for (const ThemeKind kind : kThemes) {
            const Theme theme(kind);
            std::set<QRgb> seen{theme.accent.rgb(), theme.worse.rgb(), theme.warning.rgb(), theme.overlapped.rgb()};
            QCOMPARE(seen.size(), std::size_t{4});
            for (std::size_t i = 0; i < kCategoryCount; ++i) QVERIFY(seen.insert(theme.category(categoryAt(i)).rgb()).second);
        }
    }

    // Every token of the sheet is replaced and every picture it names is there.
    void styleSheetIsComplete()
    {
        for (const ThemeKind kind : kThemes) {
            const QString sheet = styleSheet(Theme(kind));
            QVERIFY(!sheet.contains(QLatin1Char('$')));
            QVERIFY(!sheet.contains(QStringLiteral("#px")));
            QVERIFY(!sheet.contains(QRegularExpression(QStringLiteral(R"(:\s*;)"))));
            QCOMPARE(sheet.count(QLatin1Char('{')), sheet.count(QLatin1Char('}')));
            static const QRegularExpression url(QStringLiteral(R"(url\(([^)]+)\))"));
            int pictures = 0;
            for (auto it = url.globalMatch(sheet); it.hasNext(); ++pictures) {
                const QString path = it.next().captured(1);
                QVERIFY2(QFile::exists(path), qPrintable(path));
            }
            QVERIFY(pictures > 0);
            QCOMPARE(paletteFor(Theme(kind)).color(QPalette::WindowText), Theme(kind).text);
        }
        QVERIFY(styleSheet(Theme(ThemeKind::Projector)).contains(QStringLiteral("font-size: 18px")));
    }

    void typeScales()
    {
        QCOMPARE(Theme().font(Theme::Type::Kpi).pixelSize(), 20);
        QCOMPARE(Theme().font(Theme::Type::Kpi, true).pixelSize(), 16);
        QCOMPARE(Theme(ThemeKind::Projector).font(Theme::Type::Kpi).pixelSize(), 30);
        QCOMPARE(Theme().font(Theme::Type::AxisSmall).pixelSize(), 9);
        QVERIFY(QFontMetrics(Theme().font(Theme::Type::Clock)).horizontalAdvance(QLatin1Char('i')) ==
                QFontMetrics(Theme().font(Theme::Type::Clock)).horizontalAdvance(QLatin1Char('W')));
        const QFontMetrics body(Theme().font(Theme::Type::Control));
        QCOMPARE(body.horizontalAdvance(QLatin1Char('1')), body.horizontalAdvance(QLatin1Char('8')));
    }
};

QTEST_MAIN(TestTheme)
#include "tst_theme.moc"
