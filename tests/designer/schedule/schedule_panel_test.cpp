// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/edit/schedule_edits.h"
#include "app/designer/schedule/schedule_csv.h"
#include "core/formats/design_file.h"
#include "tests/designer/schedule/schedule_fixture.h"

#include <QAbstractButton>
#include <QCheckBox>
#include <QClipboard>
#include <QLineEdit>

#include <cmath>
#include <set>

using namespace pipeloom;
using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class SchedulePanelTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFormIsChosenInTheHeaderAndBeforeAndAfterAreShown();
    void theHeaderSaysWhatIsShownAndWhatIsStillBeingMade();
    void aGestureHoldsTheScaleAndTheFormerEndStays();
    void aBlockThatDoesNotRepeatYetIsPaleAndSaysSo();
    void aBlockThatLacksPassesKeepsTheFiguresOfBefore();
    void anEmptyBlockIsToldWhatToDo();
    void searchFindsSelectsAndMarksTheOverview();
    void theFourGesturesOfTheOverview();
    void theOverviewWorksWithKeysAndWheel();
    void theCriticalPathIsThatOfCore();
    void coloursTellKindMicroBatchOrStage();
    void withoutMemoryRowsShowPassesAlone();
    void aRangeIsCopiedAsATable();
    void actionsHaveNamesTextsAndKeysOfTheirOwn();
    void everyControlHasANameForScreenReaders();

private:
    static Design brokenDesign()
    {
        Design design = libraryDesign("v-half");
        for (BlockPass& pass : std::get<BuildingBlock>(design.plan).passes)
            if (pass.slot.first == Pass { StageId { 7 }, MicroBatch { 0 }, PassKind::W })
                pass.start = 18; // where 0F of three intervals on is
        return design;
    }
    static QString figuresOf(ShownPanel& panel) { return panel.panel.findChild<ScheduleHeader*>()->figures(); }
    static QAbstractButton* formButton(ShownPanel& panel, Form form)
    {
        return panel.panel.findChild<ScheduleHeader*>()->forms().button(static_cast<int>(form));
    }
};

void SchedulePanelTest::theFormIsChosenInTheHeaderAndBeforeAndAfterAreShown()
{
    ShownPanel panel(libraryDesign("v-half"));
    QCOMPARE(figuresOf(panel), QString("8 micro-batches · 192 passes · 59 ticks"));
    QVERIFY(formButton(panel, Form::Squeezed)->isChecked());
    QTest::mouseClick(formButton(panel, Form::Reordered), Qt::LeftButton);
    const Ticks reordered = plan(libraryDesign("v-half"), { Form::Reordered, std::nullopt }).metrics.makespan();
    QVERIFY(reordered < 59);
    QCOMPARE(figuresOf(panel), QString("8 micro-batches · 192 passes · 59 → %1 ticks").arg(reordered));
    QCOMPARE(panel.data().metrics().lastEnd, reordered);
    QTest::mouseClick(formButton(panel, Form::Raw), Qt::LeftButton);
    QCOMPARE(panel.live.figures()->plan.form, Form::Raw);
    QVERIFY(formButton(panel, Form::Raw)->isChecked());
    QVERIFY(panel.data().metrics().lastEnd > 59);
}

void SchedulePanelTest::theHeaderSaysWhatIsShownAndWhatIsStillBeingMade()
{
    Figures figures = *testing::figuresOf(libraryDesign("v-half"));
    figures.pending = true;
    QVERIFY(scheduleSummary(figures, Form::Reordered, true).endsWith("squeezed; reordering…"));
    figures.pending = false;
    figures.standing = Standing::Earlier;
    figures.reason = "47 of 48 placed; next 7W.";
    QVERIFY(scheduleSummary(figures, Form::Squeezed, false).startsWith("as it was before: 47 of 48 placed; next 7W."));
    figures.plan = {};
    QCOMPARE(scheduleSummary(figures, Form::Squeezed, true), QString("working…"));
    QCOMPARE(scheduleSummary(figures, Form::Squeezed, false), QString());
}

