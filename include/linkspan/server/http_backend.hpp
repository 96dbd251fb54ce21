#ifndef LINKSPAN_SERVER_HTTP_BACKEND_HPP
#define LINKSPAN_SERVER_HTTP_BACKEND_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/http/server/http_service.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/protocol/mirrored_arguments.hpp>
#include <linkspan/server/server.hpp>

#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// A `server` as the backend of an `http_service`: serves each client of the service.
///
/// Programs use the class through `http_endpoint`. A backend that examines messages before the server, such as that of
/// `linkspan::test::http_server`, passes clients on to an object of this class.
///
/// \par Lifetime
/// The object shares the state of the server, and may outlive it.
/// \par Thread safety
/// Unsafe. All functions must be called on the executor of the server.
class http_backend final : public http_service_backend {
public:
    /// Creates the backend of a server.
    LINKSPAN_DECL explicit http_backend(server& mcp_server);

    /// Returns the protocol versions of the server.
    LINKSPAN_DECL std::vector<protocol_version> const& protocol_versions() const override;
    /// Returns the mirrored arguments of a tool of the server.
    LINKSPAN_DECL mirrored_arguments const* mirrored(std::string_view tool) override;
    /// Serves a client. Returns false if the server is stopping, and the first message is not a request about a task.
    LINKSPAN_DECL bool on_client(http_client client) override;
    /// Returns true, except while the server is stopping: on_client() then decides about each stateless request.
    LINKSPAN_DECL bool reuses_clients() const noexcept override;
    /// Returns false: the server responds to all requests.
    LINKSPAN_DECL bool intercept(http_server_request const& request, http_exchange exchange) override;
    /// Reports an exception or a missing result of `http_endpoint_options::authenticate` to
    /// `serving_options::on_defect`.
    LINKSPAN_DECL void on_authentication_defect(std::string_view description) override;

private:
    detail::server_pointer server_; // set by the constructor
};

} // namespace linkspan

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/server/impl/http_backend.ipp>
#endif

#endif
