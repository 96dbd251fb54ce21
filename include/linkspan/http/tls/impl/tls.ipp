#ifndef LINKSPAN_HTTP_TLS_IMPL_TLS_IPP
#define LINKSPAN_HTTP_TLS_IMPL_TLS_IPP

#include <linkspan/http/dialer.hpp>
#include <linkspan/http/tls/detail/tls_stream.hpp>
#include <linkspan/http/tls/tls.hpp>

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/error.hpp>

#include <array>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Category of the errors of certificate verification; see tls_category().
class category_of_certificate_errors final : public error_category {
public:
    constexpr category_of_certificate_errors() noexcept : error_category(0x91c7e02b5d64fa38) {}

    char const* name() const noexcept override { return "linkspan.tls"; }
    std::string message(int value) const override
    {
        return std::string("server certificate is not trusted: ") + X509_verify_cert_error_string(value);
    }
};

// Settings and context of OpenSSL that all connections of a layer share.
struct tls_setting {
    explicit tls_setting(tls_config const& with) : config(with), context(asio::ssl::context::tls_client)
    {
        require_tls_1_2(context);
        if (config.system_roots)
            context.set_default_verify_paths();
        if (!config.ca_file.empty())
            context.load_verify_file(config.ca_file);
        if (!config.ca_pem.empty())
            context.add_certificate_authority(asio::const_buffer(config.ca_pem.data(), config.ca_pem.size()));
        if (!config.certificate_file.empty())
            context.use_certificate_chain_file(config.certificate_file);
        if (!config.key_file.empty())
            context.use_private_key_file(config.key_file, asio::ssl::context::pem);
        bool const verifies = !config.trust_any_certificate_without_verification;
        context.set_verify_mode(verifies ? asio::ssl::verify_peer : asio::ssl::verify_none);
        constexpr std::array<unsigned char, 9> protocols{8, 'h', 't', 't', 'p', '/', '1', '.', '1'};
        SSL_CTX_set_alpn_protos(context.native_handle(), protocols.data(), protocols.size());
    }

    tls_config config;
    asio::ssl::context context;
};

// Returns a distinguished name as "C=.../CN=...", without the attributes that exceed 511 bytes.
inline std::string text_of(X509_NAME const* name)
{
    char text[512] = {};
    X509_NAME_oneline(name, text, sizeof text);
    return text[0] == '/' ? text + 1 : text;
}

// Returns a time in the form of OpenSSL, such as "Nov 26 12:00:00 2026 GMT". Empty: OpenSSL could not allocate memory.
inline std::string text_of(ASN1_TIME const* time)
{
    std::string out;
    if (auto* const memory = BIO_new(BIO_s_mem())) {
        ASN1_TIME_print(memory, time);
        char* text = nullptr;
        auto const size = BIO_get_mem_data(memory, &text);
        out.assign(text, static_cast<std::size_t>(size));
        BIO_free(memory);
    }
    return out;
}

// Returns the version of TLS, and the certificate of the server; its members are empty if there is no certificate.
inline certificate certificate_of(SSL* connection)
{
    certificate out;
    out.protocol = SSL_get_version(connection);
    if (auto* const peer_certificate = SSL_get_peer_certificate(connection)) {
        out.subject = text_of(X509_get_subject_name(peer_certificate));
        out.issuer = text_of(X509_get_issuer_name(peer_certificate));
        out.not_before = text_of(X509_get0_notBefore(peer_certificate));
        out.not_after = text_of(X509_get0_notAfter(peer_certificate));
        X509_free(peer_certificate);
    }
    return out;
}

// One dial operation: connects through the layer below, and performs the TLS handshake. Outstanding operations keep the
// object alive; `done_` is invoked exactly once, in `finish`.
class tls_dialing : public std::enable_shared_from_this<tls_dialing> {
public:
    tls_dialing(std::shared_ptr<tls_setting> setting, certificate_handler on_certificate,
                asio::any_io_executor executor, dialer::handler done)
        : setting_(std::move(setting)),
          on_certificate_(std::move(on_certificate)),
          executor_(std::move(executor)),
          done_(std::move(done))
    {}

    void start(dialer& below, dial_target const& target)
    {
        name_ = setting_->config.server_name.empty() ? target.host : setting_->config.server_name;
        below_ = below.dial(executor_, target,
                            {[self = shared_from_this()](error_code ec, std::unique_ptr<byte_stream> stream) {
                                 self->on_dialed(ec, std::move(stream));
                             },
                             executor_});
    }

