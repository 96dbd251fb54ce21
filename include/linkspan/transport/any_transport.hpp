#ifndef LINKSPAN_TRANSPORT_ANY_TRANSPORT_HPP
#define LINKSPAN_TRANSPORT_ANY_TRANSPORT_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/transport/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace linkspan {

/// The one receive that the holder of a transport has under way: `on_received` is called once for each
/// `any_transport::receive`, which keeps the object alive until then. A context that ends drops it without a call.
class receive_op {
public:
    virtual void on_received(error_code ec, std::span<inbound const> batch) = 0;

protected:
    ~receive_op() = default;
};

/// Holds a transport of any type. This is where transports enter code that is no template.
class any_transport {
public:
    template<Transport T>
    static any_transport make(asio::any_io_executor const& executor, typename T::config_type const& config)
    {
        return any_transport(std::make_unique<model<T>>(executor, config));
    }

    std::string_view kind() const noexcept { return self_->kind(); }
    bool silence_is_legacy() const noexcept { return self_->silence_is_legacy(); }
    bool supports(protocol_version id) const noexcept { return self_->supports(id); }
    bool mirrors_arguments() const noexcept { return self_->mirrors_arguments(); }
    std::string diagnostics() const { return self_->diagnostics(); }
    bool exited_cleanly() const { return self_->exited_cleanly(); }
    /// Of the child process behind it; empty: there is none.
    std::optional<std::int64_t> pid() const noexcept { return self_->pid(); }
    std::size_t queued_bytes() const noexcept { return self_->queued_bytes(); }

    void open(detail::pending_handler<void(error_code)> done) { self_->open(std::move(done)); }
    void send(outbound const& message) noexcept { self_->send(message); }
    void receive(std::shared_ptr<receive_op> op) { self_->receive(std::move(op)); }
    abandon_result abandon(request_id id) noexcept { return self_->abandon(id); }
    void shutdown(detail::pending_handler<void(error_code)> done) { self_->shutdown(std::move(done)); }
    void close() noexcept { self_->close(); }

private:
    using handler_type = detail::pending_handler<void(error_code)>;

    class base {
    public:
        virtual ~base() = default;
        virtual std::string_view kind() const noexcept = 0;
        virtual bool silence_is_legacy() const noexcept = 0;
        virtual bool supports(protocol_version version) const noexcept = 0;
        virtual bool mirrors_arguments() const noexcept = 0;
        virtual std::string diagnostics() const = 0;
        virtual bool exited_cleanly() const = 0;
        virtual std::optional<std::int64_t> pid() const noexcept = 0;
        virtual std::size_t queued_bytes() const noexcept = 0;
        virtual void open(handler_type done) = 0;
        virtual void send(outbound const& message) noexcept = 0;
        virtual void receive(std::shared_ptr<receive_op> op) = 0;
        virtual abandon_result abandon(request_id id) noexcept = 0;
        virtual void shutdown(handler_type done) = 0;
        virtual void close() noexcept = 0;
    };

    struct receive_token {
        std::shared_ptr<receive_op> op;

        void operator()(error_code ec, std::span<inbound const> batch) const { op->on_received(ec, batch); }
    };

    struct completion {
        handler_type done;

        void operator()(error_code ec) { done.complete(ec); }
    };

    template<class T>
    class model final : public base {
    public:
        model(asio::any_io_executor const& executor, typename T::config_type const& config)
            : transport_(executor, config)
        {}

        std::string_view kind() const noexcept override { return T::kind; }
        bool silence_is_legacy() const noexcept override { return T::silence_is_legacy; }
        bool supports([[maybe_unused]] protocol_version id) const noexcept override
        {
            if constexpr (requires { transport_.supports(id); })
                return transport_.supports(id);
            else
                return true;
        }
        bool mirrors_arguments() const noexcept override
        {
            if constexpr (requires { T::mirrors_arguments; })
                return T::mirrors_arguments;
            else
                return false;
        }
        std::string diagnostics() const override
        {
            if constexpr (requires { transport_.diagnostics(); })
                return transport_.diagnostics();
            else
                return {};
        }
        bool exited_cleanly() const override
        {
            if constexpr (requires { transport_.exited_cleanly(); })
                return transport_.exited_cleanly();
            else
                return false;
        }
        std::optional<std::int64_t> pid() const noexcept override
        {
            if constexpr (requires { transport_.pid(); })
                return transport_.pid();
            else
                return std::nullopt;
        }
        std::size_t queued_bytes() const noexcept override { return transport_.queued_bytes(); }
        void open(handler_type done) override { transport_.async_open(completion{std::move(done)}); }
        void send(outbound const& message) noexcept override { transport_.send(message); }
        void receive(std::shared_ptr<receive_op> op) override
        {
            transport_.async_receive(receive_token{std::move(op)});
        }
        abandon_result abandon(request_id id) noexcept override { return transport_.abandon(id); }
        void shutdown(handler_type done) override { transport_.async_shutdown(completion{std::move(done)}); }
        void close() noexcept override { transport_.close(); }

    private:
        T transport_;
    };

    explicit any_transport(std::unique_ptr<base> self) noexcept : self_(std::move(self)) {}

    std::unique_ptr<base> self_;
};

/// Makes connections to one server: the first, and another when the server has to be started again.
using transport_factory = std::function<any_transport(asio::any_io_executor const&)>;

/// A factory of connections of type `T`, as in `session(executor, via<stdio>({.command = "server"}))`. Throws what
/// `T::check` throws, if there is one.
template<Transport T>
transport_factory via(typename T::config_type config)
{
    if constexpr (requires { T::check(config); })
        T::check(config);
    return [config = std::move(config)](asio::any_io_executor const& executor) {
        return any_transport::make<T>(executor, config);
    };
}

/// The same, of what `T::config_type::of` takes, as in `via<stdio>("server", "--root", "/srv")`: safe in a `co_await`
/// expression, in which g++ 12 destroys a braced configuration twice.
template<Transport T, std::convertible_to<std::string> First, class... Rest>
    requires requires(First& first, Rest&... rest) { T::config_type::of(first, rest...); }
transport_factory via(First first, Rest... rest)
{
    return via<T>(T::config_type::of(std::move(first), std::move(rest)...));
}

} // namespace linkspan

#endif
