// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/export_actions.h"

#include "app/designer/window/file_actions.h"
#include "app/designer/window/message_bar.h"

#include <QClipboard>
#include <QDir>
#include <QFileInfo>
#include <QGuiApplication>
#include <QMimeData>

namespace pipeloom::designer {

ExportActions::ExportActions(const LiveFigures& figures, FileActions& files, QWidget* window, ActionRegistry& registry)
    : QObject(window)
    , figures_(figures)
    , files_(files)
    , window_(window)
    , image_(new QAction(tr("Copy as &Image"), this))
    , svg_(new QAction(tr("Copy as S&VG"), this))
{
    image_->setObjectName("edit.copyImage");
    image_->setShortcut(QKeySequence("Ctrl+Shift+C"));
    svg_->setObjectName("edit.copySvg");
    svg_->setShortcut(QKeySequence("Ctrl+Alt+C"));
    connect(image_, &QAction::triggered, this, &ExportActions::copyImage);
    connect(svg_, &QAction::triggered, this, &ExportActions::copySvg);
    registry.addSeparator("Edit");
    registry.add("Edit", { image_, svg_ });
    connect(&files_, &FileActions::exportRequested, this, &ExportActions::showDialog);
    connect(&files_, &FileActions::opened, this, &ExportActions::updateState);
    connect(&files_, &FileActions::closed, this, &ExportActions::updateState);
    connect(&figures_, &LiveFigures::changed, this, &ExportActions::updateState);
    updateState();
}

void ExportActions::updateState()
{
    const QString problem = exportProblem(*figures_.figures());
    files_.setExportProblem(problem);
    const QString why = files_.isOpen() ? problem : tr("No design is open.");
    enable(*image_, why);
    enable(*svg_, why);
}

void ExportActions::showDialog()
{
    ExportDialog dialog(figures_, files_.chooser(), files_.proposedPath(), choice_, window_);
    dialog.exec();
    choice_ = dialog.choice();
    if (!dialog.written().isEmpty())
        files_.bar()->tell(MessageBar::Tone::Note,
            tr("The figure was written to %1.").arg(QDir::toNativeSeparators(dialog.written())));
}

void ExportActions::copyImage()
{
    QGuiApplication::clipboard()->setImage(figureImage(*figures_.figures(), choice_.figure, 2));
}

void ExportActions::copySvg()
{
    const QByteArray svg = figureSvg(*figures_.figures(), choice_.figure);
    auto* data = new QMimeData;
    data->setData("image/svg+xml", svg);
    data->setText(QString::fromUtf8(svg));
    QGuiApplication::clipboard()->setMimeData(data);
}

} // namespace pipeloom::designer
