// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The sole owner of what part of time a timeline shows. Rulers, rows, minimap and memory curves only read it.

#include "app/designer/view/coordinates.h"

#include <QObject>

#include <vector>

namespace pipeloom::designer {

class TimeAxis : public QObject {
    Q_OBJECT
public:
    explicit TimeAxis(QObject* parent = nullptr);

    [[nodiscard]] const TimeMap& map() const { return map_; }
    [[nodiscard]] Ticks first() const { return first_; }
    [[nodiscard]] Ticks last() const { return last_; }

    /// What there is to see. The range shown is kept where it can be; if all was shown before, all is shown again.
    void setBounds(Ticks first, Ticks last);
    /// Of the area that time is drawn in, in pixels.
    void setWidth(double pixels);
    /// All of it, with a margin at the right.
    void fit();
    [[nodiscard]] bool isFitted() const { return fitted_; }
    /// The time at x stays where it is. factor > 1 shows less.
    void zoomAt(double x, double factor);
    void panBy(double pixels);
    /// Shows [from, to], in ticks, and remembers where it was.
    void show(double from, double to);
    void back();
    void forward();
    [[nodiscard]] bool canGoBack() const { return !past_.empty(); }
    [[nodiscard]] bool canGoForward() const { return !future_.empty(); }
    /// Keeps what is shown from now on while bounds change, as a gesture does; let go, it takes the bounds up.
    void hold(bool held);

Q_SIGNALS:
    void changed();

private:
    struct Range {
        double begin = 0;
        double end = 1;
    };
    void set(double begin, double end);
    void settle();
    [[nodiscard]] Range range() const;
    [[nodiscard]] Range whole() const;

    TimeMap map_;
    double width_ = 1;
    Ticks first_ = 0;
    Ticks last_ = 1;
    bool fitted_ = true;
    bool held_ = false;
    std::vector<Range> past_;
    std::vector<Range> future_;
};

} // namespace pipeloom::designer
