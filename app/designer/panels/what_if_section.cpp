// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/panels/what_if_section.h"

#include "app/designer/figures/live_figures.h"
#include "app/designer/panels/fields.h"

#include <QGridLayout>
#include <QHBoxLayout>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSlider>

#include <algorithm>

namespace pipeloom::designer {

namespace {

constexpr int mostPercent = 200;
constexpr int mostTicks = 20;

std::int32_t percentAt(const std::vector<std::int32_t>& list, int at)
{
    return at >= 0 && static_cast<std::size_t>(at) < list.size() ? list[static_cast<std::size_t>(at)] : 0;
}

void setPercent(std::vector<std::int32_t>& list, int at, int percent)
{
    if (at < 0)
        return;
    if (static_cast<std::size_t>(at) >= list.size())
        list.resize(static_cast<std::size_t>(at) + 1, 0);
    list[static_cast<std::size_t>(at)] = percent;
}

} // namespace

QString whatIfText(const WhatIf& whatIf)
{
    QStringList parts;
    const auto add = [&](const std::vector<std::int32_t>& list, const QString& text) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i] != 0)
                parts += text.arg(i).arg(list[i]);
    };
    add(whatIf.devicePercent, WhatIfSection::tr("dev %1 slower by %2 %"));
    add(whatIf.stagePercent, WhatIfSection::tr("stage %1 slower by %2 %"));
    if (whatIf.transfer != 0)
        parts += whatIf.transfer == 1 ? WhatIfSection::tr("transfers take 1 tick more")
                                      : WhatIfSection::tr("transfers take %1 ticks more").arg(whatIf.transfer);
    return parts.join(", ");
}

WhatIfSection::WhatIfSection(Document& document, LiveFigures& live, QWidget* parent)
    : Section(document, tr("What if"), "whatIfSection", parent)
    , live_(live)
{
    device_ = makeRow("whatIfDevice", {}, mostPercent);
    stage_ = makeRow("whatIfStage", {}, mostPercent);
    transfer_ = makeRow("whatIfTransfer", tr("transfers take"), mostTicks);
    sentence_ = new Remark(Remark::Tone::Accent);
    sentence_->setObjectName("whatIfSentence");
    sentence_->setWordWrap(true);
    sentence_->hide();
    addWide(sentence_);
    apply_ = new QPushButton(tr("Apply"));
    apply_->setObjectName("whatIfApply");
    apply_->setToolTip(tr("Make it part of the design, as one step"));
    reset_ = new QPushButton(tr("Reset"));
    reset_->setObjectName("whatIfReset");
    auto* buttons = new QWidget;
    auto* row = new QHBoxLayout(buttons);
    row->setContentsMargins(0, 0, 0, 0);
    row->addStretch(1);
    row->addWidget(reset_);
    row->addWidget(apply_);
    addWide(buttons);
    connect(apply_, &QPushButton::clicked, this, &WhatIfSection::apply);
    connect(reset_, &QPushButton::clicked, this, [this] { show({}); });
    connect(&document, &Document::wasReset, this, [this] { show({}); });
    for (const Row* each : { &device_, &stage_, &transfer_ })
        connect(each->slider, &QSlider::valueChanged, this, &WhatIfSection::slide);
    for (const Row* each : { &device_, &stage_ })
        connect(each->of, &QComboBox::currentIndexChanged, this, [this] { show(live_.whatIf()); });
    show(live_.whatIf());
}

WhatIfSection::Row WhatIfSection::makeRow(const QString& name, const QString& label, int most)
{
    Row made;
    made.slider = new SliderField(name);
    made.slider->setRange(0, most);
    made.slider->setPageStep(10);
    made.value = new QLabel;
    made.value->setMinimumWidth(54);
    made.value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    QWidget* left = nullptr;
    if (label.isEmpty()) {
        made.of = new ChoiceField(name + "Of");
        made.of->setAccessibleName(name == "whatIfDevice" ? tr("Device that is slower") : tr("Stage that is slower"));
        made.slider->setAccessibleName(tr("Slower by percent"));
        left = made.of;
    } else {
        left = new Remark(Remark::Tone::Quiet, label);
        made.slider->setAccessibleName(tr("Ticks that transfers take more"));
    }
    left->setFixedWidth(146);
    auto* line = new QWidget;
    auto* row = new QHBoxLayout(line);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(left);
    row->addWidget(made.slider, 1);
    row->addWidget(made.value);
    addWide(line);
    return made;
}

void WhatIfSection::fill(ChoiceField& choice, int count, const QString& text)
{
    if (choice.count() == count)
        return;
    const QSignalBlocker quiet(&choice);
    const int chosen = choice.currentIndex();
    choice.clear();
    for (int i = 0; i < count; ++i)
        choice.addItem(text.arg(i));
    choice.setCurrentIndex(std::clamp(chosen, 0, count - 1));
}

void WhatIfSection::take(const Design& design)
{
    fill(*device_.of, design.pipeline.devices, tr("dev %1 slower by"));
    fill(*stage_.of, design.pipeline.stages, tr("stage %1 slower by"));
}

/// Sets the sliders to it and the figures too.
void WhatIfSection::show(const WhatIf& whatIf)
{
    live_.setWhatIf(whatIf);
    const auto set = [](const Row& row, int value, const QString& text) {
        const QSignalBlocker quiet(row.slider);
        row.slider->setValue(value);
        row.value->setText(text);
    };
    const int device = percentAt(whatIf.devicePercent, device_.of->currentIndex());
    const int stage = percentAt(whatIf.stagePercent, stage_.of->currentIndex());
    set(device_, device, tr("%1 %").arg(device));
    set(stage_, stage, tr("%1 %").arg(stage));
    set(transfer_, static_cast<int>(whatIf.transfer),
        whatIf.transfer == 1 ? tr("1 tick") : tr("%1 ticks").arg(whatIf.transfer));
    const bool nothing = whatIf.isNothing();
    apply_->setEnabled(!nothing);
    reset_->setEnabled(!nothing);
    const Ticks cuts = cutsFor(whatIf, committed());
    const QString cut = cuts > 1 ? tr(" Ticks are cut into %1 for it.").arg(cuts) : QString();
    sentence_->say(nothing ? QString()
                           : tr("Shown as if: %1. No part of the design until applied.").arg(whatIfText(whatIf)) + cut);
}

void WhatIfSection::slide()
{
    WhatIf whatIf = live_.whatIf();
    setPercent(whatIf.devicePercent, device_.of->currentIndex(), device_.slider->value());
    setPercent(whatIf.stagePercent, stage_.of->currentIndex(), stage_.slider->value());
    whatIf.transfer = transfer_.slider->value();
    show(whatIf);
}

void WhatIfSection::apply()
{
    const WhatIf whatIf = live_.whatIf();
    if (whatIf.isNothing())
        return;
    document().breakMerge();
    const std::string name = tr("What if: %1").arg(whatIfText(whatIf)).toStdString();
    Edited edited { applied(whatIf, committed()), name, {} };
    live_.setWhatIf({}); // else the step would be shown with it on top
    document().apply(std::move(edited));
    show({});
}

} // namespace pipeloom::designer
