#ifndef LINKSPAN_HTTP_TLS_IMPL_SERVER_TLS_IPP
#define LINKSPAN_HTTP_TLS_IMPL_SERVER_TLS_IPP

#include <linkspan/core/error.hpp>
#include <linkspan/http/tls/detail/tls_stream.hpp>
#include <linkspan/http/tls/server_tls.hpp>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/system/system_error.hpp>

#include <cstddef>
#include <openssl/ssl.h>
#include <stdexcept>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Returns whether the text is set, and not the file. Throws `std::invalid_argument` if not exactly one of them is set.
inline bool is_text(std::string const& file, std::string const& text, std::string_view member)
{
    if (file.empty() == text.empty())
        throw std::invalid_argument("linkspan: server_tls_config: either " + std::string(member) + "_file or " +
                                    std::string(member) + "_pem must be set");
    return file.empty();
}

inline void check_tls(error_code ec, std::string const& member)
{
    if (ec)
        throw boost::system::system_error(ec, "linkspan: server_tls_config: " + member);
}

// Selects HTTP/1.1 if the client offers protocols (ALPN); other protocols are refused.
inline int select_http(SSL*, unsigned char const** out, unsigned char* size, unsigned char const* offered,
                       unsigned int offered_size, void*)
{
    static constexpr unsigned char http[] = {8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
    unsigned char* selected = nullptr;
    auto const found = SSL_select_next_proto(&selected, size, http, sizeof http, offered, offered_size);
    *out = selected;
    return found == OPENSSL_NPN_NEGOTIATED ? SSL_TLSEXT_ERR_OK : SSL_TLSEXT_ERR_ALERT_FATAL;
}

class server_tls_layer final : public stream_layer {
public:
    explicit server_tls_layer(server_tls_config const& from) : context_(asio::ssl::context::tls_server)
    {
        require_tls_1_2(context_);
        SSL_CTX_set_alpn_select_cb(context_.native_handle(), &select_http, nullptr);
        // An encrypted key is an error. Without the function, OpenSSL would read a password from the terminal.
        context_.set_password_callback([](std::size_t, asio::ssl::context::password_purpose) { return std::string(); });
        error_code ec;
        if (is_text(from.certificate_file, from.certificate_pem, "certificate"))
            check_tls(context_.use_certificate_chain(asio::buffer(from.certificate_pem), ec), "certificate_pem");
        else
            check_tls(context_.use_certificate_chain_file(from.certificate_file, ec),
                      "certificate_file '" + from.certificate_file + "'");
        if (is_text(from.key_file, from.key_pem, "key"))
            check_tls(context_.use_private_key(asio::buffer(from.key_pem), asio::ssl::context::pem, ec), "key_pem");
        else
            check_tls(context_.use_private_key_file(from.key_file, asio::ssl::context::pem, ec),
                      "key_file '" + from.key_file + "'");
        if (!from.client_ca_file.empty())
            check_tls(context_.load_verify_file(from.client_ca_file, ec),
                      "client_ca_file '" + from.client_ca_file + "'");
        if (!from.client_ca_pem.empty())
            check_tls(context_.add_certificate_authority(asio::buffer(from.client_ca_pem), ec), "client_ca_pem");
        if (from.client_ca_file.empty() && from.client_ca_pem.empty())
            return;
        context_.set_verify_mode(asio::ssl::verify_peer | asio::ssl::verify_fail_if_no_peer_cert);
        // Without a context, OpenSSL refuses clients that resume a session in which their certificate was verified.
        static constexpr unsigned char context[] = "linkspan";
        SSL_CTX_set_session_id_context(context_.native_handle(), context, sizeof context - 1);
    }

    std::unique_ptr<byte_stream> over(asio::any_io_executor const& executor,
                                      std::unique_ptr<byte_stream> below) const override
    {
        auto connection = std::make_shared<tls_connection>(tls_lower_layer(executor, std::move(below)), context_);
        SSL_set_accept_state(connection->native_handle()); // the first read performs the handshake
        return std::make_unique<tls_stream>(std::move(connection));
    }

private:
    mutable asio::ssl::context context_; // set by the constructor; new connections share it
};

} // namespace detail

LINKSPAN_DECL std::shared_ptr<stream_layer const> server_tls(server_tls_config const& config)
{
    return std::make_shared<detail::server_tls_layer>(config);
}

} // namespace linkspan

#endif
