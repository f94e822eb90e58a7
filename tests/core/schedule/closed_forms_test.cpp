// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// The papers' closed forms, exactly, from the blocks of the library (SCHEDULES.md 1.6 and 3.1; arXiv 2405.15362, 2401.10241).

#include "core/library/library.h"
#include "core/schedule/reorder.h"
#include "core/schedule/repeat.h"
#include "tests/support/sanitizers.h"

#include <QtTest>

#include <algorithm>

using namespace pipeloom;

namespace {

struct Made {
    OrderFigures squeezed;
    OrderFigures reordered; ///< the same as squeezed for designs without reorder rules
    Bytes squeezedPeak = 0;
    Bytes peak = 0;
    std::vector<std::optional<Bytes>> bounds;
};

Made make(const char* name, std::int32_t p, std::int32_t m, std::int32_t chunks = 0)
{
    LibraryRequest request;
    request.devices = p;
    request.microBatches = m;
    request.chunks = chunks;
    const LibraryDesign made = findInLibrary(name)->make(request);
    const Design& design = made.design.value();
    Made figures;
    figures.bounds = bounds(*design.block(), design.pipeline, design.memory);
    Reorderer reorderer;
    reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
    const Schedule order = repeatedOrder(*design.block(), design.pipeline);
    if (!reorderer.squeeze(order, figures.squeezed))
        throw std::logic_error("a library schedule does not run");
    figures.reordered = figures.squeezed;
    if (design.reorder)
        (void)reorderer.reorder(order, *design.reorder, figures.reordered);
    figures.squeezedPeak = *std::max_element(figures.squeezed.peak.begin(), figures.squeezed.peak.end());
    figures.peak = *std::max_element(figures.reordered.peak.begin(), figures.reordered.peak.end());
    return figures;
}

} // namespace

class ClosedFormsTest : public QObject {
    Q_OBJECT

    static void eachPipelineLength()
    {
        QTest::addColumn<int>("p");
        for (int p = 3; p <= 64; p += test::sanitized ? 13 : 1)
            QTest::addRow("p=%d", p) << p;
    }
    /// Many for short pipelines; few for long ones, where a step has up to a hundred thousand passes.
    static std::vector<int> microBatches(int p, int from)
    {
        if (p > 32)
            return { from, from + 1 };
        return { from, from + 1, from + 3, 2 * from, 3 * from + 2 };
    }

    static void peaksStayWithinBounds(const Made& made)
    {
        for (std::size_t d = 0; d < made.bounds.size(); ++d)
            QVERIFY(made.squeezed.peak[d] <= made.bounds[d].value());
    }

private Q_SLOTS:
    void libraryBlocksAreLegal_data() { eachPipelineLength(); }
    void libraryBlocksAreLegal()
    {
        QFETCH(int, p);
        for (const LibraryEntry& entry : library()) {
            LibraryRequest request;
            request.devices = p;
            request.microBatches = 2 * p;
            const LibraryDesign made = entry.make(request);
            QVERIFY2(made.design && made.findings.empty(), entry.name.data());
            const Findings findings = check(*made.design->block(), made.design->pipeline);
            QVERIFY2(findings.empty(), findings.empty() ? "" : text(findings.front()).c_str());
        }
    }

    void gpipe_data() { eachPipelineLength(); }
    void gpipe()
    {
        QFETCH(int, p);
        for (const int m : { 1, p / 2, p, 2 * p + 1 }) {
            const Made made = make("gpipe", p, m);
            QCOMPARE(made.squeezed.makespan, Ticks { 3 } * (m + p - 1));
            QCOMPARE(made.squeezed.peak, std::vector<Bytes>(static_cast<std::size_t>(p), m));
        }
    }

    void oneFOneB_data() { eachPipelineLength(); }
    void oneFOneB()
    {
        QFETCH(int, p);
        for (const int m : { 1, p / 2, p, 2 * p + 1 }) {
            const Made made = make("1f1b", p, m);
            QCOMPARE(made.squeezed.makespan, Ticks { 3 } * (m + p - 1));
            for (int d = 0; d < p; ++d)
                QCOMPARE(made.squeezed.peak[static_cast<std::size_t>(d)], Bytes { std::min(m, p - d) });
            peaksStayWithinBounds(made);
        }
    }

