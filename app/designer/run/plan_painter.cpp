// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/run/plan_painter.h"

#include "app/designer/run/lateness.h"
#include "app/designer/run/plan_text.h"
#include "app/designer/schedule/memory_raster.h"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace pipeloom::designer {

namespace {

ColourMode modeOf(RunColours colours)
{
    return colours == RunColours::MicroBatch ? ColourMode::MicroBatch
        : colours == RunColours::Stage       ? ColourMode::Stage
                                             : ColourMode::Kind;
}

class Painting {
public:
    Painting(QImage& image, const PlanScene& scene, PlanPainter::Labels& labels)
        : image_(image)
        , scene_(scene)
        , theme_(*scene.theme)
        , labels_(labels)
        , tones_(theme_, modeOf(scene.colours))
        , lateness_(latenessTones(theme_))
        , raster_(image, scene.ratio)
        , pixelMap_ { scene.map.begin, scene.map.pixelsPerTick * scene.ratio }
    {
        tones_.setGrades(lateness_);
        for (std::size_t kind = 0; kind < passKinds; ++kind)
            edges_[kind] = outlineColour({ {}, {}, static_cast<PassKind>(kind) }, RunColours::Kind, theme_).rgb();
        for (std::size_t k = 0; k < 3; ++k)
            paler_[k] = mixed(QColor(tones_.shares()[k]), theme_.panel, 0.45).rgb();
    }

    void run()
    {
        image_.fill(theme_.panel);
        for (std::int32_t row = scene_.firstRow(); row < scene_.endRow(); ++row)
            drawRow(row);
        QPainter painter(&image_);
        drawPassLabels(painter);
        drawLabels(painter);
        drawRulerOf(painter);
    }

private:
    int pixels(double x) const { return static_cast<int>(std::lround(x * scene_.ratio)); }

    PixelRect plotBand(double top, double height) const
    {
        const int y = pixels(top);
        return { pixels(scene_.labelWidth), y, image_.width() - pixels(scene_.labelWidth), pixels(top + height) - y };
    }

    int columnOf(Ticks time, int width) const
    {
        return static_cast<int>(std::lround(std::clamp(pixelMap_.xOf(time), 0.0, static_cast<double>(width))));
    }

    void fillSpan(const PixelRect& area, Ticks from, Ticks to, const QColor& colour)
    {
        const int left = columnOf(from, area.width);
        const int right = columnOf(to, area.width);
        fillPixels(image_, { area.x + left, area.y, right - left, area.height }, colour.rgb());
    }

    void drawRow(std::int32_t row)
    {
        const PlanBands bands = scene_.bandsAt(row);
        fillPixels(image_, { 0, pixels(bands.top + bands.height) - 1, image_.width(), 1 }, theme_.border.rgb());
        drawPlanned(row, plotBand(bands.planTop, bands.planHeight));
        drawActual(row, plotBand(bands.passTop, bands.passHeight));
        if (bands.memoryHeight > 0)
            drawMemory(DeviceId { row }, plotBand(bands.memoryTop, bands.memoryHeight));
    }

    void drawPlanned(std::int32_t device, const PixelRect& area)
    {
        const TimelineRow row = scene_.planned(device);
        if (row.passes.empty())
            return;
        fillSpan(area, 0, scene_.picture->plan()->makespan, theme_.idle);
        if (rowDetail(row, scene_.map.pixelsPerTick) == PassDetail::Strip) {
            raster_.drawStrip(row, pixelMap_, area, paler_);
            return;
        }
        const RowPlace place = scene_.plannedPlace(device);
        const double end = scene_.map.timeAt(scene_.plotWidth());
        for (std::size_t i = row.firstAfter(scene_.map.begin); i < row.passes.size(); ++i) {
            if (static_cast<double>(row.passes[i].start) >= end)
                break;
            const QRgb edge = scene_.colours == RunColours::Kind || scene_.colours == RunColours::Lateness
                ? edges_[pipeloom::index(row.passes[i].pass.kind)]
                : outlineColour(row.passes[i].pass, scene_.colours, theme_).rgb();
            drawOutline(place.rectOf(row, i), area.x, edge);
        }
    }

