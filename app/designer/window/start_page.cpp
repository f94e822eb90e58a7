// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/window/start_page.h"

#include "app/designer/window/file_actions.h"
#include "app/designer/window/form.h"
#include "app/designer/window/picture_tile.h"
#include "core/library/library.h"

#include <QFileInfo>
#include <QGridLayout>
#include <QVBoxLayout>

namespace pipeloom::designer {

namespace {

constexpr int spacing = 16;
constexpr int mostColumns = 4;

} // namespace

StartPage::StartPage(FileActions& files, QWidget* parent)
    : QScrollArea(parent)
    , files_(files)
    , page_(new QWidget)
    , beginGrid_(new QGridLayout)
    , recentGrid_(new QGridLayout)
    , recentHeading_(heading(tr("Recent designs")))
{
    setObjectName("startPage");
    setAccessibleName(tr("Start"));
    setWidgetResizable(true);
    setFrameShape(QFrame::NoFrame);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* column = new QVBoxLayout(page_);
    column->setContentsMargins(40, 36, 40, 30);
    column->setSpacing(14);
    column->addWidget(heading(tr("Pipeloom"), 26));
    column->addWidget(
        quietText(tr("Draw a building block over your devices; its bubbles and its memory change while you drag.")));
    column->addSpacing(6);
    column->addLayout(beginGrid_);
    column->addSpacing(14);
    column->addWidget(recentHeading_);
    column->addLayout(recentGrid_);
    column->addStretch(1);
    for (QGridLayout* grid : { beginGrid_, recentGrid_ }) {
        grid->setSpacing(spacing);
        grid->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    }
    setWidget(page_);
    addBeginnings();
    fillRecent();
    connect(&files_.recent(), &RecentFiles::changed, this, &StartPage::fillRecent);
    connect(&miniatures_, &MiniatureMaker::ready, this, [this](const QString& path, const QImage& image) {
        if (const auto at = recentPaths_.indexOf(path); at >= 0)
            recent_[at]->setPicture(image);
    });
}

void StartPage::addBeginnings()
{
    const auto add = [this](const char* name, const QString& title, const QString& sentence, auto run) {
        auto* tile = new PictureTile(title, sentence);
        tile->setObjectName(name);
        connect(tile, &PictureTile::clicked, this, run);
        begin_ << tile;
    };
    add("startNew", tr("New block"), tr("An empty block for your number of devices, to draw in."),
        [this] { files_.newBlock(); });
    add("startLibrary", tr("From library"), tr("1F1B, zero-bubble, V schedules: made for your devices and costs."),
        [this] { files_.newFromLibrary(); });
    add("startOpen", tr("Open a file"), tr("A design that was saved, *%1.").arg(designSuffix),
        [this] { files_.chooseAndOpen(); });
}

void StartPage::fillRecent()
{
    qDeleteAll(recent_);
    recent_.clear();
    recentPaths_ = files_.recent().paths();
    for (qsizetype i = 0; i < recentPaths_.size(); ++i) {
        const QString& path = recentPaths_[i];
        QString name = QFileInfo(path).fileName();
        if (name.endsWith(designSuffix))
            name.chop(designSuffix.size());
        const bool isThere = QFileInfo::exists(path);
        const QString folder = shortPath(QFileInfo(path).absolutePath());
        auto* tile = new PictureTile(name, isThere ? folder : tr("%1: not there any more").arg(folder));
        tile->setObjectName(QString("startRecent%1").arg(i));
        tile->setToolTip(path);
        tile->setEnabled(isThere);
        connect(tile, &PictureTile::clicked, this, [this, path] { files_.open(path); });
        recent_ << tile;
    }
    recentHeading_->setVisible(!recent_.isEmpty());
    columns_ = 0;
    arrange();
    if (isVisible())
        drawPictures();
}

void StartPage::arrange()
{
    const int tile = begin_.front()->sizeHint().width() + spacing;
    const int columns = std::clamp((viewport()->width() - 80 + spacing) / tile, 1, mostColumns);
    if (columns == columns_)
        return;
    columns_ = columns;
    const auto lay = [columns](QGridLayout& grid, const QList<PictureTile*>& tiles) {
        for (qsizetype i = 0; i < tiles.size(); ++i) {
            const auto at = static_cast<int>(i);
            grid.addWidget(tiles[i], at / columns, at % columns);
        }
    };
    lay(*beginGrid_, begin_);
    lay(*recentGrid_, recent_);
}

QImage StartPage::pictureOf(const Design& design, const PictureTile& tile) const
{
    QImage image(tile.pictureSize() * devicePixelRatioF(), QImage::Format_ARGB32_Premultiplied);
    image.setDevicePixelRatio(devicePixelRatioF());
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paintMiniature(painter, QRectF({ 0, 0 }, tile.pictureSize()), figuresFor(design), themeOf(this));
    return image;
}

void StartPage::drawPictures()
{
    Design empty = emptyDesign(pipeline(PlacementKind::V, 4, 8, 8));
    std::get<BuildingBlock>(empty.plan).interval = 6;
    std::get<BuildingBlock>(empty.plan).passes = { { DeviceId(0), { { StageId(0), {}, PassKind::F }, {} }, 0 } };
    begin_[0]->setPicture(pictureOf(empty, *begin_[0]));
    const Design vHalf = *findInLibrary("v-half")->make({}).design;
    begin_[1]->setPicture(pictureOf(vHalf, *begin_[1]));
    LibraryRequest request;
    request.devices = 8;
    request.microBatches = 16;
    begin_[2]->setPicture(pictureOf(*findInLibrary("1f1b")->make(request).design, *begin_[2]));
    for (qsizetype i = 0; i < recent_.size(); ++i)
        if (recent_[i]->isEnabled())
            miniatures_.request(recentPaths_[i], recent_[i]->pictureSize(), devicePixelRatioF(), themeOf(this).dark);
}

void StartPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && isVisible())
        drawPictures();
    QScrollArea::changeEvent(event);
}

void StartPage::resizeEvent(QResizeEvent* event)
{
    QScrollArea::resizeEvent(event);
    arrange();
}

void StartPage::showEvent(QShowEvent* event)
{
    fillRecent(); // files may have come or gone
    drawPictures();
    QScrollArea::showEvent(event);
}

} // namespace pipeloom::designer