    void cancel()
    {
        cancelled_ = true;
        below_.reset();
        if (connection_)
            connection_->next_layer().below().close();
    }

private:
    void on_dialed(error_code ec, std::unique_ptr<byte_stream> stream)
    {
        if (ec || cancelled_ || !stream)
            return finish(ec ? ec : error_code(asio::error::operation_aborted));
        connection_ =
            std::make_shared<tls_connection>(tls_lower_layer(executor_, std::move(stream)), setting_->context);
        auto* const handle = connection_->native_handle();
        auto* const rules = SSL_get0_param(handle);
        error_code is_name;
        asio::ip::make_address(name_, is_name);
        bool const is_set = is_name ? X509_VERIFY_PARAM_set1_host(rules, name_.c_str(), name_.size()) == 1 &&
                                          SSL_set_tlsext_host_name(handle, name_.c_str()) == 1
                                    : X509_VERIFY_PARAM_set1_ip_asc(rules, name_.c_str()) == 1;
        if (!is_set)
            return finish(asio::error::invalid_argument);
        X509_VERIFY_PARAM_set_hostflags(rules, X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS);
        connection_->async_handshake(asio::ssl::stream_base::client,
                                     [self = shared_from_this()](error_code failed) { self->on_handshake(failed); });
    }

    void on_handshake(error_code ec)
    {
        if (cancelled_)
            return finish(asio::error::operation_aborted);
        auto* const handle = connection_->native_handle();
        bool const verifies = !setting_->config.trust_any_certificate_without_verification;
        if (auto const verify_result = SSL_get_verify_result(handle); ec && verifies && verify_result != X509_V_OK)
            return finish({static_cast<int>(verify_result), tls_category()});
        if (ec == asio::error::eof || ec == asio::ssl::error::stream_truncated)
            ec = error::stream_ended;
        if (!ec && on_certificate_)
            on_certificate_(certificate_of(handle));
        finish(ec);
    }

    void finish(error_code ec)
    {
        std::unique_ptr<byte_stream> made;
        if (!ec)
            made = std::make_unique<tls_stream>(connection_);
        connection_.reset();
        if (done_)
            std::exchange(done_, {}).complete(ec, std::move(made));
    }

    std::shared_ptr<tls_setting> setting_;       // set by the constructor
    certificate_handler on_certificate_;         // set by the constructor
    asio::any_io_executor executor_;             // set by the constructor
    dialer::handler done_;                       // set by the constructor, moved out by `finish`
    std::string name_;                           // name or address that the certificate must have; set by `start`
    std::shared_ptr<void> below_;                // handle of the dial operation of the layer below; reset by `cancel`
    std::shared_ptr<tls_connection> connection_; // set when the layer below is connected, reset by `finish`
    bool cancelled_ = false;                     // set by `cancel`
};

// Dialer that adds TLS to the connections of another dialer.
class tls_dialer final : public dialer {
public:
    tls_dialer(std::shared_ptr<tls_setting> setting, std::shared_ptr<dialer> below, certificate_handler on_certificate)
        : setting_(std::move(setting)), below_(std::move(below)), on_certificate_(std::move(on_certificate))
    {}

    std::shared_ptr<void> dial(asio::any_io_executor const& executor, dial_target const& target, handler done) override
    {
        auto const dialing = std::make_shared<tls_dialing>(setting_, on_certificate_, executor, std::move(done));
        dialing->start(*below_, target);
        return std::make_shared<dialing_lease<tls_dialing>>(dialing);
    }

private:
    std::shared_ptr<tls_setting> setting_;
    std::shared_ptr<dialer> below_;
    certificate_handler on_certificate_;
};

// Layer that tls() returns. Its dialers share one context of OpenSSL.
class tls_layer final : public dialer_layer {
public:
    explicit tls_layer(tls_config const& config) : setting_(std::make_shared<tls_setting>(config)) {}

    std::shared_ptr<dialer> over(std::shared_ptr<dialer> below, certificate_handler on_certificate) const override
    {
        return std::make_shared<tls_dialer>(setting_, std::move(below), std::move(on_certificate));
    }

private:
    std::shared_ptr<tls_setting> setting_;
};

} // namespace detail

LINKSPAN_DECL error_category const& tls_category() noexcept
{
    static constinit detail::category_of_certificate_errors const instance;
    return instance;
}

LINKSPAN_DECL std::shared_ptr<dialer_layer const> tls(tls_config const& config)
{
    if (config.certificate_file.empty() != config.key_file.empty())
        throw std::invalid_argument(
            "linkspan: tls_config: certificate_file and key_file must both be set or both be empty");
    return std::make_shared<detail::tls_layer>(config);
}

#if defined(LINKSPAN_SEPARATE_COMPILATION)
// Explicit instantiations that the header declares as extern.
template any_transport any_transport::make<https>(asio::any_io_executor const&, http_config const&);
template transport_factory via<https>(http_config);
#endif

} // namespace linkspan

#endif