    void drawOutline(const QRectF& rect, int plotLeft, QRgb colour)
    {
        const int thin = std::max(1, static_cast<int>(std::lround(scene_.ratio)));
        const int left = pixels(rect.left());
        const int right = pixels(rect.right());
        const int top = pixels(rect.top());
        const int height = pixels(rect.bottom()) - top;
        const auto fill = [&](int x, int y, int width, int tall) {
            const int from = std::max(x, plotLeft);
            fillPixels(image_, { from, y, x + width - from, tall }, colour);
        };
        fill(left, top, right - left, thin);
        fill(left, top + height - thin, right - left, thin);
        fill(left, top, std::min(thin, right - left), height);
        fill(std::max(right - thin, left), top, std::min(thin, right - left), height);
    }

    void drawActual(std::int32_t device, const PixelRect& area)
    {
        const TimelineRow row = scene_.actual(device);
        // Where nothing has run yet it is empty ground; what the step has come to is idle unless a pass covers it.
        if (scene_.picture->step())
            fillSpan(area, 0, scene_.picture->end(), theme_.idle);
        drawTransfers(DeviceId { device }, area);
        if (row.passes.empty())
            return;
        const PassDetail detail = rowDetail(row, scene_.map.pixelsPerTick);
        if (detail != PassDetail::Strip)
            raster_.drawPasses(row, pixelMap_, area, tones_, detail);
        else if (scene_.colours == RunColours::Lateness)
            drawLateStrip(row, area);
        else
            raster_.drawStrip(row, pixelMap_, area, tones_.shares());
    }

    /// Hatched where the device waited for something that was on its way.
    void drawTransfers(DeviceId device, const PixelRect& area)
    {
        const std::vector<RunGap>& gaps = scene_.picture->gaps(device);
        const auto begin = scene_.map.begin;
        auto gap
            = std::ranges::partition_point(gaps, [&](const RunGap& g) { return static_cast<double>(g.to) < begin; });
        spans_.clear();
        const double end = scene_.map.timeAt(scene_.plotWidth());
        for (; gap != gaps.end() && static_cast<double>(gap->from) < end; ++gap)
            if (gap->why == RunGap::Why::Transfer)
                spans_.push_back({ gap->from, gap->to });
        drawHatching(image_, spans_, pixelMap_, area, theme_, scene_.ratio, 0);
    }

    /// Busy shares as high as ever, each column in the tone of its passes' mean lateness.
    void drawLateStrip(const TimelineRow& row, const PixelRect& area)
    {
        const auto columns = static_cast<std::size_t>(std::max(area.width, 0));
        averagedShares(row, pixelMap_, columns, shares_);
        weight_.assign(columns, 0);
        grade_.assign(columns, 0);
        const double end = scene_.map.timeAt(scene_.plotWidth());
        for (std::size_t i = row.firstAfter(scene_.map.begin); i < row.passes.size(); ++i) {
            if (static_cast<double>(row.passes[i].start) >= end)
                break;
            const auto middle = static_cast<double>(row.passes[i].start + row.passes[i].end) / 2;
            const double x = pixelMap_.xOf(middle);
            if (x < 0 || x >= static_cast<double>(columns))
                continue;
            grade_[static_cast<std::size_t>(x)] += static_cast<float>(row.grades[i]);
            weight_[static_cast<std::size_t>(x)] += 1;
        }
        float grade = RunPicture::onTime;
        for (std::size_t x = 0; x < columns; ++x) {
            if (weight_[x] > 0)
                grade = grade_[x] / weight_[x]; // columns between two passes take that of the one before
            const int tall
                = static_cast<int>(std::lround(std::min(shares_[x].busy(), 1.0F) * static_cast<float>(area.height)));
            const auto at = static_cast<std::size_t>(std::lround(grade));
            fillPixels(
                image_, { area.x + static_cast<int>(x), area.y + area.height - tall, 1, tall }, lateness_[at].fill);
        }
    }

