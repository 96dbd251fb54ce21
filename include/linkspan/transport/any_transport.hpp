#ifndef LINKSPAN_TRANSPORT_ANY_TRANSPORT_HPP
#define LINKSPAN_TRANSPORT_ANY_TRANSPORT_HPP

#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/text_buffer.hpp>
#include <linkspan/transport/concept.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

/// Receiver of the completions of `any_transport::receive`.
///
/// Each call of `any_transport::receive` stores a `shared_ptr` to the object until the receive completes, so the object
/// outlives the operation. If the execution context is destroyed first, the pointer is released and `on_received` is
/// not called.
class receive_op {
public:
    /// Called once for each `any_transport::receive`, on the executor of the connection.
    ///
    /// \param ec No error: `batch` has at least one element. An error is final; see the concept `Transport`.
    /// \param batch Messages, reports and notices of one read; valid until the next receive is initiated.
    virtual void on_received(error_code ec, std::span<inbound const> batch) = 0;

protected:
    ~receive_op() = default;
};

/// Type-erased transport. Code that is not a template, such as a session, uses transports through this class.
///
/// Every function forwards to the transport and has the semantics that the concept `Transport` specifies. Objects are
/// movable and not copyable; a moved-from object may only be destroyed or assigned to.
///
/// \par Lifetime
/// The destructor destroys the transport, which closes the connection. Outstanding operations complete as on `close`.
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe; all functions must be called on the executor of the connection.
class any_transport {
public:
    /// Constructs a transport of type `T`, not open, and erases its type.
    ///
    /// \tparam T Type of the transport, such as `stdio`.
    /// \param executor Executor of the connection; must run one handler at a time.
    /// \param config Configuration of the transport, which copies the parts that it needs later.
    /// \throws std::bad_alloc and the exceptions of the constructor of `T`.
    template<Transport T>
    static any_transport make(asio::any_io_executor const& executor, typename T::config_type const& config);

    /// Returns `T::kind`, the name of the transport in reports.
    std::string_view kind() const noexcept { return self_->kind(); }
    /// Returns whether a probe without a response indicates a server of the era `handshake`.
    bool handshake_on_no_response() const noexcept { return self_->handshake_on_no_response(); }
    /// Returns whether the transport can carry protocol version `id`; true if `T` has no `supports`.
    bool supports(protocol_version id) const noexcept { return self_->supports(id); }
    /// Returns whether the transport sends `outbound::mirrored` as headers; false if `T` does not declare it.
    bool mirrors_arguments() const noexcept { return self_->mirrors_arguments(); }
    /// Returns text that describes why the connection failed or how it ended; empty if `T` provides none.
    std::string diagnostics() const { return self_->diagnostics(); }
    /// Returns whether the peer has terminated with a status of success; false if `T` cannot determine it.
    bool exited_cleanly() const { return self_->exited_cleanly(); }
    /// Returns the process id of the child process of the transport; empty: there is none.
    std::optional<std::int64_t> pid() const noexcept { return self_->pid(); }
    /// Returns the number of bytes that `send` accepted and that are not written yet.
    std::size_t queued_bytes() const noexcept { return self_->queued_bytes(); }

    /// Opens the connection.
    ///
    /// \param done Handler.
    /// \par Preconditions
    /// Called at most once.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// The errors of `T::async_open`.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the executor of the connection. The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The object may be destroyed before the operation completes.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    void open(detail::pending_handler<void(error_code)> done) { self_->open(std::move(done)); }

    /// Returns the buffer in which a message may be written before it is passed to `send`; null: none. The memory of
    /// the buffer is valid until the next `send`; see the operation `output` of the concept `Transport`.
    ///
    /// \par Exception safety
    /// `noexcept`.
    text_buffer* output() noexcept { return self_->output(); }

    /// Queues a message. A message with `id != 0` that cannot be delivered is reported once, as an `inbound_report`.
    ///
    /// \par Preconditions
    /// `open` has completed without an error.
    /// \par Exception safety
    /// `noexcept`.
    void send(outbound const& message) noexcept { self_->send(message); }

    /// Queues bytes without a line end, for servers of tests. See the operation `send_bytes` of the concept
    /// `Transport`.
    ///
    /// \returns False, without an effect, if the transport does not have the operation; transports over HTTP do not.
    /// \par Preconditions
    /// `open` has completed without an error.
    /// \par Exception safety
    /// `noexcept`.
    bool send_bytes(std::string_view bytes) noexcept { return self_->send_bytes(bytes); }

    /// Waits for the next batch and passes it to `op->on_received`.
    ///
    /// \par Preconditions
    /// No other receive is outstanding.
    /// \par Completion signature
    /// `void(error_code, std::span<inbound const>)`: the parameters of `receive_op::on_received`.
    /// \par Errors
    /// The errors of `T::async_receive`. `operation_aborted`: the connection was closed.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the executor of the connection. `on_received` runs on that executor, never inside this function.
    /// \par Lifetime
    /// `op` is kept alive until the operation has completed or its execution context has been destroyed.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    void receive(std::shared_ptr<receive_op> op) { self_->receive(std::move(op)); }

    /// Cancels the request `id` on the connection. Returns whether the request was removed before it was sent, and
    /// otherwise whether the caller must notify the server.
    abandon_result abandon(request_id id) noexcept { return self_->abandon(id); }

