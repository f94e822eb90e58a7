// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// Rolling back with the real model: what of it is kept, put back and taken again, bit for bit.

#include "core/library/library.h"
#include "core/plan/plan.h"
#include "core/program/lower.h"
#include "executor/local_run.h"
#include "executor/torch/process.h"
#include "executor/torch/torch_work.h"
#include "tests/executor/tiny_model.h"

#include <ATen/ATen.h>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <mutex>

using namespace pipeloom;
using namespace pipeloom::executor;

namespace {

/// Parameters and moments of one device, as a checkpoint has them.
std::vector<NamedValues> learnt(const TorchWork& work)
{
    std::vector<NamedValues> all;
    const auto add = [&](const std::string& name, const at::Tensor& tensor) {
        const auto* values = tensor.const_data_ptr<float>();
        all.push_back({ name, { values, values + tensor.numel() } });
    };
    for (const auto& stage : work.stages())
        for (const Parameter& parameter : stage->parameters()) {
            add(parameter.plan.name, parameter.value);
            add(parameter.plan.name + " first moment", parameter.firstMoment);
            add(parameter.plan.name + " second moment", parameter.secondMoment);
        }
    return all;
}

/// What a run's devices had learnt at the beginning of each step; where one began again, the last time.
struct Diary {
    std::mutex mutex;
    std::map<std::int64_t, std::map<std::int32_t, std::vector<NamedValues>>> atBeginOf; ///< step, device
    std::map<std::int32_t, std::vector<NamedValues>> wrong; ///< by device: after the step that is undone
    std::map<std::int32_t, std::vector<NamedValues>> atEnd;
    std::vector<double> losses;
};

/// The model's share of a device, with a fault in one step.
class WatchedWork : public DeviceWork {
public:
    struct Fault {
        std::int64_t step = -1;
        DeviceId device;
        bool skips = false; ///< the optimizer's step is left out; false: a gradient has a NaN
    };

    WatchedWork(const ModelSetup& setup, DeviceId device, std::vector<StageId> stages, Fault fault,
        std::shared_ptr<Diary> diary)
        : work_(setup, device, stages)
        , device_(device)
        , fault_(fault)
        , diary_(std::move(diary))
    {
    }
    ~WatchedWork() override
    {
        const std::lock_guard held(diary_->mutex);
        diary_->atEnd[device_.value] = learnt(work_);
    }
    WatchedWork(const WatchedWork&) = delete;
    WatchedWork& operator=(const WatchedWork&) = delete;