void SchedulePanelTest::aGestureHoldsTheScaleAndTheFormerEndStays()
{
    ShownPanel panel(libraryDesign("v-half"));
    const TimeMap before = panel.panel.axis().map();
    Design slower = *panel.document.committed();
    for (Ticks& ticks : slower.costs.ticks.values[pipeloom::index(PassKind::B)])
        ticks = 2;
    panel.document.preview(slower);
    QVERIFY(panel.data().metrics().lastEnd > 59);
    QVERIFY(panel.panel.axis().map() == before);
    QCOMPARE(panel.view().overlays().endBefore, std::optional(Ticks { 59 }));
    panel.document.cancelPreview();
    QVERIFY(panel.panel.axis().map() == before);
    QVERIFY(!panel.view().overlays().endBefore.has_value());
    panel.document.preview(slower);
    panel.document.commitPreview("Slower");
    QVERIFY(!panel.view().overlays().endBefore.has_value());
    QVERIFY(panel.panel.axis().map().timeAt(panel.view().scene().plotWidth())
        >= static_cast<double>(panel.data().metrics().lastEnd));
}

void SchedulePanelTest::aBlockThatDoesNotRepeatYetIsPaleAndSaysSo()
{
    ShownPanel panel(brokenDesign());
    QCOMPARE(panel.live.figures()->standing, Standing::OfItsOrder);
    QVERIFY2(figuresOf(panel).startsWith("does not repeat yet"), qPrintable(figuresOf(panel)));
    const PassIndex pass = panel.find(1, PassKind::F, 3);
    const QPoint at = panel.view().scene().rectOf(pass).topLeft().toPoint() + QPoint(4, 3);
    const QColor drawn = panel.view().grab().toImage().pixelColor(at);
    QVERIFY(drawn.lightness() > lightTheme().forward.fill.lightness() + 30);
    QVERIFY(!panel.panel.action("schedule.editOrder")->isEnabled());
    // Drawn raw its passes overlap: it is still drawn, and what lies on top is hit.
    panel.live.setForm(Form::Raw);
    panel.view().grab();
    QTest::mouseMove(&panel.view(), panel.at(18.5, 0));
}

void SchedulePanelTest::aBlockThatLacksPassesKeepsTheFiguresOfBefore()
{
    ShownPanel panel(libraryDesign("v-half"));
    Design lacking = *panel.document.committed();
    std::get<BuildingBlock>(lacking.plan).passes.pop_back();
    panel.document.apply({ lacking, "Delete", {} });
    QCOMPARE(panel.live.figures()->standing, Standing::Earlier);
    QVERIFY(panel.view().schedule() != nullptr);
    QVERIFY(figuresOf(panel).startsWith("as it was before: "));
    QVERIFY(figuresOf(panel).contains("placed"));
    QCOMPARE(panel.data().metrics().lastEnd, Ticks { 59 });
    panel.document.undoStack().undo();
    QCOMPARE(figuresOf(panel), QString("8 micro-batches · 192 passes · 59 ticks"));
}

void SchedulePanelTest::anEmptyBlockIsToldWhatToDo()
{
    ShownPanel panel(emptyDesign(pipeline(PlacementKind::V, 4, 8, 8)));
    QVERIFY(panel.view().schedule() == nullptr);
    QVERIFY(figuresOf(panel).isEmpty());
    const QImage empty = panel.view().grab().toImage();
    std::set<QRgb> colours;
    for (int y = 0; y < empty.height(); ++y)
        for (int x = 0; x < empty.width(); ++x)
            colours.insert(empty.pixel(x, y));
    QVERIFY(colours.size() > 5); // there are words on it
    // Nothing of this crashes without a timeline.
    for (QAction* action : panel.panel.menuActions())
        if (!action->isSeparator() && action->objectName() != "schedule.search")
            action->trigger();
    drag(&panel.view(), { 100, 50 }, { 300, 90 });
    drag(&panel.panel.minimap(), { 100, 10 }, { 300, 10 });
    wheel(&panel.view(), { 200, 100 }, 120, Qt::ControlModifier);
}

