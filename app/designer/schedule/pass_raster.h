// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Writes the passes of a row straight into an image: one line of pixels for each different line of a pass (edge, body,
// underlines), copied down. A row costs its pixels, however many passes they are; the look is that of drawPass.

#include "app/designer/schedule/pass_tones.h"
#include "app/designer/schedule/row_strip.h"
#include "app/designer/schedule/timeline_scene.h"

#include <QImage>

#include <array>
#include <vector>

namespace pipeloom::designer {

/// Whole device pixels.
struct PixelRect {
    int x = 0;
    int y = 0;
    int width = 0;
    int height = 0;
};

/// Fills what of it lies in the image.
void fillPixels(QImage& image, const PixelRect& rect, QRgb colour);

/// How passes of a row are drawn, by their mean width: shares of pixel columns, plain boxes, or boxes with edge and label.
enum class PassDetail : std::uint8_t { Strip, Plain, Labelled };
/// `meanPixels`: device-independent width of the row's mean pass.
[[nodiscard]] PassDetail passDetail(double meanPixels);

class PassRaster {
public:
    /// `image` 32 bit RGB; its bits are written, so no painter may be open on it. `map`: of device pixels from `area.x` on.
    PassRaster(QImage& image, double devicePixelRatio)
        : image_(image)
        , ratio_(devicePixelRatio)
    {
    }
    void drawPasses(
        const TimelineRow& row, const TimeMap& map, const PixelRect& area, const PassTones& tones, PassDetail detail);
    /// Shares stacked from below, F, B, W.
    void drawStrip(
        const TimelineRow& row, const TimeMap& map, const PixelRect& area, const std::array<QRgb, 3>& colours);

private:
    /// The different lines of a pass, from above.
    enum Line : std::uint8_t {
        Top,
        Upper,
        MiddleAbove,
        MiddleBelow,
        Lower,
        Band,
        Underline1,
        Underline2,
        Underline3,
        Bottom,
    };
    static constexpr std::size_t lines = Bottom + 1;

    void layOut(int height, PassDetail detail);
    void write(Line line, int from, int to, QRgb colour);
    /// `weights`: of the band of a BW; null: it has none.
    void writePass(
        int from, int to, const Pass& pass, std::int32_t chunk, const PassTone& tone, const PassTone* weights);
    void writeHalf(int from, int to, bool above, const PassTone& tone);
    [[nodiscard]] int scaled(double pixels) const;

    QImage& image_;
    double ratio_;
    int width_ = 0;
    int edge_ = 0;                     ///< width of a pass's edge; 0: none at this height
    std::vector<std::uint8_t> lineAt_; ///< by pixel row of a pass: which line it is
    std::array<bool, lines> isUsed_ {};
    std::array<bool, lines> inBand_ {}; ///< an underline's line that lies in the band of W
    std::array<std::vector<QRgb>, lines> buffer_;
    std::vector<ColumnShares> shares_;
    std::array<std::vector<int>, 3> tops_; ///< of the stacks of F, B and W, by column
};

} // namespace pipeloom::designer
