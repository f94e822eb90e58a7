// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/panel_frame.h"
#include "tests/designer/window_test_main.h"

#include <QLabel>
#include <QToolButton>

using namespace pipeloom::designer;
using namespace pipeloom::designer::testing;

class PanelFrameTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { failOnWarnings(); }

    void theNoteGivesWayWhereThereIsNoRoom();
    void controlsStandOnTheirSides();
    void newContentTakesThePlaceOfTheOld();
    void theTitleBarFollowsTextSizeAndTheme();

private:
    static QLabel* noteOf(PanelFrame& frame) { return frame.findChild<QLabel*>("panelNote"); }
};

void PanelFrameTest::theNoteGivesWayWhereThereIsNoRoom()
{
    PanelFrame frame("Findings");
    const QString note = "3 errors · 12 warnings · 4 notes";
    frame.setNote(note);
    frame.resize(600, 200);
    frame.show();
    QCOMPARE(noteOf(frame)->text(), note);
    QVERIFY(noteOf(frame)->toolTip().isEmpty());
    frame.resize(160, 200);
    QCOMPARE(frame.width(), 160); // the note does not keep the panel wide
    QVERIFY(noteOf(frame)->text() != note);
    QCOMPARE(noteOf(frame)->toolTip(), note);
    QCOMPARE(frame.note(), note);
    frame.resize(600, 200);
    QTRY_COMPARE(noteOf(frame)->text(), note);
}

void PanelFrameTest::controlsStandOnTheirSides()
{
    PanelFrame frame("Schedule");
    frame.setNote("59 ticks");
    auto* left = new QToolButton;
    auto* right = new QToolButton;
    frame.addHeaderWidget(left, PanelFrame::Side::BesideTitle);
    frame.addHeaderWidget(right);
    frame.resize(500, 200);
    frame.show();
    const auto x = [&](const QWidget* widget) { return widget->mapTo(&frame, QPoint(0, 0)).x(); };
    QVERIFY(x(frame.findChild<QLabel*>("panelTitle")) < x(left));
    QVERIFY(x(left) < x(noteOf(frame)));
    QVERIFY(x(noteOf(frame)) < x(right));
}

void PanelFrameTest::newContentTakesThePlaceOfTheOld()
{
    PanelFrame frame("Numbers");
    auto* first = new QWidget;
    frame.setContent(first);
    const QPointer<QWidget> old(first);
    auto* second = new QWidget;
    frame.setContent(second);
    QVERIFY(old.isNull());
    QCOMPARE(frame.content(), second);
    frame.resize(300, 200);
    frame.show();
    // All but the title bar and the border.
    QCOMPARE(second->geometry(), QRect(1, 1 + panelHeaderHeight, 298, 198 - panelHeaderHeight));
}

void PanelFrameTest::theTitleBarFollowsTextSizeAndTheme()
{
    PanelFrame frame("Inspector");
    frame.setNote("quiet");
    frame.setContent(new QWidget);
    frame.resize(300, 100);
    frame.show();
    const auto colourOfNote = [&] { return noteOf(frame)->palette().color(QPalette::WindowText); };
    QCOMPARE(colourOfNote(), lightTheme().muted);
    QCOMPARE(frame.grab().toImage().pixelColor(100, 60), lightTheme().panel);
    applyTheme(*qApp, ThemeChoice::Dark, 150);
    QCoreApplication::processEvents();
    QCOMPARE(colourOfNote(), darkTheme().muted);
    QCOMPARE(frame.grab().toImage().pixelColor(100, 60), darkTheme().panel);
    const int larger = frame.findChild<QLabel*>("panelTitle")->fontMetrics().height();
    applyTheme(*qApp, ThemeChoice::Light);
    QCoreApplication::processEvents();
    QCOMPARE(colourOfNote(), lightTheme().muted);
    QVERIFY(frame.findChild<QLabel*>("panelTitle")->fontMetrics().height() < larger);
}

PIPELOOM_WINDOW_TEST_MAIN(PanelFrameTest)
#include "panel_frame_test.moc"