    void interleaved_data() { eachPipelineLength(); }
    void interleaved()
    {
        QFETCH(int, p);
        for (const int v : { 2, 4 })
            for (const int m : p > 16 ? std::vector { 2 * p } : std::vector { 2 * p, 4 * p }) {
                const Made made = make("interleaved-1f1b", p, m, v);
                // A pass of a chunk is one tick: v of them make a full device share.
                QCOMPARE(made.squeezed.makespan, Ticks { 3 } * (v * m + p - 1));
                QCOMPARE(made.squeezedPeak, Bytes { std::min(v * p + p - 1, v * m) });
                peaksStayWithinBounds(made);
            }
    }

    void zbH1_data() { eachPipelineLength(); }
    void zbH1()
    {
        QFETCH(int, p);
        for (const int m : microBatches(p, p)) {
            const Made made = make("zb-h1", p, m);
            QCOMPARE(made.squeezed.makespan, Ticks { 3 } * m + p - 1);
            QCOMPARE(made.squeezed.peak, std::vector<Bytes>(static_cast<std::size_t>(p), std::min(p, m)));
            peaksStayWithinBounds(made);
        }
    }

    void zbH2_data() { eachPipelineLength(); }
    void zbH2()
    {
        QFETCH(int, p);
        for (const int m : microBatches(p, 2 * p - 1)) {
            const Made made = make("zb-h2", p, m);
            QCOMPARE(made.squeezed.makespan, Ticks { 3 } * m + p - 1);
            QCOMPARE(made.squeezed.ownSpan, Ticks { 3 } * m);
            QVERIFY(made.squeezedPeak <= 2 * p - 1);
            peaksStayWithinBounds(made);
        }
    }

    void vHalf_data() { eachPipelineLength(); }
    void vHalf()
    {
        QFETCH(int, p);
        const int k = 2 * ((p + 2) / 2);
        for (const int m : microBatches(p, p)) {
            const Made made = make("v-half", p, m);
            QCOMPARE(made.reordered.makespan, Ticks { 6 } * m + 6 * p - 3 * k - 1);
            QVERIFY(made.squeezedPeak <= k);
            QVERIFY(made.peak <= k);
            peaksStayWithinBounds(made);
        }
    }

    void vMin_data() { eachPipelineLength(); }
    void vMin()
    {
        QFETCH(int, p);
        const int k = 2 * ((p + 4) / 3);
        for (const int m : microBatches(p, p)) {
            const Made made = make("v-min", p, m);
            QCOMPARE(made.reordered.makespan, Ticks { 6 } * m + 6 * p - 3 * k - 1);
            QVERIFY(made.squeezedPeak <= k);
            QVERIFY(made.peak <= k);
            peaksStayWithinBounds(made);
        }
    }

    void vZb_data() { eachPipelineLength(); }
    void vZb()
    {
        QFETCH(int, p);
        for (const int m : microBatches(p, 2 * p - 1)) {
            const Made made = make("v-zb", p, m);
            QCOMPARE(made.reordered.makespan, Ticks { 6 } * m + p - 1);
            QCOMPARE(made.reordered.ownSpan, Ticks { 6 } * m);
            QVERIFY(made.squeezedPeak <= 2 * p);
            QVERIFY(made.peak <= 2 * p);
            peaksStayWithinBounds(made);
        }
    }

    void fewerMicroBatchesAreValidAndNoWorseThanSqueezed_data() { eachPipelineLength(); }
    void fewerMicroBatchesAreValidAndNoWorseThanSqueezed()
    {
        QFETCH(int, p);
        for (const char* name : { "v-min", "v-half", "v-zb", "zb-h1", "zb-h2" })
            for (const int m : p > 32 ? std::vector { 2, p - 1 } : std::vector { 1, 2, p / 2, p - 1 }) {
                const Made made = make(name, p, std::max(m, 1));
                QVERIFY(made.reordered.makespan <= made.squeezed.makespan);
                QVERIFY(made.peak <= made.squeezedPeak);
                peaksStayWithinBounds(made);
            }
    }

