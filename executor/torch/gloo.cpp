// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// The one file that sees gloo. LibTorch's wheel brings gloo inside libtorch_cpu.so but no headers of it; Debian's, which are
// older, serve for the names of types that ProcessGroupGloo.hpp mentions. Nothing of gloo itself is called from here.

#include "executor/torch/tcp_store.h"

#ifdef USE_C10D_GLOO

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <mutex>
#include <set>
#include <vector>

namespace pipeloom::executor {

namespace {

/// gloo has no wait without end; a run's end is noticed otherwise (executor/processes/judge.h).
constexpr std::chrono::hours endless { 24 * 365 };

class GlooMessages : public Messages {
public:
    GlooMessages(const StoreAddress& address, int rank, int world, Nanoseconds limit)
    {
        const auto store
            = c10::make_intrusive<c10d::PrefixStore>(address.prefix + "/gloo", tcpStore(address, false, limit));
        const auto options = c10d::ProcessGroupGloo::Options::create(milliseconds(limit));
        options->threads = 1; // no collectives are asked for
        options->devices.push_back(isLoopback(address.host)
                ? c10d::ProcessGroupGloo::createDeviceForHostname(address.host)
                : c10d::ProcessGroupGloo::createDefaultDevice());
        group_ = c10::make_intrusive<c10d::ProcessGroupGloo>(store, rank, world, options);
    }

    void send(int to, int tag, std::span<const std::byte> bytes) override
    {
        // gloo only reads it; its interface has one kind of tensor.
        std::vector<at::Tensor> tensors { tensorOf(const_cast<std::byte*>(bytes.data()), bytes.size()) };
        finish([&] { return group_->send(tensors, to, tag); });
    }

    void receive(int from, int tag, std::span<std::byte> bytes) override
    {
        std::vector<at::Tensor> tensors { tensorOf(bytes.data(), bytes.size()) };
        finish([&] { return group_->recv(tensors, from, tag); });
    }

    void abort() override
    {
        std::set<c10::intrusive_ptr<c10d::Work>> waiting;
        {
            const std::lock_guard held(mutex_);
            aborted_ = true;
            waiting = waiting_;
        }
        for (const auto& work : waiting)
            work->abort();
    }

private:
    static bool isLoopback(const std::string& host)
    {
        return host == "localhost" || host == "::1" || host.starts_with("127.");
    }

    static at::Tensor tensorOf(std::byte* data, std::size_t size)
    {
        return at::from_blob(data, { static_cast<std::int64_t>(size) }, at::kByte);
    }

    template <class Start> void finish(Start&& start)
    {
        c10::intrusive_ptr<c10d::Work> work;
        try {
            work = start(); // copies what the connection does not take at once: not under the lock
            const bool ended = keep(work) && work->wait(std::chrono::duration_cast<std::chrono::milliseconds>(endless));
            forget(work);
            if (ended)
                return;
        } catch (const std::exception& error) {
            forget(work);
            throw ConnectionLost(firstLineOf(error));
        }
        throw ConnectionLost("the run has ended");
    }

    /// False: it came too late.
    bool keep(const c10::intrusive_ptr<c10d::Work>& work)
    {
        const std::lock_guard held(mutex_);
        waiting_.insert(work);
        return !aborted_;
    }

    void forget(const c10::intrusive_ptr<c10d::Work>& work)
    {
        const std::lock_guard held(mutex_);
        waiting_.erase(work);
    }

    c10::intrusive_ptr<c10d::ProcessGroupGloo> group_;
    std::mutex mutex_;
    std::set<c10::intrusive_ptr<c10d::Work>> waiting_;
    bool aborted_ = false;
};

} // namespace

std::shared_ptr<Messages> connectGloo(const StoreAddress& address, int rank, int world, Nanoseconds limit)
{
    try {
        return std::make_shared<GlooMessages>(address, rank, world, limit);
    } catch (const std::exception& error) {
        throw ConnectionLost(firstLineOf(error));
    }
}

} // namespace pipeloom::executor

#else

namespace pipeloom::executor {

std::shared_ptr<Messages> connectGloo(const StoreAddress&, int, int, Nanoseconds)
{
    throw ConnectionLost("this program was built without gloo: install libgloo-dev and build it again");
}

} // namespace pipeloom::executor

#endif