    /// Closes the connection gracefully, within a time that the transport bounds.
    ///
    /// \param done Handler.
    /// \par Completion signature
    /// `void(error_code)`.
    /// \par Errors
    /// The errors of `T::async_shutdown`.
    /// \par Cancellation
    /// Cancellation signals are ignored. `close` aborts the operation.
    /// \par Executor
    /// Call on the executor of the connection. The handler runs on its associated executor, never inside this function.
    /// \par Lifetime
    /// The object may be destroyed before the operation completes.
    /// \par Thread safety
    /// Distinct objects: safe. Shared objects: unsafe.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    void shutdown(detail::pending_handler<void(error_code)> done) { self_->shutdown(std::move(done)); }

    /// Closes the connection immediately. Idempotent. Outstanding operations complete after this function has returned.
    void close() noexcept { self_->close(); }

private:
    using handler_type = detail::pending_handler<void(error_code)>;

    // Interface of the erased transport; one function per operation of the concept.
    class base {
    public:
        virtual ~base() = default;
        virtual std::string_view kind() const noexcept = 0;
        virtual bool handshake_on_no_response() const noexcept = 0;
        virtual bool supports(protocol_version version) const noexcept = 0;
        virtual bool mirrors_arguments() const noexcept = 0;
        virtual std::string diagnostics() const = 0;
        virtual bool exited_cleanly() const = 0;
        virtual std::optional<std::int64_t> pid() const noexcept = 0;
        virtual std::size_t queued_bytes() const noexcept = 0;
        virtual text_buffer* output() noexcept = 0;
        virtual void open(handler_type done) = 0;
        virtual void send(outbound const& message) noexcept = 0;
        virtual bool send_bytes(std::string_view bytes) noexcept = 0;
        virtual void receive(std::shared_ptr<receive_op> op) = 0;
        virtual abandon_result abandon(request_id id) noexcept = 0;
        virtual void shutdown(handler_type done) = 0;
        virtual void close() noexcept = 0;
    };

    // Handler of `T::async_receive`; owns the receiver until the operation completes.
    struct receive_token {
        std::shared_ptr<receive_op> op;

        void operator()(error_code ec, std::span<inbound const> batch) const { op->on_received(ec, batch); }
    };

    // Handler of `T::async_open` and `T::async_shutdown`.
    struct completion {
        handler_type done;

        void operator()(error_code ec) { done.complete(ec); }
    };

    // Implementation for the transport `T`. Optional operations that `T` does not have return the documented default.
    template<class T>
    class model final : public base {
    public:
        model(asio::any_io_executor const& executor, typename T::config_type const& config)
            : transport_(executor, config)
        {}

        std::string_view kind() const noexcept override { return T::kind; }
        bool handshake_on_no_response() const noexcept override { return T::handshake_on_no_response; }
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
        text_buffer* output() noexcept override
        {
            if constexpr (requires { transport_.output(); })
                return transport_.output();
            else
                return nullptr;
        }
        void open(handler_type done) override { transport_.async_open(completion{std::move(done)}); }
        void send(outbound const& message) noexcept override { transport_.send(message); }
        bool send_bytes([[maybe_unused]] std::string_view bytes) noexcept override
        {
            constexpr bool has_bytes = requires { transport_.send_bytes(bytes); };
            if constexpr (has_bytes)
                transport_.send_bytes(bytes);
            return has_bytes;
        }
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

// Defined outside of the class, so that it is not inline: an inline function would be instantiated in each translation
// unit despite `extern template`.
template<Transport T>
any_transport any_transport::make(asio::any_io_executor const& executor, typename T::config_type const& config)
{
    return any_transport(std::make_unique<model<T>>(executor, config));
}

/// Creates connections to one server. A session calls the factory once for each connection that it opens, with the
/// executor of the session.
using transport_factory = std::function<any_transport(asio::any_io_executor const&)>;

/// Returns a factory of transports of type `T`.
///
///     linkspan::session files(executor, linkspan::via<linkspan::stdio>({.command = "mcp-server-filesystem"}));
///
/// \tparam T Type of the transport.
/// \param config Configuration, which is copied into the factory.
/// \throws std::invalid_argument if `T::check` exists and rejects the configuration.
template<Transport T>
transport_factory via(typename T::config_type config)
{
    if constexpr (requires { T::check(config); })
        T::check(config);
    return [config = std::move(config)](asio::any_io_executor const& executor) {
        return any_transport::make<T>(executor, config);
    };
}

/// Returns a factory of transports of type `T`, configured with `T::config_type::of(first, rest...)`.
///
///     linkspan::session files(executor, linkspan::via<linkspan::stdio>("mcp-server-filesystem", "/srv"));
///
/// This overload is safe in a `co_await` expression, in which g++ 12 destroys a braced configuration twice.
///
/// \tparam T Type of the transport; its `config_type` has a function `of`.
/// \param first First argument of `of`: for `stdio` the command, for HTTP the URL.
/// \param rest Further arguments of `of`: for `stdio` the arguments of the command.
/// \throws std::invalid_argument if `T::check` exists and rejects the configuration.
template<Transport T, std::convertible_to<std::string> First, class... Rest>
    requires requires(First& first, Rest&... rest) { T::config_type::of(first, rest...); }
transport_factory via(First first, Rest... rest)
{
    return via<T>(T::config_type::of(std::move(first), std::move(rest)...));
}

} // namespace linkspan

#endif
