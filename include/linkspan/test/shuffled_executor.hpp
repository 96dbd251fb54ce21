#ifndef LINKSPAN_TEST_SHUFFLED_EXECUTOR_HPP
#define LINKSPAN_TEST_SHUFFLED_EXECUTOR_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/draws.hpp>

#include <boost/asio/execution/blocking.hpp>
#include <boost/asio/execution_context.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/is_applicable_property.hpp>
#include <boost/asio/prefer.hpp>
#include <boost/asio/query.hpp>
#include <boost/asio/require.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// The ready handlers of the shuffled executors of one context.
//
// The context receives one token for each handler; a token runs a handler that a pseudorandom number selects, so that
// each handler runs once.
class shuffled_queue final : public asio::execution_context::service {
public:
    using key_type = shuffled_queue;

    shuffled_queue(asio::execution_context& context, std::uint64_t seed) : service(context), draws_(seed) {}

    template<class Function>
    void add(Function&& run)
    {
        ready_.push_back(std::make_unique<handler_of<std::decay_t<Function>>>(std::forward<Function>(run)));
    }

    // Called by each token.
    void run_one()
    {
        std::swap(ready_[draws_.below(ready_.size())], ready_.back());
        auto const next = std::move(ready_.back());
        ready_.pop_back();
        next->run();
    }

private:
    struct handler {
        virtual ~handler() = default;
        virtual void run() = 0; // called once
    };

    template<class Function>
    struct handler_of final : handler {
        explicit handler_of(Function&& run) : function(std::move(run)) {}
        explicit handler_of(Function const& run) : function(run) {}
        // The function is destroyed before its continuation runs, as in Asio.
        void run() override
        {
            auto taken = std::move(function);
            std::move(taken)();
        }

        Function function;
    };

    void shutdown() override { auto const dying = std::exchange(ready_, {}); }

    std::vector<std::unique_ptr<handler>> ready_; // as many as there are tokens in the context
    draws draws_;                                 // selects the next handler
};

} // namespace detail

/// An executor of an `io_context` that runs ready handlers in an order that depends on a seed.
///
/// A `world` with `schedule::shuffled` uses this executor. Handlers never run inside the function that submits them.
/// The handlers of an `asio::strand` of this executor keep their order. Handlers that are submitted to the context
/// itself, for example by operations of its sockets, are not shuffled.
///
/// \tparam Inner Executor of the context.
/// \par Lifetime
/// The context must exist as long as the executor is used.
/// \par Thread safety
/// None: the executor is used on the thread that runs the context.
template<class Inner>
class shuffled_executor {
public:
    /// Makes an executor that adds handlers to `queue`, which belongs to the context of `inner`.
    shuffled_executor(Inner inner, detail::shuffled_queue& queue) noexcept : inner_(std::move(inner)), queue_(&queue) {}

    /// Submits a function, which runs later, in an order that depends on the seed.
    template<class Function>
    void execute(Function&& run) const
    {
        queue_->add(std::forward<Function>(run));
        asio::prefer(inner_, asio::execution::blocking.never).execute([queue = queue_] { queue->run_one(); });
    }

    /// Returns a property of the executor of the context.
    template<class Property>
        requires asio::can_query_v<Inner const&, Property>
    decltype(auto) query(Property const& property) const noexcept(asio::is_nothrow_query_v<Inner const&, Property>)
    {
        return asio::query(inner_, property);
    }

    /// Returns an executor with a property. An executor that runs handlers inside `execute` is not supported.
    template<class Property>
        requires(asio::can_require_v<Inner const&, Property> &&
                 !std::is_convertible_v<Property, asio::execution::blocking_t::always_t>)
    auto require(Property const& property) const
    {
        auto changed = asio::require(inner_, property);
        return shuffled_executor<decltype(changed)>(std::move(changed), *queue_);
    }

    /// Returns an executor with a property, if possible.
    template<class Property>
        requires(asio::can_prefer_v<Inner const&, Property> &&
                 !std::is_convertible_v<Property, asio::execution::blocking_t::always_t>)
    auto prefer(Property const& property) const
    {
        auto changed = asio::prefer(inner_, property);
        return shuffled_executor<std::decay_t<decltype(changed)>>(std::move(changed), *queue_);
    }

    /// Returns whether both executors are of the same context and have the same properties.
    friend bool operator==(shuffled_executor const&, shuffled_executor const&) noexcept = default;

private:
    Inner inner_;                   // set by the constructor
    detail::shuffled_queue* queue_; // service of the context; never null
};

} // namespace linkspan::test

#endif
