// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// Our schedules beside those of the published zero-bubble code (tests/reference/zero-bubble.json): spans and peaks must not be
// worse where the memory is the same.

#include "core/library/library.h"
#include "core/schedule/reorder.h"
#include "core/schedule/repeat.h"

#include <QtTest>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

using namespace pipeloom;

class ZeroBubbleReferenceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void noneIsWorse_data()
    {
        QTest::addColumn<QString>("row");
        std::ifstream file(PIPELOOM_SOURCE_DIR "/tests/reference/zero-bubble.json");
        const nlohmann::json all = nlohmann::json::parse(file);
        for (const auto& row : all.at("results"))
            QTest::addRow("%s p=%d m=%d %s C=%d", row.at("schedule").get<std::string>().c_str(), row.at("p").get<int>(),
                row.at("m").get<int>(), row.at("setting").get<std::string>().c_str(), row.at("C").get<int>())
                << QString::fromStdString(row.dump());
    }
    void noneIsWorse()
    {
        QFETCH(QString, row);
        const nlohmann::json reference = nlohmann::json::parse(row.toStdString());
        const std::map<std::string, const char*> ours { { "1F1B", "1f1b" }, { "ZB1P", "zb-h1" }, { "ZBV", "v-zb" },
            { "V-Half", "v-half" }, { "V-Min", "v-min" }, { "Interleaved-v2(vpp)", "interleaved-1f1b" } };
        const auto found = ours.find(reference.at("schedule").get<std::string>());
        if (found == ours.end())
            return; // not in the library yet
        LibraryRequest request;
        request.devices = reference.at("p").get<int>();
        request.microBatches = reference.at("m").get<int>();
        request.f = reference.at("cost_pass").at("F").get<int>();
        request.b = reference.at("cost_pass").at("B").get<int>();
        request.w = reference.at("cost_pass").at("W").get<int>();
        request.transfer = reference.at("C").get<int>();
        if (found->second == std::string("v-zb") && request.microBatches < 2 * request.devices - 1)
            return; // too few micro-batches to fill it: there the block promises no more than squeezing gives
        const LibraryDesign made = findInLibrary(found->second)->make(request);
        if (!made.design)
            return; // interleaved: p does not divide m
        const Design& design = *made.design;
        const int chunks = reference.at("chunks").get<int>();
        Reorderer reorderer;
        reorderer.prepare(design.pipeline, design.costs, design.memory, design.network);
        const Schedule order = repeatedOrder(*design.block(), design.pipeline);
        OrderFigures makespan, ownSpan;
        QVERIFY(reorderer.squeeze(order, makespan));
        ownSpan = makespan;
        if (found->second != std::string("1f1b") && found->second != std::string("interleaved-1f1b")) {
            (void)reorderer.reorder(order, { ReorderRule::All, ReorderAim::Makespan }, makespan);
            (void)reorderer.reorder(order, { ReorderRule::All, ReorderAim::OwnSpan }, ownSpan);
        }
        const Bytes peak = *std::max_element(makespan.peak.begin(), makespan.peak.end());
        const auto peakOfReference = Bytes { std::llround(reference.at("peak_mem").get<double>() * chunks) };
        if (peak <= peakOfReference) {
            const auto theirs = reference.at("global_makespan").get<Ticks>();
            const auto theirSpan = reference.at("longest_device_span").get<Ticks>();
            QVERIFY2(makespan.makespan <= theirs,
                qPrintable(QString("makespan %1, the reference's %2").arg(makespan.makespan).arg(theirs)));
            QVERIFY2(ownSpan.ownSpan <= theirSpan,
                qPrintable(QString("own span %1, the reference's %2").arg(ownSpan.ownSpan).arg(theirSpan)));
        }
        const bool closedForm = reference.at("setting") == "unit" && request.microBatches >= 2 * request.devices;
        if (closedForm)
            QVERIFY2(peak <= peakOfReference,
                qPrintable(QString("peak %1, the reference's %2").arg(peak).arg(peakOfReference)));
    }
};

QTEST_APPLESS_MAIN(ZeroBubbleReferenceTest)
#include "zero_bubble_reference_test.moc"