    void drawMemory(DeviceId device, const PixelRect& area)
    {
        const RunPicture& picture = *scene_.picture;
        if (!picture.hasMemory())
            return;
        const RunMemory& memory = picture.memory(device);
        const MemoryMarks marks { picture.memoryScale(), memory.limit };
        const auto columns = static_cast<std::size_t>(std::max(area.width, 0));
        columnLevels(memory.measured, picture.end(), pixelMap_, columns, levels_);
        drawMemoryCurve(image_, levels_, area, marks, theme_, scene_.ratio, 0);
        const Ticks planEnd = picture.plan() ? picture.plan()->makespan : 0;
        columnLevels(memory.predicted, planEnd, pixelMap_, columns, levels_);
        drawLevelDashes(image_, levels_, area, marks, theme_.muted.rgb(), scene_.ratio);
        if (memory.measured.empty() && memory.measuredPeak) {
            // Nothing is known but how high it came: a mark over the step.
            levels_.assign(columns, {});
            for (int x = columnOf(0, area.width); x < columnOf(picture.end(), area.width); ++x)
                levels_[static_cast<std::size_t>(x)].most = *memory.measuredPeak;
            drawLevelLine(image_, levels_, area, marks, theme_.memoryLine.rgb(), scene_.ratio);
        }
    }

    void drawPassLabels(QPainter& painter)
    {
        std::vector<PassLabels::LabelledRow> rows;
        for (std::int32_t row = scene_.firstRow(); row < scene_.endRow(); ++row)
            rows.push_back({ scene_.actual(row), scene_.actualPlace(row) });
        // Colours may not tell the kind, so it is written wherever it fits: smaller, if it must be.
        double mean = 0;
        for (const PassLabels::LabelledRow& each : rows)
            mean = std::max(mean, each.row.meanTicks * scene_.map.pixelsPerTick);
        constexpr double roomy = 20;
        (mean >= roomy ? labels_.normal : labels_.small)
            .draw(painter, std::move(rows),
                QRectF(scene_.labelWidth, PlanScene::rulerHeight, scene_.plotWidth(), scene_.height), tones_);
    }

    void drawLabels(QPainter& painter);
    void drawRulerOf(QPainter& painter);

