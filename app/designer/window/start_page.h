// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// What the window shows while nothing is open: ways to begin, and the files used last with small pictures of them.

#include "app/designer/export/miniature.h"

#include <QScrollArea>

class QGridLayout;
class QLabel;

namespace pipeloom::designer {

class FileActions;
class PictureTile;

class StartPage : public QScrollArea {
    Q_OBJECT
public:
    /// Tiles do what the file actions do; recent files are followed.
    explicit StartPage(FileActions& files, QWidget* parent = nullptr);

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    void addBeginnings();
    void fillRecent();
    void arrange();
    void drawPictures();
    [[nodiscard]] QImage pictureOf(const Design& design, const PictureTile& tile) const;

    FileActions& files_;
    MiniatureMaker miniatures_;
    QWidget* page_;
    QGridLayout* beginGrid_;
    QGridLayout* recentGrid_;
    QLabel* recentHeading_;
    QList<PictureTile*> begin_;
    QList<PictureTile*> recent_;
    QStringList recentPaths_; ///< as in recent_
    int columns_ = 0;
};

} // namespace pipeloom::designer
