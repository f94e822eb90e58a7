// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "core/formats/design_file.h"
#include "tests/core/formats/design_texts.h"

#include <QtTest>

#include <utility>
#include <vector>

using namespace pipeloom;
using namespace pipeloom::test;

namespace {

/// One fault: `from` of a base text becomes `to`; then the findings are these, as placesOf shows them, and say these words
/// (divided by |).
void row(const char* name, Base base, const char* from, const char* to, const char* places, const char* words)
{
    QTest::newRow(name) << base << QString(from) << QString(to) << QString(places) << QString(words);
}

void frameFaults()
{
    row("no number of the format", Base::Block, R"("pipeloom": 1,)", "", "file/missing /pipeloom", "has no `pipeloom`");
    row("the number of the format is not first", Base::Block, "\"pipeloom\": 1,\n  \"name\": \"All keys\",",
        R"("name": "N", "pipeloom": 1,)", "file/order /pipeloom", "`name` stands before it|Move it to the top");
    row("format 0", Base::Block, R"("pipeloom": 1)", R"("pipeloom": 0)", "file/range /pipeloom",
        "`pipeloom` is 0|1 to 1");
    row("format as text", Base::Block, R"("pipeloom": 1)", R"("pipeloom": "1")", "file/type /pipeloom",
        "whole number|the text `1`");
    row("format with a fraction", Base::Block, R"("pipeloom": 1)", R"("pipeloom": 1.5)", "file/type /pipeloom",
        "the number `1.5`");
    row("a newer format", Base::Block, R"("pipeloom": 1)", R"("pipeloom": 2)", "file/version /pipeloom",
        "format 2|reads format 1");
    row("a misspelt key", Base::Block, R"("notes")", R"("note")", "file/key /note", "has no key `note`|Write `notes`");
    row("a key that is like no other", Base::Block, R"("notes")", R"("weather")", "file/key /weather",
        "Its keys are pipeloom, name, notes");
    row("a key of another section", Base::Block, R"("reorder":)", R"("network": {}, "reorder":)", "file/key /network",
        "a key of `costs`|move it there");
    row("a key that a pointer must escape", Base::Block, R"("notes")", R"("a/b~c")", "file/key /a~1b~0c", "`a/b~c`");
    row("a doubled key", Base::Block, R"("name": "All keys")", R"("name": "A", "name": "B")", "file/doubled /name",
        "`name` stands 2 times");
    row("a key three times", Base::Block, R"("name": "All keys")", R"("name": "A", "name": "B", "name": "B")",
        "file/doubled /name", "3 times");
    row("a doubled key in the view", Base::Block, R"({ "zoom":2 })", R"({"a": [{"b":1,"b":2}]})",
        "file/doubled /view/a/0/b", "`b`");
    row("a name that is no text", Base::Block, R"("name": "All keys")", R"("name": 3)", "file/type /name",
        "`name` must be a text|the number 3");
    row("notes that are null", Base::Block, R"("none at its default")", "null", "file/type /notes", "`null`");
    row("no pipeline", Base::Block, R"("pipeline": {)", R"("name2": {)", "file/key /name2; file/missing /pipeline",
        "has no `pipeline`");
    row("a pipeline that is a list", Base::Block,
        R"({ "devices": 2, "stages": 3, "micro_batches": 4, "placement": [0, 1, 0] })", "[]", "file/type /pipeline",
        "an object in braces|a list");
    row("both block and schedule", Base::Block, R"("reorder": { "rule": "weights", "aim": "own_span" })",
        R"("schedule": { "rows": ["", ""] })", "file/conflict /block /schedule", "both a `block` and a `schedule`");
    row("neither block nor schedule", Base::Scheduled,
        "\"schedule\": {\n    \"rows\": [\n      \"0F0 1F1 1BW1 0BW0\",\n      \"0F1 1F0 1BW0 0BW1\"\n    ]\n  }",
        R"("notes": "")", "file/missing ", "neither a `block` nor a `schedule`");
    row("reorder with a schedule", Base::Scheduled, R"("schedule": {)",
        R"("reorder": { "rule": "all" }, "schedule": {)", "file/conflict /reorder /schedule",
        "the order of `schedule` rows is the order");
    row("a view that is no object", Base::Block, R"({ "zoom":2 })", "[1]", "file/type /view", "an object in braces");
}

void pipelineFaults()
{
    row("no devices", Base::Block, R"("devices": 2, )", "", "file/missing /pipeline/devices",
        "`pipeline` has no `devices`");
    row("zero devices", Base::Block, R"("devices": 2)", R"("devices": 0)", "file/range /pipeline/devices",
        "`devices` is 0|1 to 4096");
    row("too many devices", Base::Block, R"("devices": 2)", R"("devices": 4097)", "file/range /pipeline/devices",
        "4097|1 to 4096");
    row("fewer than no devices", Base::Block, R"("devices": 2)", R"("devices": -1)", "file/range /pipeline/devices",
        "-1");
    row("devices beyond every number", Base::Block, R"("devices": 2)", R"("devices": 99999999999999999999)",
        "file/range /pipeline/devices", "99999999999999999999");
    row("devices with a fraction", Base::Block, R"("devices": 2)", R"("devices": 2.0)", "file/type /pipeline/devices",
        "`2.0`|without point");
    row("devices with an exponent", Base::Block, R"("devices": 2)", R"("devices": 2e0)", "file/type /pipeline/devices",
        "`2e0`");
    row("no stages", Base::Block, R"("stages": 3, )", "", "file/missing /pipeline/stages", "has no `stages`");
    row("zero stages", Base::Block, R"("stages": 3)", R"("stages": 0)", "file/range /pipeline/stages", "`stages` is 0");
    row("zero micro-batches", Base::Block, R"("micro_batches": 4)", R"("micro_batches": 0)",
        "file/range /pipeline/micro_batches", "`micro_batches` is 0");
    row("no micro-batches", Base::Block, R"("micro_batches": 4, )", "", "file/missing /pipeline/micro_batches",
        "has no `micro_batches`");
    row("too many passes", Base::Block, R"("micro_batches": 4)", R"("micro_batches": 2666667)", "file/size /pipeline",
        "16000002 passes|16000000 is the most");
    row("too many micro-batches for one stage", Base::Block, R"("micro_batches": 4)", R"("micro_batches": 8000001)",
        "file/range /pipeline/micro_batches", "8000001");
    row("no placement", Base::Block, R"(, "placement": [0, 1, 0])", "", "file/missing /pipeline/placement",
        "has no `placement`");
    row("a misspelt placement", Base::Block, R"("placement": [0, 1, 0])", R"("placement": "liner")",
        "file/value /pipeline/placement", "cannot be `liner`|Write `linear`");
    row("an unknown placement", Base::Block, R"("placement": [0, 1, 0])", R"("placement": "zigzag")",
        "file/value /pipeline/placement", "linear, interleaved, v");
    row("a placement that is a number", Base::Block, R"("placement": [0, 1, 0])", R"("placement": 1)",
        "file/type /pipeline/placement", "`linear`, `interleaved`, `v` or a list");
    row("a short placement", Base::Block, "[0, 1, 0]", "[0, 1]", "file/length /pipeline/placement",
        "has 2 entries, but there are 3 stages");
    row("a placement on no device", Base::Block, "[0, 1, 0]", "[0, 2, 0]", "file/range /pipeline/placement/1",
        "Entry 1 of `placement` is 2|0 to 1");
    row("a placement with a text", Base::Block, "[0, 1, 0]", R"([0, "1", 0])", "file/type /pipeline/placement/1",
        "whole number");
    row("linear with more stages than devices", Base::Block, "[0, 1, 0]", R"("linear")",
        "file/length /pipeline/placement", "2 devices and 3 stages|`interleaved` or `v`");
    row("placement and routes", Base::Scheduled, R"("routes")", R"("placement": "linear", "routes")",
        "file/conflict /pipeline/placement /pipeline/routes", "both `placement` and `routes`");
    row("routes without placements", Base::Scheduled, R"("placements": [[0, 1], [1, 0]], )", "",
        "file/missing /pipeline/routes/placements", "`routes` has no `placements`");
    row("routes without micro-batches", Base::Scheduled, R"(, "of_micro_batch": [0, 1])", "",
        "file/missing /pipeline/routes/of_micro_batch", "has no `of_micro_batch`");
    row("no routes at all", Base::Scheduled, "[[0, 1], [1, 0]]", "[]", "file/length /pipeline/routes/placements",
        "no route");
    row("a route that is short", Base::Scheduled, "[[0, 1], [1, 0]]", "[[0, 1], [1]]",
        "file/length /pipeline/routes/placements/1", "Entry 1 of `placements` has 1 entry, but there are 2 stages");
    row("a route on no device", Base::Scheduled, "[[0, 1], [1, 0]]", "[[0, 1], [1, -1]]",
        "file/range /pipeline/routes/placements/1/1", "Entry 1 of entry 1 of `placements` is -1");
    row("a micro-batch on no route", Base::Scheduled, R"("of_micro_batch": [0, 1])", R"("of_micro_batch": [0, 2])",
        "file/range /pipeline/routes/of_micro_batch/1", "is 2|0 to 1");
    row("too few micro-batches with routes", Base::Scheduled, R"("of_micro_batch": [0, 1])", R"("of_micro_batch": [0])",
        "file/length /pipeline/routes/of_micro_batch", "has 1 entry, but there are 2 micro-batches");
    row("a misspelt rule of routes", Base::Scheduled, R"("of_micro_batch": [0, 1])", R"("of_micro_batch": "half")",
        "file/value /pipeline/routes/of_micro_batch", "halves");
    row("routes that are a list", Base::Scheduled, R"({ "placements": [[0, 1], [1, 0]], "of_micro_batch": [0, 1] })",
        "[[0, 1], [1, 0]]", "file/type /pipeline/routes", "an object");
}

void costsFaults()
{
    row("a tick of no time", Base::Block, R"("tick_us": 2.5)", R"("tick_us": 0)", "file/range /costs/tick_us",
        "greater than 0");
    row("a tick of less than no time", Base::Block, R"("tick_us": 2.5)", R"("tick_us": -0.5)",
        "file/range /costs/tick_us", "`-0.5`");
    row("a tick that is a text", Base::Block, R"("tick_us": 2.5)", R"("tick_us": "2.5")", "file/type /costs/tick_us",
        "a number");
    row("a number beyond every double", Base::Block, R"("tick_us": 2.5)", R"("tick_us": 1e999)",
        "file/range /costs/tick_us", "`1e999`");
    row("a pass of less than no time", Base::Block, R"("F": [1, 2, 3])", R"("F": [1, -2, 3])", "file/range /costs/F/1",
        "Entry 1 of `F` is -2");
    row("a pass of a fraction", Base::Block, R"("B": 2)", R"("B": 2.5)", "file/type /costs/B", "whole number");
    row("a pass of too many ticks", Base::Block, R"("W": 3)", R"("W": 1099511627776)", "file/range /costs/W",
        "1099511627776|2^40");
    row("costs for too few stages", Base::Block, R"("BW": 4)", R"("BW": [4, 4])", "file/length /costs/BW",
        "2 entries, but there are 3 stages");
    row("costs that are a text", Base::Block, R"("BW": 4)", R"("BW": "4")", "file/type /costs/BW",
        "a number, or a list with one per stage");
    row("a pair per stage", Base::Block, R"("pair": 6)", R"("pair": [6, 6, 6])", "file/type /costs/pair",
        "whole number");
    row("a misspelt kind", Base::Block, R"("BW": 4)", R"("WB": 4)", "file/key /costs/WB",
        "`costs` has no key `WB`|Write `BW`");
    row("a small letter", Base::Block, R"("W": 3)", R"("w": 3)", "file/key /costs/w", "Write `W`");
    row("costs that are a list", Base::Scheduled, "{\n    \"network\": { \"transfer\": 2 }\n  }", "[]",
        "file/type /costs", "an object");
    row("a misspelt unit", Base::Block, R"("unit": "bytes")", R"("unit": "byte")", "file/value /costs/memory/unit",
        "Write `bytes`");
    row("a change beyond 2^60", Base::Block, R"("B": -1)", R"("B": -1152921504606846976)", "file/range /costs/memory/B",
        "-1152921504606846976|2^60");
    row("memory for too few devices", Base::Block, R"("static": [100, 200])", R"("static": [100, 200, 300])",
        "file/length /costs/memory/static", "3 entries, but there are 2 devices");
    row("static memory below nothing", Base::Block, R"("static": [100, 200])", R"("static": -1)",
        "file/range /costs/memory/static", "0 to 1152921504606846975");
    row("a transient below nothing", Base::Block, R"("transient": { "F": 1)", R"("transient": { "F": -1)",
        "file/range /costs/memory/transient/F", "-1");
    row("a transient of no kind", Base::Block, R"("transient": { "F": 1)", R"("transient": { "G": 1)",
        "file/key /costs/memory/transient/G", "F, B, W, BW");
    row("a limit that is a text", Base::Block, R"("limit": [null, 500])", R"("limit": "none")",
        "file/type /costs/memory/limit", "whole number");
    row("a limit below nothing", Base::Block, "[null, 500]", "[null, -1]", "file/range /costs/memory/limit/1", "-1");
    row("too few limits", Base::Block, "[null, 500]", "[500]", "file/length /costs/memory/limit",
        "1 entry, but there are 2 devices");
    row("communication that is null", Base::Block, R"("communication": 7)", R"("communication": null)",
        "file/type /costs/memory/communication", "a number, or a list with one per device");
    row("a misspelt queue", Base::Block, R"("queue": "pair")", R"("queue": "drected")",
        "file/value /costs/network/queue", "Write `directed`");
    row("transfer and latency", Base::Block, R"("latency": 3)", R"("transfer": 3, "latency": 3)",
        "file/conflict /costs/network/transfer /costs/network/latency", "twice");
    row("transfer and bandwidth", Base::Scheduled, R"("transfer": 2)", R"("transfer": 2, "bytes_per_tick": 2)",
        "file/conflict /costs/network/transfer /costs/network/bytes_per_tick", "twice");
    row("latency without bandwidth", Base::Block, R"(, "bytes_per_tick": 10)", "",
        "file/missing /costs/network/bytes_per_tick", "no `bytes_per_tick`");
    row("no bytes in a tick", Base::Block, R"("bytes_per_tick": 10)", R"("bytes_per_tick": 0)",
        "file/range /costs/network/bytes_per_tick", "is 0");
    row("bytes for every stage", Base::Block, R"("bytes": [100, 101])", R"("bytes": [100, 101, 102])",
        "file/length /costs/network/bytes", "3 entries, but there are 2 stage boundaries");
    row("a window below nothing", Base::Block, R"("window": 2)", R"("window": -1)", "file/range /costs/network/window",
        "0 to 16000000");
    row("a transfer that takes too long", Base::Block, R"("bytes": [100, 101])", R"("bytes": [100, 109951162777600])",
        "file/range /costs/network/bytes", "boundary 1|below 2^40");
    row("a transfer of less than no time", Base::Scheduled, R"("transfer": 2)", R"("transfer": -2)",
        "file/range /costs/network/transfer", "-2");
}

void planFaults()
{
    row("a doubled key in a section", Base::Block, R"("interval": 6)", R"("interval": 6, "interval": 6)",
        "file/doubled /block/interval", "2 times|Keep the one");
    row("no interval", Base::Block, R"("interval": 6,)", "", "file/missing /block/interval",
        "`block` has no `interval`");
    row("no time between blocks", Base::Block, R"("interval": 6)", R"("interval": 0)", "file/range /block/interval",
        "`interval` is 0");
    row("an interval beyond 2^40", Base::Block, R"("interval": 6)", R"("interval": 1099511627776)",
        "file/range /block/interval", "2^40");
    row("a group of nothing", Base::Block, R"("group": 2)", R"("group": 0)", "file/range /block/group", "`group` is 0");
    row("a misspelt interval", Base::Block, R"("interval": 6)", R"("intervall": 6)",
        "file/key /block/intervall; file/missing /block/interval", "Write `interval`");
    row("durations for too many stages", Base::Block, R"("F": [1, 1, 2])", R"("F": [1, 1, 2, 1])",
        "file/length /block/durations/F", "4 entries, but there are 3 stages");
    row("a pair among durations", Base::Block, R"("durations": {)", R"("durations": { "pair": 1,)",
        "file/key /block/durations/pair", "a key of `costs`");
    row("no rows", Base::Block, "\"rows\": [\n      \"0F0@0 2F1@7\",\n      \"1F0@1 (1F1+1BW0)@3\"\n    ]",
        R"("durations2": 0)", "file/key /block/durations2; file/missing /block/rows", "has no `rows`");
    row("a row too many", Base::Block, R"("0F0@0 2F1@7")", R"("", "")", "file/length /block/rows",
        "3 entries, but there are 2 devices");
    row("rows that are a text", Base::Scheduled,
        "\"rows\": [\n      \"0F0 1F1 1BW1 0BW0\",\n      \"0F1 1F0 1BW0 0BW1\"\n    ]", R"("rows": "")",
        "file/type /schedule/rows", "a list with one entry per device");
    row("a row that is a list", Base::Block, R"("0F0@0 2F1@7")", "[]", "file/type /block/rows/0", "a text in quotes");
    row("a stage that is not there", Base::Block, "2F1@7", "3F1@7", "file/range /block/rows/0 7",
        "there is no stage 3; the last one is 2");
    row("a member that is not there", Base::Block, "2F1@7", "2F2@7", "file/range /block/rows/0 9",
        "there is no micro-batch 2");
    row("a pass without its member", Base::Block, "2F1@7", "2F@7", "file/row /block/rows/0 9",
        "the micro-batch of the group is missing|7B1@15");
    row("a member without a group", Base::Block, R"("group": 2,)", "",
        "file/row /block/rows/0 3; file/row /block/rows/0 9; file/row /block/rows/1 3; file/row /block/rows/1 10",
        "the block has no group");
    row("a pass without its start", Base::Block, "2F1@7", "2F1", "file/row /block/rows/0 10", "the start is missing");
    row("two faults in a row", Base::Block, "0F0@0 2F1@7", "0G0@0 2F1@x",
        "file/row /block/rows/0 2; file/row /block/rows/0 11", "`G` is no kind of pass");
    row("PyTorch's input gradient in a block", Base::Block, "2F1@7", "2I1@7", "file/row /block/rows/0 8",
        "PyTorch's name for the input gradient|Write B for I");
    row("PyTorch's input gradient in a schedule", Base::Scheduled, "1BW1 0BW0", "1I1 0BW0",
        "file/row /schedule/rows/0 10", "PyTorch's B is BW here");
    row("a start in a schedule", Base::Scheduled, "1BW1 0BW0", "1BW1 0BW0@3", "file/row /schedule/rows/0 18",
        "no start times");
    row("a micro-batch that is not there", Base::Scheduled, "1BW1 0BW0", "1BW2 0BW0", "file/range /schedule/rows/0 12",
        "there is no micro-batch 2; the last one is 1");
    row("a schedule of too many rows", Base::Scheduled, R"("0F0 1F1 1BW1 0BW0",)", R"("", "",)",
        "file/length /schedule/rows", "3 entries, but there are 2 devices");
    row("a key that schedules do not have", Base::Scheduled, R"("schedule": {)", R"("schedule": { "interval": 3,)",
        "file/key /schedule/interval", "a key of `block`");
    row("reorder without its rule", Base::Block, R"("rule": "weights", )", "", "file/missing /reorder/rule",
        "`reorder` has no `rule`");
    row("a misspelt rule", Base::Block, R"("weights")", R"("weight")", "file/value /reorder/rule", "Write `weights`");
    row("a misspelt aim", Base::Block, R"("own_span")", R"("ownspan")", "file/value /reorder/aim", "Write `own_span`");
}

void trainingFaults()
{
    row("a model without its layers", Base::Block, R"("layers": 6, )", "", "file/missing /model/layers",
        "`model` has no `layers`");
    row("a model without its micro-batch", Base::Block, R"("micro_batch_size": 5, )", "",
        "file/missing /model/micro_batch_size", "micro_batch_size");
    row("no heads", Base::Block, R"("heads": 2)", R"("heads": 0)", "file/range /model/heads", "`heads` is 0");
    row("a vocabulary beyond 31 bits", Base::Block, R"("vocabulary": 300)", R"("vocabulary": 2147483648)",
        "file/range /model/vocabulary", "2147483648");
    row("no steps", Base::Block, R"("steps": 10)", R"("steps": 0)", "file/range /training/steps", "1 or more");
    row("a seed below nothing", Base::Block, R"("seed": 0)", R"("seed": -1)", "file/range /training/seed", "0 or more");
    row("a rate below nothing", Base::Block, R"("learning_rate": 0.001)", R"("learning_rate": -0.001)",
        "file/range /training/learning_rate", "Give 0 or");
    row("a misspelt precision", Base::Block, R"("bf16")", R"("bfloat16")", "file/value /training/precision",
        "fp32, bf16");
    row("layers for too few stages", Base::Block, R"("layers_per_stage": [1, 2, 3])", R"("layers_per_stage": [3, 3])",
        "file/length /training/layers_per_stage", "2 entries, but there are 3 stages");
    row("layers that are a number", Base::Block, R"("layers_per_stage": [1, 2, 3])", R"("layers_per_stage": 2)",
        "file/type /training/layers_per_stage", "a list with one entry per stage");
    row("data that is a number", Base::Block, R"(["a.txt", "b.txt"])", R"(["a.txt", 3])", "file/type /training/data/1",
        "a text in quotes");
    row("data that is no list", Base::Block, R"(["a.txt", "b.txt"])", "3", "file/type /training/data",
        "a list with one entry per file");
}

} // namespace

class DesignFaultsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void faultsAreReportedWhereTheyAre_data();
    void faultsAreReportedWhereTheyAre();
    void allFaultsAreToldInOneGo();
    void ofAMillionFaultsAHundredAreTold();
    void newerFormatsAreRefusedByNameAlone();
    void everyErrorHasAWayOut();
};

void DesignFaultsTest::faultsAreReportedWhereTheyAre_data()
{
    QTest::addColumn<Base>("base");
    QTest::addColumn<QString>("from");
    QTest::addColumn<QString>("to");
    QTest::addColumn<QString>("places");
    QTest::addColumn<QString>("words");
    frameFaults();
    pipelineFaults();
    costsFaults();
    planFaults();
    trainingFaults();
}

void DesignFaultsTest::faultsAreReportedWhereTheyAre()
{
    QFETCH(Base, base);
    QFETCH(QString, from);
    QFETCH(QString, to);
    QFETCH(QString, places);
    QFETCH(QString, words);
    const ReadDesign read = readDesign(changed(base, from, to));
    QVERIFY(!read.design.has_value());
    QCOMPARE(placesOf(read.findings), places);
    for (const QString& word : words.split('|'))
        QVERIFY2(wordsOf(read.findings).contains(word), qPrintable(word + " is not in: " + wordsOf(read.findings)));
}

