#ifndef LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_STREAM_IPP
#define LINKSPAN_TRANSPORT_STDIO_IMPL_CHILD_STREAM_IPP

#include <linkspan/transport/stdio/child_stream.hpp>
#include <linkspan/transport/stdio/detail/child_state.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL child_stream::child_stream(asio::any_io_executor executor, config_type const& config)
    : executor_(std::move(executor)), state_(std::make_shared<detail::child_state>(executor_, config))
{}

LINKSPAN_DECL child_stream::~child_stream() { close(); }

LINKSPAN_DECL void child_stream::open(error_code& ec) { state_->open(ec); }

LINKSPAN_DECL std::size_t child_stream::write_some(asio::const_buffer bytes, error_code& ec)
{
    return state_->write_some(bytes, ec);
}

LINKSPAN_DECL void child_stream::close() noexcept { state_->close(); }

LINKSPAN_DECL std::string child_stream::diagnostics() const { return state_->diagnostics(); }

LINKSPAN_DECL bool child_stream::exited_cleanly() const { return state_->exited_cleanly(); }

LINKSPAN_DECL pid_t child_stream::pid() const noexcept { return state_->pid(); }

LINKSPAN_DECL std::string_view child_stream::stderr_tail() const { return state_->stderr_tail(); }

LINKSPAN_DECL std::size_t child_stream::stderr_size() const noexcept { return state_->stderr_size(); }

LINKSPAN_DECL void child_stream::wait_writable(detail::pending_handler<void(error_code)> done)
{
    state_->wait_writable(std::move(done));
}

LINKSPAN_DECL void child_stream::read_some(asio::mutable_buffer buffer,
                                           detail::pending_handler<void(error_code, std::size_t)> done)
{
    state_->read_some(buffer, std::move(done));
}

LINKSPAN_DECL void child_stream::shut_down(detail::pending_handler<void(error_code)> done)
{
    state_->shut_down(std::move(done));
}

} // namespace linkspan

#endif