void SchedulePanelTest::searchFindsSelectsAndMarksTheOverview()
{
    ShownPanel panel(libraryDesign("v-half"));
    QTest::keyClick(&panel.view(), Qt::Key_Slash);
    QVERIFY(panel.panel.searchBar().isVisible());
    auto* line = panel.panel.findChild<QLineEdit*>("schedule.searchLine");
    QTRY_VERIFY(line->hasFocus());
    const QImage before = panel.panel.minimap().grab().toImage();
    QTest::keyClicks(line, "F3 @dev2");
    QCOMPARE(panel.panel.searchBar().hits().size(), std::size_t { 2 });
    QVERIFY(panel.panel.minimap().grab().toImage() != before);
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(panel.view().selection(), (std::vector<Pass> { { StageId { 2 }, MicroBatch { 3 }, PassKind::F } }));
    QTest::keyClick(line, Qt::Key_Return);
    QCOMPARE(panel.view().selection().back().stage, StageId { 5 });
    QTest::keyClick(line, Qt::Key_Return, Qt::ShiftModifier);
    QCOMPARE(panel.view().selection().back().stage, StageId { 2 });
    line->setText("nonsense");
    QVERIFY(panel.panel.searchBar().hits().empty());
    QVERIFY(panel.panel.findChild<QLabel*>("schedule.searchCount")->text().contains("nonsense"));
    line->setText("W");
    panel.live.setForm(Form::Reordered); // hits are those of the timeline that is shown
    QCOMPARE(panel.view().overlays().hits.size(), std::size_t { 64 });
    for (const PassIndex hit : panel.view().overlays().hits)
        QCOMPARE(panel.data().at(hit).pass.kind, PassKind::W);
    QTest::keyClick(line, Qt::Key_Escape);
    QVERIFY(!panel.panel.searchBar().isVisible());
    QVERIFY(panel.view().overlays().hits.empty());
}

void SchedulePanelTest::theFourGesturesOfTheOverview()
{
    ShownPanel panel(libraryDesign("v-half", 4, 64));
    ScheduleMinimap& map = panel.panel.minimap();
    const auto begin = [&] { return panel.panel.axis().map().begin; };
    const auto end = [&] { return panel.panel.axis().map().timeAt(panel.view().scene().plotWidth()); };
    const auto xOf = [&](double time) { return static_cast<int>(std::lround(map.xOf(time))); };
    panel.panel.axis().show(100, 200);
    const int y = map.height() / 2;
    drag(&map, { xOf(200), y }, { xOf(250), y }); // an edge
    QVERIFY(std::abs(begin() - 100) < 1e-6);
    QVERIFY(std::abs(end() - 250) < 2);
    drag(&map, { xOf(100), y }, { xOf(150), y });
    QVERIFY(std::abs(begin() - 150) < 2);
    const double length = end() - begin();
    drag(&map, { xOf(200), y }, { xOf(260), y }); // inside
    QVERIFY(std::abs(begin() - 210) < 3);
    QVERIFY(std::abs(end() - begin() - length) < 1e-6);
    drag(&map, { xOf(20), y }, { xOf(60), y }); // outside: a new window
    QVERIFY(std::abs(begin() - 20) < 2);
    QVERIFY(std::abs(end() - 60) < 2);
    QTest::mouseClick(&map, Qt::LeftButton, {}, { xOf(300), y }); // a jump
    QVERIFY(std::abs((begin() + end()) / 2 - 300) < 2);
    QVERIFY(std::abs(end() - begin() - 40) < 2);
    panel.panel.axis().back(); // to where the jump began
    QVERIFY(std::abs(begin() - 20) < 2);
}

void SchedulePanelTest::theOverviewWorksWithKeysAndWheel()
{
    ShownPanel panel(libraryDesign("v-half", 4, 64));
    ScheduleMinimap& map = panel.panel.minimap();
    QVERIFY(map.focusPolicy() & Qt::TabFocus);
    panel.panel.axis().show(100, 200);
    const double begin = panel.panel.axis().map().begin;
    QTest::keyClick(&map, Qt::Key_Right);
    QVERIFY(panel.panel.axis().map().begin > begin);
    QTest::keyClick(&map, Qt::Key_Left);
    QVERIFY(std::abs(panel.panel.axis().map().begin - begin) < 1e-6);
    const double scale = panel.panel.axis().map().pixelsPerTick;
    QTest::keyClick(&map, Qt::Key_Plus);
    QVERIFY(panel.panel.axis().map().pixelsPerTick > scale);
    const int x = static_cast<int>(map.xOf(150));
    const double time = map.timeAt(x);
    const double at = panel.panel.axis().map().xOf(time);
    wheel(&map, { x, 20 }, 120);
    QVERIFY(std::abs(panel.panel.axis().map().xOf(time) - at) < 1);
}

