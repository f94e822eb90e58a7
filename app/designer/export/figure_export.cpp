// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/figure_export.h"

#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QPageSize>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace pipeloom::designer {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("FigureExport", text); }

constexpr int mostPixels = 16384;

QString titleOf(const Figures& figures, const FigureOptions& options)
{
    if (!options.title.isEmpty())
        return options.title;
    const std::string& name = figures.design->name;
    return name.empty() ? tr("Pipeline schedule") : QString::fromStdString(name);
}

bool writeSvg(QIODevice& device, const Figures& figures, const FigureOptions& options)
{
    const QSizeF size = figureSize(figures, options);
    QSvgGenerator generator;
    generator.setOutputDevice(&device);
    generator.setResolution(96);
    generator.setSize(size.toSize());
    generator.setViewBox(QRectF({ 0, 0 }, size));
    generator.setTitle(titleOf(figures, options).toHtmlEscaped()); // Qt 6.4 writes it as it is
    generator.setDescription(captionText(figures).toHtmlEscaped());
    QPainter painter;
    if (!painter.begin(&generator))
        return false;
    paintFigure(painter, figures, options);
    return painter.end();
}

bool writePdf(QIODevice& device, const Figures& figures, const FigureOptions& options)
{
    const QSizeF size = figureSize(figures, options);
    constexpr double pointsPerPixel = 72.0 / 96;
    constexpr int dpi = 1200;
    QPdfWriter writer(&device);
    writer.setTitle(titleOf(figures, options));
    writer.setCreator(QString("Pipeloom %1").arg(PIPELOOM_VERSION));
    writer.setResolution(dpi);
    writer.setPageSize(QPageSize(size * pointsPerPixel, QPageSize::Point, {}, QPageSize::ExactMatch));
    writer.setPageMargins({ 0, 0, 0, 0 });
    QPainter painter;
    if (!painter.begin(&writer))
        return false;
    painter.scale(dpi / 96.0, dpi / 96.0);
    paintFigure(painter, figures, options);
    return painter.end();
}

bool writePng(QIODevice& device, const Figures& figures, const FigureOptions& options, double scale)
{
    QImage image = figureImage(figures, options, scale);
    image.setText("Title", titleOf(figures, options));
    image.setText("Description", captionText(figures));
    return image.save(&device, "PNG");
}

Findings failed(const char* rule, const QString& message, const QString& remedy)
{
    return { { rule, Severity::Error, {}, {}, message.toStdString(), remedy.toStdString() } };
}

} // namespace

QString suffixOf(FigureFormat format)
{
    return format == FigureFormat::Pdf ? ".pdf" : format == FigureFormat::Svg ? ".svg" : ".png";
}

QImage figureImage(const Figures& figures, const FigureOptions& options, double scale)
{
    const QSizeF size = figureSize(figures, options);
    QImage image((size * scale).toSize().expandedTo({ 1, 1 }), QImage::Format_RGB32);
    image.setDevicePixelRatio(scale);
    image.setDotsPerMeterX(static_cast<int>(std::lround(scale * 96 / 0.0254)));
    image.setDotsPerMeterY(image.dotsPerMeterX());
    image.fill(Qt::white);
    QPainter painter(&image);
    paintFigure(painter, figures, options);
    return image;
}

QByteArray figureSvg(const Figures& figures, const FigureOptions& options)
{
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    return writeSvg(buffer, figures, options) ? buffer.data() : QByteArray();
}

Findings exportFigure(
    const Figures& figures, const FigureOptions& options, const QString& path, FigureFormat format, double scale)
{
    const QSizeF pixels = figureSize(figures, options) * scale;
    if (format == FigureFormat::Png && std::max(pixels.width(), pixels.height()) > mostPixels)
        return failed("export/size",
            tr("The picture would have %1 × %2 pixels; %3 either way is the most.")
                .arg(pixels.width(), 0, 'f', 0)
                .arg(pixels.height(), 0, 'f', 0)
                .arg(mostPixels),
            tr("Take a lower resolution, a smaller width, or PDF."));
    QSaveFile file(path);
    const bool written = file.open(QIODevice::WriteOnly)
        && (format == FigureFormat::Pdf       ? writePdf(file, figures, options)
                : format == FigureFormat::Svg ? writeSvg(file, figures, options)
                                              : writePng(file, figures, options, scale));
    if (options.cancelled && *options.cancelled)
        return {}; // the file is dropped
    if (written && file.commit())
        return {};
    return failed("export/write", tr("%1 was not written: %2.").arg(QFileInfo(path).fileName(), file.errorString()),
        tr("Choose another place, or make room there."));
}

} // namespace pipeloom::designer