void DesignFaultsTest::allFaultsAreToldInOneGo()
{
    std::string text = changed(Base::Block, "\"devices\": 2", "\"devices\": 0");
    for (const auto& [from, to] :
        std::vector<std::pair<std::string, std::string>> { { "\"name\": \"All keys\"", "\"name\": 3" },
            { "\"queue\": \"pair\"", "\"queue\": \"pear\"" }, { "1F0@1", "1f0@1" }, { "2F1@7", "9F1@7" },
            { "\"layers\": 6", "\"layer\": 6" }, { "\"rule\": \"weights\"", "\"rule\": null" } })
        text.replace(text.find(from), from.size(), to);
    const ReadDesign read = readDesign(text);
    QCOMPARE(placesOf(read.findings),
        QString(
            "file/type /name; file/range /pipeline/devices; file/value /costs/network/queue; file/range /block/rows/0 "
            "7; "
            "file/row /block/rows/1 2; file/type /reorder/rule; file/key /model/layer; file/missing /model/layers"));
}

void DesignFaultsTest::ofAMillionFaultsAHundredAreTold()
{
    std::string row;
    for (int i = 0; i < 1'000'000; ++i)
        row += "0X0@1 ";
    const ReadDesign read = readDesign(changed(Base::Block, "0F0@0 2F1@7", QString::fromStdString(row)));
    QVERIFY(!read.design.has_value());
    QCOMPARE(read.findings.size(), std::size_t { 101 });
    QCOMPARE(read.findings.back().rule, std::string("file/more"));
    QCOMPARE(read.findings.back().severity, Severity::Note);
}

void DesignFaultsTest::newerFormatsAreRefusedByNameAlone()
{
    std::string text = changed(Base::Block, "\"pipeloom\": 1", "\"pipeloom\": 2");
    text.replace(text.find("\"interval\""), 10, "\"cadence\"");
    const ReadDesign read = readDesign(text);
    QCOMPARE(placesOf(read.findings), QString("file/version /pipeloom"));
    QVERIFY(wordsOf(read.findings).contains("format 2"));
    QVERIFY(wordsOf(read.findings).contains("newer Pipeloom"));
}

void DesignFaultsTest::everyErrorHasAWayOut()
{
    const ReadDesign read = readDesign(R"({"a":1,"pipeloom":1,"pipeline":{"devices":"x"},"block":{},"schedule":[]})");
    QVERIFY(read.findings.size() > 5);
    for (const Finding& finding : read.findings) {
        QVERIFY2(!finding.remedy.empty() && finding.remedy.back() == '.', finding.rule.c_str());
        QVERIFY2(!finding.message.empty() && finding.message.back() == '.', finding.rule.c_str());
        QVERIFY2(!finding.where.empty(), finding.rule.c_str());
    }
}

QTEST_APPLESS_MAIN(DesignFaultsTest)
#include "design_faults_test.moc"
