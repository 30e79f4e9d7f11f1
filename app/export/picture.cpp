// SPDX-License-Identifier: MIT
// SPDX-FileCopyrightText: Clusterbeat contributors
#include "app/export/picture.h"

#include "app/document/scenario_file.h"

#include <QBuffer>
#include <QFileInfo>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgGenerator>
#include <QWidget>

namespace clusterbeat {
namespace {

constexpr int kPixelsPerInch = 96;
constexpr int kPointsPerInch = 72;

void drawPng(QWidget &widget, QIODevice &device)
{
    QImage image(widget.size(), QImage::Format_RGB32);
    image.fill(Qt::black);
    widget.render(&image);
    image.save(&device, "PNG");
}

void drawSvg(QWidget &widget, QIODevice &device)
{
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setSize(widget.size());
    generator.setViewBox(widget.rect());
    generator.setTitle(widget.windowTitle());
    generator.setResolution(kPixelsPerInch);
    QPainter painter(&generator);
    widget.render(&painter);
}

void drawPdf(QWidget &widget, QIODevice &device)
{
    QPdfWriter writer(&device);
    writer.setCreator(QStringLiteral("Clusterbeat"));
    writer.setResolution(kPixelsPerInch);
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setPageSize(QPageSize(QSizeF(widget.size()) * kPointsPerInch / kPixelsPerInch, QPageSize::Point));
    QPainter painter(&writer);
    widget.render(&painter);
}

} // namespace

std::optional<Error> savePictureOf(QWidget &widget, const QString &path)
{
    const QString ending = QFileInfo(path).suffix().toLower();
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    if (ending == QLatin1String("png"))
        drawPng(widget, buffer);
    else if (ending == QLatin1String("svg"))
        drawSvg(widget, buffer);
    else if (ending == QLatin1String("pdf"))
        drawPdf(widget, buffer);
    else
        return Error{ErrorCode::UnknownName, {path.toStdString(), {}, 0, 0},
                     {ending.toStdString(), std::string("picture format"), std::string(), std::string("png, svg, pdf")}};
    const QByteArray bytes = buffer.data();
    return writeFile(path, std::string_view(bytes.constData(), static_cast<std::size_t>(bytes.size())));
}

} // namespace clusterbeat
