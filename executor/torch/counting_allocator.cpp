// SPDX-FileCopyrightText: Pipeloom contributors
// SPDX-License-Identifier: Apache-2.0
#include "executor/torch/counting_allocator.h"

#include "executor/torch/gpu_memory.h"

#include <ATen/core/Tensor.h>
#include <c10/core/CPUAllocator.h>
#include <c10/core/impl/alloc_cpu.h>
#include <malloc.h>

#include <limits>
#include <mutex>
#include <new>

namespace pipeloom::executor {

namespace {

/// Stands before the data.
struct Header {
    std::shared_ptr<MemoryAccount> account; ///< none: allocated outside every scope, not counted
    MemoryClass use = MemoryClass::Activations;
    Bytes bytes = 0;
};

/// LibTorch aligns data to 64 bytes; what stands before it must not spoil that. Between header and data lies the frame of
/// messages (device_work.h).
constexpr std::size_t alignment = 64;
constexpr std::size_t headerBytes = alignment + frameBytes;
static_assert(sizeof(Header) <= alignment && frameBytes % alignment == 0);

Header* headerOf(void* data)
{
    return static_cast<Header*>(static_cast<void*>(static_cast<std::byte*>(data) - headerBytes));
}

void release(void* data)
{
    if (data == nullptr)
        return;
    Header* header = headerOf(data);
    if (header->account)
        header->account->take(header->use, header->bytes);
    header->~Header();
    c10::free_cpu(header);
}

class CountingAllocator final : public c10::Allocator {
public:
    c10::DataPtr allocate(std::size_t bytes) override
    {
        void* data = bytes == 0 ? nullptr : allocateCounted(bytes);
        // The context is the data pointer itself: ATen's scratch memory is given back by raw_deleter with it alone.
        return { data, data, &release, c10::Device(c10::DeviceType::CPU) };
    }

    c10::DeleterFnPtr raw_deleter() const override { return &release; }
    void copy_data(void* to, const void* from, std::size_t count) const override { default_copy_data(to, from, count); }

private:
    static void* allocateCounted(std::size_t bytes)
    {
        void* block = c10::alloc_cpu(bytes + headerBytes);
        auto* header = new (block) Header;
        header->bytes = static_cast<Bytes>(bytes);
        const MemoryScope* scope = MemoryScope::current();
        if (scope != nullptr && scope->account() && !scope->account()->isOfGpu()) {
            header->account = scope->account();
            header->use = scope->use();
            header->account->add(header->use, header->bytes);
        }
        return static_cast<std::byte*>(block) + headerBytes;
    }
};

void keepFreedPages()
{
    // Beyond this size malloc maps each block by itself, and 32 MiB is the most that it lets itself be told.
    mallopt(M_MMAP_THRESHOLD, 32 << 20);
    mallopt(M_TRIM_THRESHOLD, std::numeric_limits<int>::max());
    // Threads' own arenas consist of heaps of 64 MiB, which are given back as soon as they are empty.
    mallopt(M_ARENA_MAX, 1);
}

} // namespace

void countMemory()
{
    static std::once_flag once;
    std::call_once(once, [] {
        // Never destroyed: tensors may be freed until the very end of the process.
        static auto* allocator = new CountingAllocator;
        c10::SetCPUAllocator(allocator, 1);
        keepFreedPages();
    });
}

bool hasFrame(const at::Tensor& tensor)
{
    if (!tensor.defined() || !tensor.is_contiguous() || tensor.storage_offset() != 0)
        return false;
    return tensor.storage().data_ptr().get_deleter() == &release;
}

void relabel(const at::Tensor& tensor, const std::shared_ptr<MemoryAccount>& account, MemoryClass use)
{
    if (!tensor.defined() || !tensor.has_storage())
        return;
    const c10::DataPtr& data = tensor.storage().data_ptr();
    if (account && account->isOfGpu()) {
        relabelGpuMemory(data.get(), account, use);
        return;
    }
    if (data.get() == nullptr || data.get_deleter() != &release)
        return;
    Header* header = headerOf(data.get_context());
    if (header->account && header->account == account) {
        account->move(header->use, use, header->bytes);
    } else {
        if (header->account)
            header->account->take(header->use, header->bytes);
        if (account)
            account->add(use, header->bytes);
        header->account = account;
    }
    header->use = use;
}

} // namespace pipeloom::executor
