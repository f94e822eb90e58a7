// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
// The real store and the real gloo: between threads, which have a connection each as processes have, and between processes
// where one is to be lost.

#include "executor/processes/rendezvous.h"

#include <QTest>
#include <csignal>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <future>
#include <thread>
#include <vector>

using namespace pipeloom::executor;

namespace {

constexpr auto limit = std::chrono::seconds(20);

std::vector<std::byte> pattern(std::size_t size, int seed)
{
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i)
        bytes[i] = static_cast<std::byte>((i * 31 + static_cast<std::size_t>(seed) * 7) & 0xff);
    return bytes;
}

} // namespace

class GlooTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theStoreKeepsWhatIsSetAndTheFirstClaimWins();
    void aPortThatIsTakenAndAStoreThatIsNotThereAreSaid();
    void messagesOfAllSizesArriveBothWaysAtOnce();
    void tagsDoNotWaitForEachOther();
    void abortEndsWhatWaits();
    void aKilledPeerEndsAReceive();
    void aStoreThatGoesAwayIsLost();
};

void GlooTest::theStoreKeepsWhatIsSetAndTheFirstClaimWins()
{
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    QVERIFY(hosted.port != 0);
    const auto other = connectStore({ "127.0.0.1", hosted.port, "run" }, limit);
    const auto stranger = connectStore({ "127.0.0.1", hosted.port, "another run" }, limit);
    QVERIFY(!other->get("a").has_value());
    hosted.store->set("a", std::string("1\0002", 3));
    QCOMPARE(*other->get("a"), std::string("1\0002", 3));
    QVERIFY(!stranger->get("a").has_value());
    const std::array<std::string, 2> keys { "a", "b" };
    QVERIFY(!other->getAll(keys)[1].has_value());
    other->set("b", "2");
    QCOMPARE(*hosted.store->getAll(keys)[1], std::string("2"));
    QCOMPARE(hosted.store->claim("end", "mine"), std::string("mine"));
    QCOMPARE(other->claim("end", "mine too"), std::string("mine"));
}

void GlooTest::aPortThatIsTakenAndAStoreThatIsNotThereAreSaid()
{
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    try {
        (void)hostStore({ "127.0.0.1", hosted.port, "run" }, std::chrono::seconds(2));
        QFAIL("a port was taken twice");
    } catch (const PortTaken& taken) {
        QVERIFY2(QString(taken.what()).contains(QString::number(hosted.port)), taken.what());
    }
    QVERIFY_EXCEPTION_THROWN((void)connectStore({ "127.0.0.1", 1, "run" }, std::chrono::seconds(1)), StoreLost);
}

void GlooTest::messagesOfAllSizesArriveBothWaysAtOnce()
{
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    const StoreAddress address { "127.0.0.1", hosted.port, "run" };
    const std::array<std::size_t, 6> sizes { 1, 64, 4097, 65'536 + 64, 1'000'003, 8'000'000 };
    const auto rank = [&](int own) {
        const auto messages = connectGloo(address, own, 2, limit);
        const int other = 1 - own;
        bool right = true;
        std::thread sender([&] {
            for (std::size_t i = 0; i < sizes.size(); ++i)
                messages->send(other, 3, pattern(sizes[i], own + static_cast<int>(i)));
        });
        for (std::size_t i = 0; i < sizes.size(); ++i) {
            std::vector<std::byte> bytes(sizes[i]);
            messages->receive(other, 3, bytes);
            right = right && bytes == pattern(sizes[i], other + static_cast<int>(i));
        }
        sender.join();
        return right;
    };
    auto second = std::async(std::launch::async, rank, 1);
    QVERIFY(rank(0));
    QVERIFY(second.get());
}

void GlooTest::tagsDoNotWaitForEachOther()
{
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    const StoreAddress address { "127.0.0.1", hosted.port, "run" };
    auto second = std::async(std::launch::async, [&] {
        const auto messages = connectGloo(address, 1, 2, limit);
        std::thread one([&] { messages->send(0, 1, pattern(100'000, 1)); });
        std::thread two([&] { messages->send(0, 2, pattern(100'000, 2)); });
        one.join();
        two.join();
    });
    const auto messages = connectGloo(address, 0, 2, limit);
    std::vector<std::byte> bytes(100'000);
    messages->receive(1, 2, bytes); // while that of tag 1 has no receiver yet
    QVERIFY(bytes == pattern(100'000, 2));
    messages->receive(1, 1, bytes);
    QVERIFY(bytes == pattern(100'000, 1));
    second.get();
}

void GlooTest::abortEndsWhatWaits()
{
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    const StoreAddress address { "127.0.0.1", hosted.port, "run" };
    auto connecting = std::async(std::launch::async, [&] { return connectGloo(address, 1, 2, limit); });
    const auto messages = connectGloo(address, 0, 2, limit);
    const auto other = connecting.get();
    std::atomic<int> thrown = 0;
    std::thread receiver([&] {
        std::vector<std::byte> bytes(10);
        try {
            messages->receive(1, 1, bytes);
        } catch (const ConnectionLost&) {
            ++thrown;
        }
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    messages->abort();
    receiver.join();
    QCOMPARE(thrown.load(), 1);
    std::vector<std::byte> bytes(10);
    QVERIFY_EXCEPTION_THROWN(messages->receive(1, 1, bytes), ConnectionLost);
}

void GlooTest::aKilledPeerEndsAReceive()
{
    // The child is made before this process has any connection or thread.
    std::array<int, 2> port {};
    QCOMPARE(pipe(port.data()), 0);
    const pid_t child = fork();
    if (child == 0) {
        std::uint16_t number = 0;
        if (read(port[0], &number, sizeof number) != sizeof number)
            _exit(1);
        const auto messages = connectGloo({ "127.0.0.1", number, "run" }, 1, 2, limit);
        std::vector<std::byte> bytes(4);
        messages->receive(0, 1, bytes);
        raise(SIGKILL);
    }
    const auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    QCOMPARE(write(port[1], &hosted.port, sizeof hosted.port), static_cast<ssize_t>(sizeof hosted.port));
    const auto messages = connectGloo({ "127.0.0.1", hosted.port, "run" }, 0, 2, limit);
    messages->send(1, 1, pattern(4, 1));
    std::vector<std::byte> bytes(100);
    QVERIFY_EXCEPTION_THROWN(messages->receive(1, 2, bytes), ConnectionLost);
    int status = 0;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFSIGNALED(status));
    ::close(port[0]);
    ::close(port[1]);
}

void GlooTest::aStoreThatGoesAwayIsLost()
{
    auto hosted = hostStore({ "127.0.0.1", 0, "run" }, limit);
    const auto client = connectStore({ "127.0.0.1", hosted.port, "run" }, std::chrono::seconds(2));
    client->set("a", "1");
    hosted.store.reset();
    QVERIFY_EXCEPTION_THROWN(
        {
            for (int i = 0; i < 100; ++i)
                client->set("a", "2");
        },
        StoreLost);
}

QTEST_APPLESS_MAIN(GlooTest)
#include "gloo_test.moc"