    void beginStep(std::int64_t step) override
    {
        step_ = step;
        {
            const std::lock_guard held(diary_->mutex);
            diary_->atBeginOf[step][device_.value] = learnt(work_);
        }
        work_.beginStep(step);
    }
    Payload run(const Pass& pass, Payload input) override { return work_.run(pass, std::move(input)); }
    Payload packGradients(StageId stage) override { return work_.packGradients(stage); }
    void setGradients(StageId stage, const std::vector<Payload>& gradients) override
    {
        work_.setGradients(stage, gradients);
    }
    std::vector<StageSums> sums() override
    {
        if (step_ == fault_.step && device_ == fault_.device && !fault_.skips) {
            Parameter& spoilt = work_.stages().front()->parameters().back();
            spoilt.gradient.view(-1)[3] = std::numeric_limits<float>::quiet_NaN();
        }
        return work_.sums();
    }
    void optimizerStep(std::int64_t step, double scale) override
    {
        if (step == fault_.step && fault_.skips)
            work_.discardStep();
        else
            work_.optimizerStep(step, scale);
    }
    void optimizerStepAhead(std::int64_t step) override { work_.optimizerStepAhead(step); }
    void confirmStep() override { work_.confirmStep(); }
    void undoStep() override
    {
        {
            const std::lock_guard held(diary_->mutex);
            diary_->wrong[device_.value] = learnt(work_);
        }
        work_.undoStep();
    }
    void discardStep() override { work_.discardStep(); }
    std::string notFinite(StageId stage) const override { return work_.notFinite(stage); }
    Payload receiveBuffer(const Pass& of) override { return work_.receiveBuffer(of); }
    void adopt(const Payload& payload, MemoryClass use) override { work_.adopt(payload, use); }
    MemoryUse memoryNow() const override { return work_.memoryNow(); }
    MemoryUse memoryPeaks() const override { return work_.memoryPeaks(); }
    void resetMemoryPeaks() override { work_.resetMemoryPeaks(); }

private:
    TorchWork work_;
    DeviceId device_;
    Fault fault_;
    std::shared_ptr<Diary> diary_;
    std::int64_t step_ = 0;
};

struct Trained {
    JobResult run;
    std::shared_ptr<Diary> diary = std::make_shared<Diary>();
};

Trained train(const char* schedule, OptimizerMode mode, WatchedWork::Fault fault, std::int64_t steps)
{
    LibraryRequest request;
    request.devices = 4;
    request.microBatches = 8;
    auto design = *findInLibrary(schedule)->make(request).design;
    design.model = tinyModel();
    design.training = pipeloom::Training {};
    ModelSetup setup = tinySetup(design);
    setup.stepsAhead = mode == OptimizerMode::PostValidation;

    Trained trained;
    Job job;
    job.program = *lower(plan(design, {}).schedule, design.pipeline, design.network, QueueModel::Directed);
    job.stages = design.pipeline.stages;
    job.steps = steps;
    job.optimizer = mode;
    job.nanPolicy = NanPolicy::Skip;
    job.makeWork = [setup, pipeline = design.pipeline, fault, diary = trained.diary](DeviceId device) {
        prepareThread(setup.intraOpThreads);
        return std::make_unique<WatchedWork>(setup, device, pipeline.stagesOn(device), fault, diary);
    };
    trained.run
        = runLocally(std::move(job), [&](const StepReport& step) { trained.diary->losses.push_back(step.loss); });
    return trained;
}

QString sentence(const JobResult& run) { return run.finding ? QString::fromStdString(text(*run.finding)) : QString(); }

Bytes optimizerBytes(const MemoryUse& use) { return use.byClass[static_cast<std::size_t>(MemoryClass::Optimizer)]; }

} // namespace

class RollBackTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anUndoneStepLeavesEveryBitAndItsGradients();
    void aConfirmedStepIsTheOrdinaryOne();
    void nothingIsAllocatedAfterTheBeginning();
    void withoutRoomNoStepIsTakenAhead();
    void case14ANaNInOneWeightGradientRollsAllRanksBack_data();
    void case14ANaNInOneWeightGradientRollsAllRanksBack();
};

namespace {

/// A device with all stages of a small model, after the passes of a step.
struct Single {
    ModelSetup setup;
    std::unique_ptr<TorchWork> work;

    explicit Single(bool stepsAhead)
    {
        const Design design = tinyDesign(PlacementKind::Linear, 1, 1, 2);
        setup = tinySetup(design);
        setup.stepsAhead = stepsAhead;
        prepareThread(setup.intraOpThreads);
        work = std::make_unique<TorchWork>(setup, DeviceId(0), std::array { StageId(0) });
    }
    void passes(std::int64_t step) const
    {
        work->beginStep(step);
        for (const Pass& pass : phases(1, 2, PassKind::B))
            (void)work->run(pass, {});
    }
    void step(std::int64_t step, double scale) const
    {
        passes(step);
        work->optimizerStep(step, scale);
    }
};

} // namespace

void RollBackTest::anUndoneStepLeavesEveryBitAndItsGradients()
{
    const Single single(true);
    single.step(0, 1); // moments that are not zero
    single.passes(1);
    const auto before = learnt(*single.work);
    const auto gradients = single.work->gradients();
    single.work->optimizerStepAhead(1);
    QVERIFY(!(learnt(*single.work) == before));
    // The next step has begun when the news comes.
    single.work->beginStep(2);
    (void)single.work->run(passOf(0, PassKind::F, 0), {});
    single.work->undoStep();
    QVERIFY(learnt(*single.work) == before);
    QVERIFY(single.work->gradients() == gradients);

    single.work->optimizerStep(1, 0.375);
    single.work->beginStep(2);
    const Single other(false);
    other.step(0, 1);
    other.step(1, 0.375);
    QVERIFY(learnt(*single.work) == learnt(*other.work));
    single.step(2, 1);
    other.step(2, 1);
    QVERIFY(learnt(*single.work) == learnt(*other.work));
}

