// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// A design as a small picture without words: the block above, the schedule below. For recent files and tiles.

#include "app/designer/figures/figures.h"
#include "app/designer/style/theme.h"

#include <QImage>
#include <QPainter>
#include <QThreadPool>

#include <atomic>

namespace pipeloom::designer {

/// Paints into the area. A block without passes shows its rows and interval.
void paintMiniature(QPainter& painter, const QRectF& area, const Figures& figures, const Theme& theme);

/// What a miniature needs, without a document.
[[nodiscard]] Figures figuresFor(Design design);

/// Makes miniatures of files on a worker thread.
class MiniatureMaker : public QObject {
    Q_OBJECT
public:
    explicit MiniatureMaker(QObject* parent = nullptr);
    ~MiniatureMaker() override;

    /// `ready` follows; not for files that cannot be read or are too large to be read for a picture.
    void request(const QString& path, QSize size, double devicePixelRatio, bool dark);

Q_SIGNALS:
    void ready(const QString& path, const QImage& image);

private:
    QThreadPool pool_; ///< one thread
    std::atomic_bool ends_ = false;
};

} // namespace pipeloom::designer
