#ifndef LINKSPAN_CORE_DETAIL_INITIATION_HPP
#define LINKSPAN_CORE_DETAIL_INITIATION_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Base of the initiation objects of operations. The executor of an initiation is the default for tokens such as
// `asio::cancel_after`, which creates its timer there.
struct executor_initiation {
    using executor_type = boost::asio::any_io_executor;

    executor_initiation(executor_type on) noexcept : executor(std::move(on)) {}

    executor_type get_executor() const noexcept { return executor; }

    executor_type executor;
};

// Base of the initiation objects of a session or connector. Shares the ownership of the core, so that a deferred
// operation may be started after the destruction of the session or connector.
template<class Core>
struct core_initiation {
    using executor_type = boost::asio::any_io_executor;

    core_initiation(std::shared_ptr<Core> of) noexcept : core(std::move(of)) {}

    executor_type get_executor() const noexcept { return core->executor(); }

    std::shared_ptr<Core> core;
};

// Base of the initiation objects of operations that consist of operations of a connector. `Hub` is `connector_base`;
// the connector must exist until the operation is started.
template<class Hub>
struct hub_initiation {
    using executor_type = boost::asio::any_io_executor;

    hub_initiation(Hub* of) noexcept : hub(of) {}

    executor_type get_executor() const noexcept { return hub->get_executor(); }

    Hub* hub;
};

} // namespace linkspan::detail

#endif
