// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0

// LibTorch's TCPStore behind Store.

#include "executor/torch/tcp_store.h"

#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include <algorithm>
#include <future>
#include <thread>
#include <vector>

namespace pipeloom::executor {

namespace {

using Bytes8 = std::vector<std::uint8_t>;

Bytes8 bytesOf(const std::string& text) { return { text.begin(), text.end() }; }
std::string textOf(const Bytes8& bytes) { return { bytes.begin(), bytes.end() }; }

/// Calls `action`, with LibTorch's exceptions as StoreLost.
template <class Action> auto asking(const StoreAddress& address, Action&& action)
{
    try {
        return action();
    } catch (const std::exception& error) {
        throw StoreLost(
            "the store at " + address.host + ":" + std::to_string(address.port) + ": " + firstLineOf(error));
    }
}

class TorchStore : public Store {
public:
    TorchStore(c10::intrusive_ptr<c10d::TCPStore> tcp, StoreAddress address)
        : tcp_(std::move(tcp))
        , address_(std::move(address))
        , store_(c10::make_intrusive<c10d::PrefixStore>(address_.prefix, tcp_))
    {
    }

    void set(const std::string& key, const std::string& value) override
    {
        asking(address_, [&] {
            store_->set(key, bytesOf(value));
            // It does not wait for the server; the answer to a question behind it says that the value stands there.
            (void)store_->check({ key });
        });
    }

    std::optional<std::string> get(const std::string& key) override
    {
        return asking(address_, [&]() -> std::optional<std::string> {
            if (!store_->check({ key }))
                return {};
            return textOf(store_->get(key));
        });
    }

    std::vector<std::optional<std::string>> getAll(std::span<const std::string> keys) override
    {
        const std::vector<std::string> all(keys.begin(), keys.end());
        std::vector<std::optional<std::string>> values(all.size());
        if (all.empty())
            return values;
        const bool allAreThere = asking(address_, [&] { return store_->check(all); });
        if (!allAreThere) {
            for (std::size_t i = 0; i < all.size(); ++i)
                values[i] = get(all[i]);
            return values;
        }
        const auto found = asking(address_, [&] { return store_->multiGet(all); });
        for (std::size_t i = 0; i < found.size(); ++i)
            values[i] = textOf(found[i]);
        return values;
    }

    std::string claim(const std::string& key, const std::string& value) override
    {
        return asking(address_, [&] { return textOf(store_->compareSet(key, {}, bytesOf(value))); });
    }

    [[nodiscard]] std::uint16_t port() const { return tcp_->getPort(); }

private:
    c10::intrusive_ptr<c10d::TCPStore> tcp_;
    StoreAddress address_;
    c10::intrusive_ptr<c10d::PrefixStore> store_;
};

} // namespace

std::chrono::milliseconds milliseconds(Nanoseconds time)
{
    return std::max(std::chrono::milliseconds(1), std::chrono::duration_cast<std::chrono::milliseconds>(time));
}

std::string firstLineOf(const std::exception& error)
{
    const std::string what = error.what();
    std::string line = what.substr(0, what.find('\n'));
    while (line.ends_with('.'))
        line.pop_back();
    return line;
}

c10::intrusive_ptr<c10d::TCPStore> tcpStore(const StoreAddress& address, bool hosts, Nanoseconds limit)
{
    c10d::TCPStoreOptions options;
    options.port = address.port;
    options.isServer = hosts;
    options.waitWorkers = false;
    options.timeout = milliseconds(limit);
    FLAGS_caffe2_log_level = static_cast<int>(c10::GLOG_ERROR); // what is lost is said by our own findings, once
    // A server of another kind on that port may take the connection and say nothing for ever, and LibTorch waits for it as
    // long. Then the thread is left behind.
    std::promise<c10::intrusive_ptr<c10d::TCPStore>> promise;
    auto connected = promise.get_future();
    std::thread([promise = std::move(promise), host = address.host, options]() mutable {
        try {
            promise.set_value(c10::make_intrusive<c10d::TCPStore>(host, options));
        } catch (...) {
            promise.set_exception(std::current_exception());
        }
    }).detach();
    if (connected.wait_for(limit + std::chrono::seconds(1)) != std::future_status::ready)
        throw std::runtime_error("who answers there is no store, or does not answer in time");
    return connected.get();
}

HostedStore hostStore(const StoreAddress& address, Nanoseconds limit)
{
    c10::intrusive_ptr<c10d::TCPStore> tcp;
    try {
        tcp = tcpStore(address, true, limit);
    } catch (const std::exception& error) {
        throw PortTaken(firstLineOf(error));
    }
    StoreAddress here = address;
    here.port = tcp->getPort();
    return { std::make_unique<TorchStore>(std::move(tcp), here), here.port };
}

std::unique_ptr<Store> connectStore(const StoreAddress& address, Nanoseconds limit)
{
    return std::make_unique<TorchStore>(asking(address, [&] { return tcpStore(address, false, limit); }), address);
}

} // namespace pipeloom::executor
