// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/export/figure_export.h"
#include "app/designer/export/quantities.h"
#include "app/designer/figures/live_figures.h"
#include "core/library/library.h"
#include "tests/designer/window_test_main.h"

#include <QPdfWriter>
#include <QTemporaryDir>
#include <QXmlStreamReader>

using namespace pipeloom;
using namespace pipeloom::designer;

namespace {

Figures figuresOf(const Design& design)
{
    Document document;
    document.reset(design, {});
    return *LiveFigures(document).figures();
}

Figures vHalf(int devices = 4, int microBatches = 8)
{
    LibraryRequest request;
    request.devices = devices;
    request.microBatches = microBatches;
    return figuresOf(*findInLibrary("v-half")->make(request).design);
}

/// All texts of an SVG by element; empty if it is no well-formed XML.
QHash<QString, QStringList> textsOf(const QByteArray& svg)
{
    QHash<QString, QStringList> texts;
    QXmlStreamReader reader(svg);
    QString element;
    while (!reader.atEnd()) {
        reader.readNext();
        if (reader.isStartElement())
            element = reader.name().toString();
        if (reader.isCharacters() && !reader.isWhitespace())
            texts[element] << reader.text().toString().trimmed();
    }
    return reader.hasError() ? QHash<QString, QStringList>() : texts;
}

/// CIE lightness of a grey, 0 to 100.
double lightness(const QColor& colour)
{
    const double y = std::pow(colour.redF(), 2.2);
    return y > 0.008856 ? 116 * std::cbrt(y) - 16 : 903.3 * y;
}

} // namespace

class FigureTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void svgHasEveryLabelAsTextAndItsParameters();
    void pdfHasTheChosenPaperWidth_data();
    void pdfHasTheChosenPaperWidth();
    void pngHasTheRightSizeAndShowsPasses();
    void kindsDifferInLightnessWithoutColour();
    void aBrokenDesignIsRefusedWithTheReason();
    void whatIsTooLargeOrCannotBeWrittenIsToldAndLeavesNothing();
    void aCancelledExportLeavesNothing();
    void manyDevicesShareTheHeight();
    void captionsHaveTheFigures();
    void aPairAndRoutesAreDrawn();
};

void FigureTest::svgHasEveryLabelAsTextAndItsParameters()
{
    const Figures figures = vHalf();
    FigureOptions options;
    options.width = 1600;
    options.title = "V-Half & others";
    const auto texts = textsOf(figureSvg(figures, options));
    QVERIFY(texts.contains("text"));
    QStringList labels = texts.value("text");
    for (int stage = 0; stage < 8; ++stage)
        for (const char* kind : { "F", "B", "W" })
            QVERIFY2(labels.contains(QString::number(stage) + kind), kind);
    for (int number = 0; number < 8; ++number)
        for (const char* kind : { "F", "B", "W" })
            QCOMPARE(labels.count(kind + QString::number(number)), 8); // once for each stage
    QVERIFY(labels.contains("dev 3"));
    QVERIFY(labels.contains("V-Half & others"));
    QCOMPARE(texts.value("title"), QStringList { "V-Half & others" });
    QCOMPARE(texts.value("desc"), QStringList { captionText(figures) });
}

void FigureTest::pdfHasTheChosenPaperWidth_data()
{
    QTest::addColumn<double>("mm");
    QTest::newRow("one column") << 84.0;
    QTest::newRow("two columns") << 174.0;
}

void FigureTest::pdfHasTheChosenPaperWidth()
{
    QFETCH(double, mm);
    QTemporaryDir folder;
    const QString path = folder.filePath("figure.pdf");
    FigureOptions options;
    options.width = pixelsOfMm(mm);
    const Figures figures = vHalf();
    QVERIFY(exportFigure(figures, options, path, FigureFormat::Pdf).empty());
    QFile file(path);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray pdf = file.readAll();
    QVERIFY(pdf.startsWith("%PDF-"));
    const auto match = QRegularExpression("/MediaBox \\[([0-9. ]+)\\]").match(QString::fromLatin1(pdf));
    QVERIFY(match.hasMatch());
    const QStringList box = match.captured(1).simplified().split(' ');
    QCOMPARE(box.size(), 4);
    QVERIFY2(std::abs(box[2].toDouble() / 72 * 25.4 - mm) < 0.4, qPrintable(match.captured(1)));
    QVERIFY(std::abs(box[3].toDouble() / 72 * 96 - figureSize(figures, options).height()) < 1.5);
}

void FigureTest::pngHasTheRightSizeAndShowsPasses()
{
    QTemporaryDir folder;
    const QString path = folder.filePath("figure.png");
    FigureOptions options;
    options.width = 700;
    const Figures figures = vHalf();
    QVERIFY(exportFigure(figures, options, path, FigureFormat::Png, 3).empty());
    const QImage image(path);
    QCOMPARE(image.width(), 2100);
    QCOMPARE(image.height(), qRound(3 * figureSize(figures, options).height()));
    QHash<QRgb, int> pixels;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            ++pixels[image.pixel(x, y)];
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W })
        QVERIFY2(pixels.value(lightTheme().of(kind).fill.rgb()) > 1000, text(kind));
    QVERIFY(image.text("Description").contains("53 ticks"));
}