void RollBackTest::aConfirmedStepIsTheOrdinaryOne()
{
    const Single ahead(true);
    const Single other(false);
    for (std::int64_t step = 0; step < 3; ++step) {
        ahead.passes(step);
        ahead.work->optimizerStepAhead(step);
        ahead.work->confirmStep();
        other.step(step, 1);
        QVERIFY(learnt(*ahead.work) == learnt(*other.work));
    }
    for (const NamedValues& gradient : ahead.work->gradients())
        QVERIFY(std::ranges::all_of(gradient.values, [](float x) { return x == 0; }));
}

void RollBackTest::nothingIsAllocatedAfterTheBeginning()
{
    const Single single(true);
    const auto made = optimizerBytes(single.work->memoryNow());
    Bytes elements = 0;
    for (const ParameterPlan& plan : single.setup.parameters)
        elements += plan.elements();
    QCOMPARE(made, elements * static_cast<Bytes>(sizeof(float)) * 5); // two moments; copies of weights and both
    for (std::int64_t step = 0; step < 3; ++step) {
        single.passes(step);
        single.work->optimizerStepAhead(step);
        if (step == 1) {
            single.work->undoStep();
            single.work->discardStep();
        } else {
            single.work->confirmStep();
        }
        QCOMPARE(optimizerBytes(single.work->memoryNow()), made);
    }
}

void RollBackTest::withoutRoomNoStepIsTakenAhead()
{
    const Single single(false);
    single.passes(0);
    QVERIFY_EXCEPTION_THROWN(single.work->optimizerStepAhead(0), std::logic_error);
}

void RollBackTest::case14ANaNInOneWeightGradientRollsAllRanksBack_data()
{
    QTest::addColumn<QString>("schedule");
    for (const char* name : { "1f1b", "zb-h1", "zb-h2", "v-half" })
        QTest::newRow(name) << QString(name);
}

void RollBackTest::case14ANaNInOneWeightGradientRollsAllRanksBack()
{
    QFETCH(QString, schedule);
    const auto name = schedule.toStdString();
    constexpr std::int64_t steps = 7;
    constexpr std::int64_t k = 3;
    const DeviceId culprit(2);
    const Trained trained = train(name.c_str(), OptimizerMode::PostValidation, { k, culprit, false }, steps);
    QVERIFY2(!trained.run.finding, qPrintable(sentence(trained.run)));
    QCOMPARE(trained.run.counts.skipped, std::int64_t { 1 });
    QCOMPARE(trained.run.counts.rolledBack, std::int64_t { 1 });
    QCOMPARE(trained.run.warnings.size(), std::size_t { 1 });
    const auto& warning = trained.run.warnings.front();
    QCOMPARE(*warning.where.front().device, culprit);
    QVERIFY2(warning.message.find("Step 3 was skipped") != std::string::npos, warning.message.c_str());
    QVERIFY2(warning.message.find("first that of `layer ") != std::string::npos, warning.message.c_str());

    Diary& diary = *trained.diary;
    QCOMPARE(diary.wrong.size(), std::size_t { 3 }); // all but the one that knew it by itself
    for (const auto& [device, values] : diary.wrong)
        QVERIFY2(!(values == diary.atBeginOf[k][device]), "the step had been taken");
    for (std::int32_t d = 0; d < 4; ++d)
        QVERIFY2(diary.atBeginOf[k + 1][d] == diary.atBeginOf[k][d], qPrintable(QString("device %1").arg(d)));

    const Trained skipped = train(name.c_str(), OptimizerMode::Synchronised, { k, culprit, true }, steps);
    QVERIFY2(!skipped.run.finding, qPrintable(sentence(skipped.run)));
    QVERIFY(diary.losses == skipped.diary->losses);
    QVERIFY(diary.atEnd == skipped.diary->atEnd);
    QVERIFY(!(diary.atEnd == diary.atBeginOf[0]));
}

QTEST_APPLESS_MAIN(RollBackTest)
#include "roll_back_test.moc"
