#ifndef LINKSPAN_CORE_DETAIL_INITIATION_HPP
#define LINKSPAN_CORE_DETAIL_INITIATION_HPP

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

namespace linkspan::detail {

// Base of a function object that starts an operation. `asio::cancel_after` makes its timer on the executor of such an
// object.
struct executor_initiation {
    using executor_type = boost::asio::any_io_executor;

    executor_initiation(executor_type on) noexcept : executor(std::move(on)) {}

    executor_type get_executor() const noexcept { return executor; }

    executor_type executor;
};

// The same, of a session or a connector.
template<class Core>
struct core_initiation {
    using executor_type = boost::asio::any_io_executor;

    core_initiation(std::shared_ptr<Core> of) noexcept : core(std::move(of)) {}

    executor_type get_executor() const noexcept { return core->executor(); }

    std::shared_ptr<Core> core;
};

// The same, of operations that are made of those of a connector. `Hub`: `connector_base`, which must live until then.
template<class Hub>
struct hub_initiation {
    using executor_type = boost::asio::any_io_executor;

    hub_initiation(Hub* of) noexcept : hub(of) {}

    executor_type get_executor() const noexcept { return hub->get_executor(); }

    Hub* hub;
};

} // namespace linkspan::detail

#endif