void FigureTest::kindsDifferInLightnessWithoutColour()
{
    const Theme grey = inGreyscale(lightTheme());
    std::vector<double> levels;
    for (const PassKind kind : { PassKind::F, PassKind::B, PassKind::W }) {
        const QColor fill = grey.of(kind).fill;
        QCOMPARE(fill.red(), fill.green());
        QCOMPARE(fill.green(), fill.blue());
        levels.push_back(lightness(fill));
    }
    QVERIFY2(levels[1] - levels[0] > 15, "F and B");
    QVERIFY2(levels[2] - levels[1] > 15, "B and W");
    FigureOptions options;
    options.greyscale = true;
    const QImage image = figureImage(vHalf(), options, 1);
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
            const QRgb pixel = image.pixel(x, y);
            QVERIFY(qRed(pixel) == qGreen(pixel) && qGreen(pixel) == qBlue(pixel));
        }
}

void FigureTest::aBrokenDesignIsRefusedWithTheReason()
{
    QVERIFY(exportProblem(vHalf()).isEmpty());
    Design missing = *vHalf().design;
    std::get<BuildingBlock>(missing.plan).passes.pop_back();
    QVERIFY2(exportProblem(figuresOf(missing)).contains("23 of 24 passes are placed"),
        qPrintable(exportProblem(figuresOf(missing))));
    Design colliding = *vHalf().design;
    std::get<BuildingBlock>(colliding.plan).interval = 5;
    const Figures figures = figuresOf(colliding);
    QVERIFY(figures.standing != Standing::Whole);
    QVERIFY(!exportProblem(figures).isEmpty());
    Figures pending = vHalf();
    pending.pending = true;
    QVERIFY(!exportProblem(pending).isEmpty());
}

void FigureTest::whatIsTooLargeOrCannotBeWrittenIsToldAndLeavesNothing()
{
    QTemporaryDir folder;
    const Findings tooLarge = exportFigure(vHalf(), {}, folder.filePath("a.png"), FigureFormat::Png, 40);
    QCOMPARE(tooLarge.size(), std::size_t { 1 });
    QCOMPARE(tooLarge.front().rule, std::string("export/size"));
    for (const FigureFormat format : { FigureFormat::Pdf, FigureFormat::Svg, FigureFormat::Png }) {
        const Findings unwritable = exportFigure(vHalf(), {}, folder.filePath("no/a"), format);
        QCOMPARE(unwritable.size(), std::size_t { 1 });
        QCOMPARE(unwritable.front().rule, std::string("export/write"));
    }
    QVERIFY(QDir(folder.path()).isEmpty());
}

void FigureTest::aCancelledExportLeavesNothing()
{
    QTemporaryDir folder;
    const std::atomic_bool cancelled = true;
    FigureOptions options;
    options.cancelled = &cancelled;
    QVERIFY(exportFigure(vHalf(), options, folder.filePath("a.pdf"), FigureFormat::Pdf).empty());
    QVERIFY(QDir(folder.path()).isEmpty());
}

void FigureTest::manyDevicesShareTheHeight()
{
    const FigureOptions options;
    const double few = figureSize(vHalf(4), options).height();
    const double many = figureSize(vHalf(64, 64), options).height();
    QVERIFY(few > 200);
    QVERIFY2(many < 4 * few, qPrintable(QString::number(many)));
    QCOMPARE(passCount(vHalf(64, 64), FigureOptions::What::Schedule), std::int64_t { 128 } * 3 * 64);
}

void FigureTest::captionsHaveTheFigures()
{
    const QString caption = captionText(vHalf());
    QCOMPARE(caption,
        QString("4 devices · 8 stages (V) · 8 micro-batches · 53 ticks (53 ms) · idle 9.4 % · own-span bubble 9.4 % · "
                "peak 6 activations"));
    QCOMPARE(amountText(1, MemoryUnit::Activation), QString("1 activation"));
    QCOMPARE(amountText(1'500'000'000, MemoryUnit::Byte), QString("1.50 GB"));
    QCOMPARE(timeText(1457, 1000), QString("1.457 s"));
}

void FigureTest::aPairAndRoutesAreDrawn()
{
    for (const char* name : { "dualpipev", "chimera", "two-in-a-block", "wide-middle" }) {
        Document document;
        const QString path = QString(PIPELOOM_SOURCE_DIR "/resources/designs/%1.pipeloom.json").arg(name);
        QVERIFY(document.open(path).empty());
        const FiguresPtr figures = LiveFigures(document).figures();
        FigureOptions options;
        options.width = 1400;
        const auto texts = textsOf(figureSvg(*figures, options));
        QVERIFY2(texts.value("text").contains("dev 0"), name);
        const QImage image = figureImage(*figures, options, 1);
        QVERIFY2(image.width() == 1400 && image.height() > 150, name);
    }
}

PIPELOOM_WINDOW_TEST_MAIN(FigureTest)
#include "figure_test.moc"
