// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/designer/figures/live_figures.h"

#include <QElapsedTimer>

namespace pipeloom::designer {

namespace {

std::int64_t passesOf(const Design& design)
{
    if (const BuildingBlock* block = design.block())
        return static_cast<std::int64_t>(block->passes.size()) * design.pipeline.microBatches
            / std::max(block->group, 1);
    return static_cast<std::int64_t>(design.schedule()->slots.size());
}

Form formOf(const Design& design, std::optional<Form> form)
{
    if (design.schedule())
        return Form::Squeezed;
    return form.value_or(design.reorder ? Form::Reordered : Form::Squeezed);
}

/// Whether a block that has errors is all there, so that its order can be tried.
bool hasBlockErrors(const Findings& findings)
{
    return std::any_of(findings.begin(), findings.end(), [](const Finding& finding) {
        return finding.severity == Severity::Error && finding.rule.starts_with("block/");
    });
}

std::string reasonOf(const Findings& findings)
{
    for (const Finding& finding : findings)
        if (finding.severity == Severity::Error)
            return finding.message;
    return "The order cannot run to its end.";
}

} // namespace

LiveFigures::LiveFigures(Document& document, QObject* parent)
    : QObject(parent)
    , document_(document)
    , figures_(std::make_shared<const Figures>())
{
    pool_.setMaxThreadCount(1);
    connect(&document_, &Document::shownChanged, this, &LiveFigures::update);
    connect(&document_, &Document::wasReset, this, [this] {
        figures_ = std::make_shared<const Figures>(); // nothing of another document is shown dimmed
        update();
    });
    update();
}

LiveFigures::~LiveFigures() { pool_.waitForDone(); }

void LiveFigures::setForm(std::optional<Form> form)
{
    if (form == form_)
        return;
    form_ = form;
    update();
}

void LiveFigures::setWhatIf(const WhatIf& whatIf)
{
    if (whatIf == whatIf_)
        return;
    whatIf_ = whatIf;
    update();
}

Figures LiveFigures::make(const DesignPtr& design, std::optional<Form> form) const
{
    Figures made;
    made.design = design;
    made.planned = design;
    made.plan = plan(*design, { form, std::nullopt });
    made.plan.program = {};
    made.findings = made.plan.findings;
    made.bounds = made.plan.bounds;
    made.standing = !made.plan.simulated() ? Standing::None
        : hasBlockErrors(made.findings)    ? Standing::OfItsOrder
                                           : Standing::Whole;
    if (made.standing == Standing::None)
        made.reason = reasonOf(made.findings);
    if (made.plan.form == Form::Squeezed)
        made.squeezedTicks = made.plan.metrics.makespan();
    return made;
}

void LiveFigures::update()
{
    ++generation_;
    const DesignPtr& shown = document_.shown();
    wanted_ = whatIf_.isNothing() ? shown : std::make_shared<const Design>(applied(whatIf_, *shown));
    const auto passes = static_cast<double>(std::max<std::int64_t>(passesOf(*wanted_), 1));
    const Form form = formOf(*wanted_, form_);
    const auto budgetNs = static_cast<double>(budgetUs_) * 1000;
    const bool squeezedFits = passes * squeezedNsPerPass_ <= budgetNs;
    if (!squeezedFits) {
        startJob();
        return;
    }
    QElapsedTimer clock;
    clock.start();
    Figures squeezed = make(wanted_, form == Form::Reordered ? Form::Squeezed : form);
    squeezedNsPerPass_ = 0.7 * squeezedNsPerPass_ + 0.3 * static_cast<double>(clock.nsecsElapsed()) / passes;
    if (form != Form::Reordered || squeezed.standing == Standing::None) {
        show(std::move(squeezed));
        return;
    }
    if (passes * (squeezedNsPerPass_ + reorderedNsPerPass_) <= budgetNs) {
        clock.restart();
        Figures reordered = make(wanted_, form);
        reorderedNsPerPass_ = 0.7 * reorderedNsPerPass_ + 0.3 * static_cast<double>(clock.nsecsElapsed()) / passes;
        reordered.squeezedTicks = squeezed.squeezedTicks;
        show(std::move(reordered));
        return;
    }
    squeezed.pending = true;
    show(std::move(squeezed));
    startJob();
}

void LiveFigures::startJob()
{
    if (running_)
        return; // it is followed by the newest request when it ends
    running_ = true;
    runningFor_ = generation_;
    const Form form = formOf(*wanted_, form_);
    pool_.start([this, design = wanted_, form, generation = generation_] {
        Figures made = make(design, form);
        if (form == Form::Reordered)
            made.squeezedTicks = make(design, Form::Squeezed).squeezedTicks;
        auto result = std::make_shared<Figures>(std::move(made));
        QMetaObject::invokeMethod(
            this,
            [this, result, generation] {
                running_ = false;
                // A stale result still shows how it goes while the mouse moves on, if nothing newer is there.
                if (generation == generation_)
                    show(std::move(*result));
                else
                    startJob();
            },
            Qt::QueuedConnection);
    });
    Q_EMIT changed();
}

void LiveFigures::show(Figures figures)
{
    if (figures.standing == Standing::None && figures_->plan.simulated()) {
        figures.plan = figures_->plan;
        figures.planned = figures_->planned;
        figures.squeezedTicks = figures_->squeezedTicks;
        figures.standing = Standing::Earlier;
    }
    figures_ = std::make_shared<const Figures>(std::move(figures));
    Q_EMIT changed();
}

} // namespace pipeloom::designer