void SchedulePanelTest::theCriticalPathIsThatOfCore()
{
    ShownPanel panel(libraryDesign("v-half"));
    QVERIFY(panel.view().overlays().criticalPath.empty());
    QTest::keyClick(&panel.view(), Qt::Key_K);
    const std::vector<PathStep> path = criticalPath(panel.data().timeline(), panel.data().pipeline());
    QVERIFY(!path.empty());
    QVERIFY(panel.view().overlays().criticalPath == path);
    QVERIFY(panel.panel.findChild<QCheckBox*>("schedule.criticalPath.box")->isChecked());
    const QImage drawn = panel.view().grab().toImage();
    for (const PathStep& step : path) {
        const QRectF rect = panel.view().scene().rectOf(panel.data().find(step.pass));
        QCOMPARE(
            drawn.pixelColor(static_cast<int>(rect.center().x()), static_cast<int>(rect.top())), lightTheme().critical);
    }
    panel.live.setForm(Form::Reordered);
    QVERIFY(panel.view().overlays().criticalPath != path);
    QTest::mouseClick(panel.panel.findChild<QCheckBox*>("schedule.criticalPath.box"), Qt::LeftButton, {}, { 8, 8 });
    QVERIFY(panel.view().overlays().criticalPath.empty());
}

void SchedulePanelTest::coloursTellKindMicroBatchOrStage()
{
    ShownPanel panel(libraryDesign("v-half"));
    const PassIndex pass = panel.find(5, PassKind::B, 3);
    const auto colour = [&] {
        const QPoint at = panel.view().scene().rectOf(pass).topLeft().toPoint() + QPoint(4, 3);
        return panel.view().grab().toImage().pixelColor(at);
    };
    QCOMPARE(colour(), lightTheme().backward.fill);
    QTest::keyClick(&panel.view(), Qt::Key_2);
    QCOMPARE(colour(), colourOfNumber(3).fill);
    QTest::keyClick(&panel.view(), Qt::Key_3);
    QCOMPARE(colour(), colourOfNumber(5).fill);
    QVERIFY(panel.panel.action("schedule.colourStage")->isChecked());
    QTest::keyClick(&panel.view(), Qt::Key_1);
    QCOMPARE(colour(), lightTheme().backward.fill);
}

void SchedulePanelTest::withoutMemoryRowsShowPassesAlone()
{
    ShownPanel panel(libraryDesign("v-half"));
    QVERIFY(panel.view().scene().bandsAt(0).memoryHeight > 0);
    QTest::keyClick(&panel.view(), Qt::Key_M);
    QCOMPARE(panel.view().scene().bandsAt(0).memoryHeight, 0.0);
    QVERIFY(!panel.panel.findChild<QCheckBox*>("schedule.memory.box")->isChecked());
    QTest::keyClick(&panel.view(), Qt::Key_M);
    QVERIFY(panel.view().scene().bandsAt(0).memoryHeight > 0);
}

void SchedulePanelTest::aRangeIsCopiedAsATable()
{
    ShownPanel panel(libraryDesign("v-half"));
    panel.view().setRange(TimeRange { 0, 59 });
    QTest::keyClick(&panel.view(), Qt::Key_C, Qt::ControlModifier);
    const QStringList lines = QGuiApplication::clipboard()->text().split('\n');
    QCOMPARE(lines[0], QString("device,from,to,busy,idle,transfer,peak,passes"));
    QCOMPARE(lines[1], QString("0,0,59,48,11,0,6,48"));
    panel.view().setRange({});
    panel.view().select({ panel.data().at(0).pass });
    QVERIFY(panel.panel.csv().contains("0F0,0,0,0,F,0,1"));
}

void SchedulePanelTest::actionsHaveNamesTextsAndKeysOfTheirOwn()
{
    ShownPanel panel(libraryDesign("v-half"));
    std::set<QString> names;
    std::set<QString> keys;
    for (QAction* action : panel.panel.menuActions()) {
        if (action->isSeparator())
            continue;
        QVERIFY2(action->objectName().startsWith("schedule."), qPrintable(action->text()));
        QVERIFY(names.insert(action->objectName()).second);
        QVERIFY(!action->text().isEmpty());
        QCOMPARE(action->shortcutContext(), Qt::WidgetWithChildrenShortcut);
        QVERIFY(panel.panel.actions().contains(action));
        for (const QKeySequence& key : action->shortcuts())
            QVERIFY2(keys.insert(key.toString()).second, qPrintable(key.toString()));
    }
    QVERIFY(names.size() > 25);
}

void SchedulePanelTest::everyControlHasANameForScreenReaders()
{
    ShownPanel panel(libraryDesign("v-half"));
    for (QWidget* widget : panel.panel.findChildren<QWidget*>()) {
        if (widget->focusPolicy() == Qt::NoFocus)
            continue;
        QVERIFY2(
            !widget->accessibleName().isEmpty(), qPrintable(widget->metaObject()->className() + widget->objectName()));
    }
}

PIPELOOM_WINDOW_TEST_MAIN(SchedulePanelTest)
#include "schedule_panel_test.moc"