    QImage& image_;
    const PlanScene& scene_;
    const Theme& theme_;
    PlanPainter::Labels& labels_;
    PassTones tones_;
    std::vector<PassTone> lateness_;
    PassRaster raster_;
    TimeMap pixelMap_; ///< of device pixels
    std::array<QRgb, passKinds> edges_ {};
    std::array<QRgb, 3> paler_ {}; ///< F, B, W of the plan's strips
    std::vector<ColumnLevel> levels_;
    std::vector<ColumnShares> shares_;
    std::vector<float> grade_;
    std::vector<float> weight_;
    std::vector<HatchedSpan> spans_;
};

void Painting::drawLabels(QPainter& painter)
{
    painter.fillRect(QRectF(0, PlanScene::rulerHeight, scene_.labelWidth, scene_.height), theme_.panel);
    const int namePixels = std::clamp(static_cast<int>(scene_.rowHeight) - 2, 8, 12);
    const QFont name = uiFont(namePixels, QFont::DemiBold);
    const QFont small = uiFont(11);
    const auto line = [&](double y, const QString& text, const QFont& font, const QColor& colour) {
        painter.setFont(font);
        painter.setPen(colour);
        painter.drawText(QRectF(10, y, scene_.labelWidth - 12, 16), Qt::AlignLeft | Qt::AlignVCenter,
            QFontMetricsF(font).elidedText(text, Qt::ElideRight, scene_.labelWidth - 12));
    };
    for (std::int32_t row = scene_.firstRow(); row < scene_.endRow(); ++row) {
        const PlanBands bands = scene_.bandsAt(row);
        painter.fillRect(
            QRectF(0, bands.top + bands.height - 1 / scene_.ratio, scene_.labelWidth, 1 / scene_.ratio), theme_.border);
        const PlanLabel& label = (*scene_.labels)[static_cast<std::size_t>(row)];
        if (scene_.rowHeight < 40) {
            line(bands.top + bands.height / 2 - 8, label.name, name, theme_.text);
            continue;
        }
        line(bands.planTop + bands.planHeight / 2 - 7, label.name, name, theme_.text);
        line(bands.passTop + bands.passHeight / 2 - 9, label.process, small, theme_.muted);
        if (bands.memoryHeight >= 30 && !label.memory.isEmpty()) {
            const double y = bands.memoryTop + bands.memoryHeight / 2 - 15;
            line(y, QCoreApplication::translate("pipeloom::designer::PlanView", "memory"), small, theme_.muted);
            line(y + 14, label.memory, small, theme_.muted);
        } else if (bands.memoryHeight >= 14) {
            line(bands.memoryTop + bands.memoryHeight / 2 - 8, label.memory, small, theme_.muted);
        }
    }
}

void Painting::drawRulerOf(QPainter& painter)
{
    const RowPlace place { scene_.map, scene_.labelWidth, scene_.plotWidth(), 0, PlanScene::rulerHeight, scene_.ratio };
    const RulerSteps steps = rulerSteps(scene_.map);
    const TimeUnit unit = unitFor(static_cast<Ticks>(scene_.map.timeAt(scene_.plotWidth())));
    int decimals = 0;
    for (Ticks whole = unit.nanos; whole > 1 && steps.step % whole != 0; whole /= 10)
        ++decimals;
    const QLocale locale;
    drawRuler(painter, place, steps.step, steps.minor, theme_, [&](Ticks time) {
        return locale.toString(static_cast<double>(time) / static_cast<double>(unit.nanos), 'f', decimals);
    });
    painter.setFont(uiFont(11));
    painter.setPen(theme_.muted);
    painter.drawText(QRectF(0, 1, scene_.labelWidth - 10, 18), Qt::AlignRight | Qt::AlignVCenter, unit.name);
}

} // namespace

RulerSteps rulerSteps(const TimeMap& map)
{
    return { rulerStep(map.pixelsPerTick, 60, 1), rulerStep(map.pixelsPerTick, 7, 1) };
}

QColor outlineColour(const Pass& pass, RunColours colours, const Theme& theme)
{
    if (colours == RunColours::MicroBatch)
        return mixed(colourOfNumber(pass.microBatch.value).fill, theme.text, 0.15);
    if (colours == RunColours::Stage)
        return mixed(colourOfNumber(pass.stage.value).fill, theme.text, 0.15);
    return theme.of(pass.kind).edge;
}

double planLabelWidth(const std::vector<PlanLabel>& labels)
{
    double widest = 62;
    const QFontMetricsF small(uiFont(11));
    for (const PlanLabel& label : labels)
        widest = std::max({ widest, small.horizontalAdvance(label.process), small.horizontalAdvance(label.memory) });
    // In steps, so that the plot does not move with every digit.
    return std::ceil(std::min(widest, 150.0) / 10) * 10 + 20;
}

void PlanPainter::paint(QImage& image, const PlanScene& scene)
{
    const QSize size(static_cast<int>(std::lround(scene.width * scene.ratio)),
        static_cast<int>(std::lround(scene.height * scene.ratio)));
    if (image.size() != size || image.format() != QImage::Format_RGB32)
        image = QImage(size, QImage::Format_RGB32);
    image.setDevicePixelRatio(scene.ratio);
    Painting(image, scene, labels_).run();
}

} // namespace pipeloom::designer
