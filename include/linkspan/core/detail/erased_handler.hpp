#ifndef LINKSPAN_CORE_DETAIL_ERASED_HANDLER_HPP
#define LINKSPAN_CORE_DETAIL_ERASED_HANDLER_HPP

#include <linkspan/core/detail/config.hpp>

#include <cstddef>
#include <new>
#include <type_traits>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

template<class Signature>
class erased_handler;

// Type-erased handler of the library itself, which has no associated executor, allocator or cancellation slot. It is
// invoked at most once.
//
// An operation of Asio that is started with such a handler is compiled once for all handlers of a signature, instead of
// once per handler. Small handlers are stored inside the object, so that they need no allocation of their own.
// Invariant: `manage_` is null only in a moved-from object.
template<class... Args>
class erased_handler<void(Args...)> {
public:
    template<class Handler>
        requires(!std::is_same_v<Handler, erased_handler>)
    erased_handler(Handler handler) : invoke_(&invoke<Handler>), manage_(&manage<Handler>)
    {
        if constexpr (is_small<Handler>)
            ::new (static_cast<void*>(memory_)) Handler(std::move(handler));
        else
            ::new (static_cast<void*>(memory_)) Handler*(new Handler(std::move(handler)));
    }

    erased_handler(erased_handler&& other) noexcept
        : invoke_(other.invoke_), manage_(std::exchange(other.manage_, nullptr))
    {
        if (manage_)
            manage_(other.memory_, memory_);
    }

    erased_handler& operator=(erased_handler&&) = delete;

    ~erased_handler()
    {
        if (manage_)
            manage_(memory_, nullptr);
    }

    void operator()(Args... args) { invoke_(memory_, std::move(args)...); }

private:
    static constexpr std::size_t capacity = 64;

    template<class Handler>
    static constexpr bool is_small = sizeof(Handler) <= capacity && alignof(Handler) <= alignof(void*) &&
                                     std::is_nothrow_move_constructible_v<Handler>;

    template<class Handler>
    static Handler* handler_in(void* memory) noexcept
    {
        if constexpr (is_small<Handler>)
            return static_cast<Handler*>(memory);
        else
            return *static_cast<Handler**>(memory);
    }

    template<class Handler>
    static void invoke(void* memory, Args... args)
    {
        (*handler_in<Handler>(memory))(std::move(args)...);
    }

    // Moves the handler from `from` to `to`, or destroys it if `to` is null. Afterwards `from` contains no handler.
    template<class Handler>
    static void manage(void* from, void* to) noexcept
    {
        auto* const handler = handler_in<Handler>(from);
        if constexpr (is_small<Handler>) {
            if (to)
                ::new (to) Handler(std::move(*handler));
            handler->~Handler();
        } else if (to) {
            ::new (to) Handler*(handler);
        } else {
            delete handler;
        }
    }

    void (*invoke_)(void*, Args...);            // set by the constructor
    void (*manage_)(void*, void*) noexcept;     // set by the constructor; null in a moved-from object
    alignas(void*) std::byte memory_[capacity]; // the handler, or the address of a large one
};

} // namespace linkspan::detail

#endif
