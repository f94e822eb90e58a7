// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/document/document.h"
#include "core/formats/design_file.h"
#include "tests/designer/window_test_main.h"

using namespace pipeloom;
using namespace pipeloom::designer;

class DocumentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void anEditIsOneStepAndUndoGivesTheSameBytes();
    void stepsOfOneKeyMergeUntilSomethingElseHappens();
    void aPreviewIsNoStepAndCancelGivesBackWhatWas();
    void aRefusedEditChangesNothingAndSaysWhy();
    void anEditThatChangesNothingIsNoStep();

private:
    static Edited renamed(const Document& document, const std::string& name)
    {
        Design design = *document.committed();
        design.name = name;
        return { design, "Rename", {} };
    }
};

void DocumentTest::anEditIsOneStepAndUndoGivesTheSameBytes()
{
    Document document;
    const std::string before = writeDesign(*document.committed());
    QVERIFY(document.apply(renamed(document, "one")));
    const std::string after = writeDesign(*document.committed());
    QVERIFY(document.isDirty());
    document.undoStack().undo();
    QCOMPARE(writeDesign(*document.committed()), before);
    QVERIFY(!document.isDirty());
    document.undoStack().redo();
    QCOMPARE(writeDesign(*document.committed()), after);
}

void DocumentTest::stepsOfOneKeyMergeUntilSomethingElseHappens()
{
    Document document;
    document.apply(renamed(document, "one"), "nudge");
    document.apply(renamed(document, "two"), "nudge");
    QCOMPARE(document.undoStack().count(), 1);
    document.breakMerge();
    document.apply(renamed(document, "three"), "nudge");
    QCOMPARE(document.undoStack().count(), 2);
    document.undoStack().undo();
    QCOMPARE(document.committed()->name, std::string("two"));
    document.apply(renamed(document, "four"), "nudge");
    document.undoStack().undo();
    QCOMPARE(document.committed()->name, std::string("two"));
}

void DocumentTest::aPreviewIsNoStepAndCancelGivesBackWhatWas()
{
    Document document;
    document.preview(*renamed(document, "shown").design);
    QCOMPARE(document.shown()->name, std::string("shown"));
    QCOMPARE(document.undoStack().count(), 0);
    document.cancelPreview();
    QVERIFY(document.shown()->name.empty());
    document.preview(*renamed(document, "kept").design);
    document.commitPreview("Keep");
    QCOMPARE(document.undoStack().count(), 1);
    QCOMPARE(document.committed()->name, std::string("kept"));
}

void DocumentTest::aRefusedEditChangesNothingAndSaysWhy()
{
    Document document;
    QString reason;
    connect(&document, &Document::refused, this, [&](const QString& text) { reason = text; });
    QVERIFY(!document.apply(refused("There is no stage 9.")));
    QCOMPARE(reason, QString("There is no stage 9."));
    QCOMPARE(document.undoStack().count(), 0);
}

void DocumentTest::anEditThatChangesNothingIsNoStep()
{
    Document document;
    QVERIFY(document.apply({ *document.committed(), "Nothing", {} }));
    QCOMPARE(document.undoStack().count(), 0);
}

PIPELOOM_WINDOW_TEST_MAIN(DocumentTest)
#include "document_test.moc"
