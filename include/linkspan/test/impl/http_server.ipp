#ifndef LINKSPAN_TEST_IMPL_HTTP_SERVER_IPP
#define LINKSPAN_TEST_IMPL_HTTP_SERVER_IPP

#include <linkspan/test/detail/scripted_backend.hpp>
#include <linkspan/test/http_server.hpp>

#include <algorithm>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

LINKSPAN_DECL http_server::http_server(asio::any_io_executor executor, scripted_server& server,
                                       http_server_options options)
    : backend_(std::make_unique<detail::scripted_backend>(std::move(executor), server, std::move(options)))
{}

LINKSPAN_DECL http_server::~http_server() = default;

LINKSPAN_DECL std::string http_server::url() { return backend_->service().url(); }

LINKSPAN_DECL void http_server::serve(std::unique_ptr<byte_stream> stream)
{
    backend_->service().listener().serve(std::move(stream));
}

LINKSPAN_DECL std::vector<http_server_request> const& http_server::requests() const noexcept
{
    return backend_->requests();
}

LINKSPAN_DECL std::size_t http_server::requests(std::string_view method, std::string_view part) const
{
    auto const matches = [=](http_server_request const& one) {
        return one.method() == method && one.body.find(part) != one.body.npos;
    };
    return static_cast<std::size_t>(std::ranges::count_if(backend_->requests(), matches));
}

LINKSPAN_DECL std::size_t http_server::connections() const noexcept
{
    return backend_->service().listener().accepted();
}

LINKSPAN_DECL std::size_t http_server::open_connections() const noexcept
{
    return backend_->service().listener().connections();
}

LINKSPAN_DECL std::size_t http_server::sessions() const noexcept { return backend_->service().sessions(); }

LINKSPAN_DECL void http_server::discard_sessions() { backend_->service().discard_sessions(); }

LINKSPAN_DECL void http_server::drop_connections() { backend_->service().listener().drop_connections(); }

LINKSPAN_DECL void http_server::respond_next(std::string method, std::string part, int status,
                                             http_exchange::fields_type fields, std::string body)
{
    backend_->fixed_responses.push_back(
        {std::move(method), std::move(part), status, std::move(fields), std::move(body)});
}

LINKSPAN_DECL void http_server::set_interceptor(std::function<bool(http_server_request const&, http_exchange)> first)
{
    backend_->first = std::move(first);
}

LINKSPAN_DECL void http_server::stop(duration within, std::function<void()> done)
{
    backend_->service().listener().async_stop(within, [done = std::move(done)](error_code) { done(); });
}

} // namespace linkspan::test

#endif