    void squeezedAndReorderedP4RowsOfThePaper_data()
    {
        // SCHEDULES.md 3.2: bubbles in full units (two ticks of a chunk pass each), m = 8. Reordered: at most.
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("f");
        QTest::addColumn<int>("b");
        QTest::addColumn<int>("w");
        QTest::addColumn<double>("squeezedBubble");
        QTest::addColumn<double>("reorderedMakespanBubble");
        QTest::addColumn<double>("reorderedOwnSpanBubble");
        QTest::newRow("V-Min unit") << "v-min" << 1 << 1 << 1 << 5.5 << 5.5 << 5.5;
        QTest::newRow("V-Half unit") << "v-half" << 1 << 1 << 1 << 5.5 << 2.5 << 2.5;
        QTest::newRow("V-ZB unit") << "v-zb" << 1 << 1 << 1 << 2.5 << 1.5 << 0.0;
        QTest::newRow("V-Min 3,4,2") << "v-min" << 3 << 4 << 2 << 41.0 << 33.5 << 33.5;
        QTest::newRow("V-Half 3,4,2") << "v-half" << 3 << 4 << 2 << 22.5 << 13.0 << 13.0;
        QTest::newRow("V-ZB 3,4,2") << "v-zb" << 3 << 4 << 2 << 11.0 << 6.0 << 5.0;
    }
    void squeezedAndReorderedP4RowsOfThePaper()
    {
        QFETCH(QString, name);
        QFETCH(int, f);
        QFETCH(int, b);
        QFETCH(int, w);
        LibraryRequest request;
        request.devices = 4;
        request.microBatches = 8;
        request.f = f;
        request.b = b;
        request.w = w;
        const Design design = findInLibrary(name.toStdString())->make(request).design.value();
        Reorderer reorderer;
        reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
        const Schedule order = repeatedOrder(*design.block(), design.pipeline);
        OrderFigures squeezed, reordered;
        QVERIFY(reorderer.squeeze(order, squeezed));
        (void)reorderer.reorder(order, Reorder {}, reordered);
        const Ticks work = Ticks { 8 } * 2 * (f + b + w);
        QTEST(static_cast<double>(squeezed.makespan - work) / 2, "squeezedBubble");
        QFETCH(double, reorderedMakespanBubble);
        QVERIFY(static_cast<double>(reordered.makespan - work) / 2 <= reorderedMakespanBubble);
        // The own span is the aim of its own: it may be had at the price of the makespan.
        OrderFigures ownSpan;
        (void)reorderer.reorder(order, { ReorderRule::All, ReorderAim::OwnSpan }, ownSpan);
        QFETCH(double, reorderedOwnSpanBubble);
        QVERIFY(static_cast<double>(ownSpan.ownSpan - work) / 2 <= reorderedOwnSpanBubble);
    }

    void repeatingBubblesOfUnequalCostsGrowAsThePaperSays()
    {
        // SCHEDULES.md 1.6: growth of the bubble per micro-batch, in full units: exact when squeezed, upper bounds reordered.
        const std::vector<std::array<int, 3>> triples { { 1, 1, 1 }, { 3, 4, 2 }, { 1, 2, 1 }, { 2, 1, 1 }, { 4, 4, 1 },
            { 2, 3, 3 }, { 5, 2, 1 }, { 1, 3, 1 }, { 6, 7, 2 }, { 2, 2, 5 }, { 3, 1, 4 } };
        for (const auto& [f, b, w] : triples)
            for (const int p : { 4, 6, 8 })
                for (const char* name : { "v-min", "v-half" }) {
                    const auto bubble = [&, f = f, b = b, w = w](int m, bool reorder) {
                        LibraryRequest request;
                        request.devices = p;
                        request.microBatches = m;
                        request.f = f;
                        request.b = b;
                        request.w = w;
                        const Design design = findInLibrary(name)->make(request).design.value();
                        Reorderer reorderer;
                        reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
                        const Schedule order = repeatedOrder(*design.block(), design.pipeline);
                        OrderFigures figures;
                        if (reorder)
                            (void)reorderer.reorder(order, Reorder {}, figures);
                        else
                            reorderer.squeeze(order, figures);
                        return figures.makespan - Ticks { 2 } * m * (f + b + w);
                    };
                    const Ticks slopeOfVMin = 2 * std::max({ 0, 2 * f - b - w, 2 * b - f - w });
                    const Ticks slopeOfVHalf = std::max({ 0, 2 * f - 2 * b - w, 2 * b - 2 * f - w });
                    const Ticks slope = std::string_view(name) == "v-min" ? slopeOfVMin : slopeOfVHalf;
                    QCOMPARE(bubble(48, false) - bubble(24, false), 24 * slope);
                    QVERIFY(bubble(48, true) - bubble(24, true) <= 24 * slope);
                }
    }
};

QTEST_APPLESS_MAIN(ClosedFormsTest)
#include "closed_forms_test.moc"
