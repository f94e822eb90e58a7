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
    // Nothing of another document is shown dimmed.
    connect(&document_, &Document::aboutToReset, this, [this] { figures_ = std::make_shared<const Figures>(); });
    update();
}

LiveFigures::~LiveFigures()
{
    stop_.request_stop();
    pool_.waitForDone();
}

void LiveFigures::markEarlier()
{
    const bool isOfAnother = running_ && !figures_->pending && figures_->planned != wanted_;
    if (!isOfAnother || figures_->standing == Standing::Earlier || figures_->standing == Standing::None)
        return;
    Figures earlier = *figures_;
    earlier.standing = Standing::Earlier;
    earlier.reason = tr("The new ones are still being made.").toStdString();
    show(std::move(earlier));
}

void LiveFigures::cancel()
{
    if (!running_)
        return;
    ++generation_;
    needsJob_ = false;
    stop_.request_stop();
    Figures given;
    given.design = wanted_;
    given.reason = tr("The figures were given up.").toStdString();
    show(std::move(given));
}

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

Figures LiveFigures::make(const DesignPtr& design, std::optional<Form> form, std::stop_token stop)
{
    Figures made;
    made.design = design;
    made.planned = design;
    made.plan = plan(*design, { form, std::nullopt, std::move(stop) });
    made.plan.program = {};
    made.findings = made.plan.findings;
    made.bounds = made.plan.bounds;
    // A block that is still being drawn has bounds for the devices that are all there.
    const auto isOfThePipeline = [](const Finding& finding) { return finding.rule.starts_with("pipeline/"); };
    if (const BuildingBlock* block = design->block(); block && block->interval >= 1
        && std::none_of(made.findings.begin(), made.findings.end(),
            [&](const Finding& finding) { return finding.severity == Severity::Error && isOfThePipeline(finding); }))
        made.bounds = bounds(*block, design->pipeline, design->memory);
    made.standing = !made.plan.simulated() ? Standing::None
        : hasBlockErrors(made.findings)    ? Standing::OfItsOrder
                                           : Standing::Whole;
    if (made.standing == Standing::None)
        made.reason = reasonOf(made.findings);
    made.squeezedTicks = made.plan.squeezedTicks;
    return made;
}

void LiveFigures::update()
{
    ++generation_;
    needsJob_ = false;
    const DesignPtr& shown = document_.shown();
    wanted_ = whatIf_.isNothing() ? shown : std::make_shared<const Design>(applied(whatIf_, *shown));
    const auto passes = static_cast<double>(std::max<std::int64_t>(passesOf(*wanted_), 1));
    const Form form = formOf(*wanted_, form_);
    const auto budgetNs = static_cast<double>(budgetUs_) * 1000;
    const bool reorders = form == Form::Reordered;
    double& nsPerPass = reorders ? reorderedNsPerPass_ : squeezedNsPerPass_;
    const auto makeNow = [&](Form now, double& measured) {
        QElapsedTimer clock;
        clock.start();
        Figures made = make(wanted_, now);
        // What a small design takes says little of a large one.
        constexpr double fewPasses = 1000;
        if (passes >= fewPasses)
            measured = 0.7 * measured + 0.3 * static_cast<double>(clock.nsecsElapsed()) / passes;
        return made;
    };
    if (passes * nsPerPass <= budgetNs) {
        show(makeNow(form, nsPerPass));
        return;
    }
    if (reorders && passes * squeezedNsPerPass_ <= budgetNs) {
        Figures squeezed = makeNow(Form::Squeezed, squeezedNsPerPass_);
        const bool simulated = squeezed.standing != Standing::None;
        squeezed.pending = simulated;
        show(std::move(squeezed));
        if (!simulated)
            return;
    }
    startJob();
}

void LiveFigures::startJob()
{
    needsJob_ = true;
    if (running_) {
        stop_.request_stop(); // the newest request follows at once
        return;
    }
    running_ = true;
    stop_ = std::stop_source();
    const Form form = formOf(*wanted_, form_);
    pool_.start([this, design = wanted_, form, generation = generation_, stop = stop_.get_token()] {
        auto result = std::make_shared<Figures>(make(design, form, stop));
        QMetaObject::invokeMethod(
            this,
            [this, result, generation] {
                running_ = false;
                if (generation == generation_) {
                    needsJob_ = false;
                    show(std::move(*result));
                } else if (needsJob_) {
                    startJob();
                } else {
                    Q_EMIT changed(); // it is not busy any more
                }
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
