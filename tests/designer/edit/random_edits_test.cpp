// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/document.h"
#include "core/formats/design_file.h"
#include "core/formats/pass_rows.h"
#include "tests/designer/edit/random_edits.h"
#include "tests/designer/window_test_main.h"
#include "tests/support/random_legal_design.h"
#include "tests/support/sanitizers.h"

#include <QSet>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

namespace {

constexpr int thin = test::sanitized ? 10 : 1;

/// The design as a file gives it back: passes in the order of rows.
Design inRows(Design design)
{
    if (auto* block = std::get_if<BuildingBlock>(&design.plan))
        formats::sortForRows(block->passes);
    return design;
}

Design startOf(RandomEdits& edits)
{
    test::RandomSizes sizes;
    sizes.devices = 4;
    sizes.stagesPerDevice = 2;
    Design design = test::randomDesign(edits.engine(), sizes);
    while (!design.block() && test::chance(edits.engine(), 80)) // most edits want a block
        design = test::randomDesign(edits.engine(), sizes);
    return design;
}

} // namespace

class RandomEditsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyEditGivesADesignThatIsReadAsItWasWritten();
    void editsAreTheSameEveryTime();
    void undoingAndRedoingAllGivesTheSameBytes();

private:
    int done_ = 0;
    int refused_ = 0;
    QSet<QString> names_; ///< first words of steps
};

void RandomEditsTest::everyEditGivesADesignThatIsReadAsItWasWritten()
{
    for (std::uint64_t seed = 1; seed <= 3000 / thin; ++seed) {
        RandomEdits edits(seed);
        Design design = startOf(edits);
        const Design before = design;
        for (int step = 0; step < 4; ++step) {
            const Edited edited = edits.edit(design);
            const QByteArray where = QString("seed %1, step %2: %3%4")
                                         .arg(seed)
                                         .arg(step)
                                         .arg(edited.name.c_str(), edited.refusal.c_str())
                                         .toUtf8();
            if (!edited.ok()) {
                QVERIFY2(!edited.refusal.empty(), where.constData());
                ++refused_;
                continue;
            }
            ++done_;
            names_.insert(QString::fromStdString(edited.name).section(' ', 0, 0));
            QVERIFY2(!edited.name.empty() && edited.refusal.empty(), where.constData());
            const ReadDesign read = readDesign(writeDesign(*edited.design));
            QVERIFY2(read.design.has_value(),
                (where + text(read.findings.empty() ? Finding {} : read.findings.front()).c_str()).constData());
            QVERIFY2(*read.design == inRows(*edited.design), where.constData());
            QVERIFY2(writeDesign(*read.design) == writeDesign(*edited.design), where.constData());
            design = *edited.design;
        }
    }
    qInfo("%d edits done, %d refused", done_, refused_);
    QVERIFY(done_ > refused_);
    QVERIFY(refused_ > done_ / 50);
    if (test::sanitized)
        return;
    // Every kind of edit was done at least once.
    for (const char* name :
        { "Place", "Move", "Swap", "Delete", "Mirror", "Pair", "Unpair", "Paste", "Duplicate", "δF", "δF0", "δB1",
            "F→B", "Interval", "Refit", "Draw", "New", "Clear", "Start", "F", "BW", "Tick", "Memory", "Transient",
            "Static", "Communication", "Limit", "Transfer", "Transfers", "Bandwidth", "Latency", "Message",
            "Queues:", "Window", "Reorder", "Squeeze", "4", "V", "Placement", "2", "Group", "Rename", "Notes" })
        QVERIFY2(names_.contains(name), name);
}

void RandomEditsTest::editsAreTheSameEveryTime()
{
    for (std::uint64_t seed = 1; seed <= 500 / thin; ++seed) {
        RandomEdits one(seed);
        RandomEdits other(seed);
        const Design design = startOf(one);
        QVERIFY(design == startOf(other));
        const Edited edited = one.edit(design);
        const Edited again = other.edit(design);
        QVERIFY(edited.design == again.design);
        QCOMPARE(edited.name, again.name);
        QCOMPARE(edited.refusal, again.refusal);
    }
}

void RandomEditsTest::undoingAndRedoingAllGivesTheSameBytes()
{
    for (std::uint64_t seed = 1; seed <= 2000 / thin; ++seed) {
        RandomEdits edits(10'000 + seed);
        Document document;
        document.reset(startOf(edits), {});
        std::vector<std::string> files { writeDesign(*document.committed()) };
        for (int step = 0; step < 8; ++step) {
            const int before = document.undoStack().count();
            Edited edited = edits.edit(*document.committed());
            const bool ok = edited.ok();
            QCOMPARE(document.apply(std::move(edited)), ok);
            if (document.undoStack().count() > before)
                files.push_back(writeDesign(*document.committed()));
            else
                QCOMPARE(writeDesign(*document.committed()), files.back());
        }
        QUndoStack& stack = document.undoStack();
        for (std::size_t i = files.size() - 1; i > 0; --i) {
            stack.undo();
            QCOMPARE(writeDesign(*document.committed()), files[i - 1]);
        }
        QVERIFY(!stack.canUndo() && !document.isDirty());
        for (std::size_t i = 1; i < files.size(); ++i) {
            stack.redo();
            QCOMPARE(writeDesign(*document.committed()), files[i]);
        }
        QVERIFY(!stack.canRedo());
    }
}

PIPELOOM_WINDOW_TEST_MAIN(RandomEditsTest)
#include "random_edits_test.moc"
