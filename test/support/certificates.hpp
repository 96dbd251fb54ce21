#ifndef LINKSPAN_TEST_SUPPORT_CERTIFICATES_HPP
#define LINKSPAN_TEST_SUPPORT_CERTIFICATES_HPP

// Short-lived certificates.

#include <linkspan/http/tls/tls.hpp>

#include <boost/test/unit_test.hpp>

#include <memory>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <string>
#include <vector>

namespace certificates {

// Contents of a certificate.
struct certificate_options {
    std::string name = "localhost";             // common name of the subject
    std::string names = "DNS:localhost";        // alternative names in the syntax of OpenSSL
    int begins_in_days = -1, ends_in_days = 30; // relative to the current time
    bool is_authority = false;
};

// A key with its certificate.
class identity {
public:
    // Makes a certificate signed by `issuer`, or self-signed.
    explicit identity(certificate_options const& what, identity const* issuer = nullptr)
        : key_(make_key()), certificate_(X509_new())
    {
        auto* const out = certificate_.get();
        X509_set_version(out, 2);
        static long serial = 0;
        ASN1_INTEGER_set(X509_get_serialNumber(out), ++serial);
        constexpr long day = 24L * 60 * 60;
        X509_gmtime_adj(X509_getm_notBefore(out), what.begins_in_days * day);
        X509_gmtime_adj(X509_getm_notAfter(out), what.ends_in_days * day);
        X509_set_pubkey(out, key_.get());
        auto const* const name = reinterpret_cast<unsigned char const*>(what.name.c_str());
        X509_NAME_add_entry_by_txt(X509_get_subject_name(out), "CN", MBSTRING_UTF8, name, -1, -1, 0);
        auto const& signs = issuer ? *issuer : *this;
        X509_set_issuer_name(out, X509_get_subject_name(signs.certificate_.get()));
        extend(signs, NID_basic_constraints, what.is_authority ? "critical,CA:TRUE" : "CA:FALSE");
        if (!what.names.empty())
            extend(signs, NID_subject_alt_name, what.names);
        BOOST_TEST_REQUIRE(X509_sign(out, signs.key_.get(), nullptr) != 0);
    }

    std::string certificate() const
    {
        return pem([this](BIO* to) { return PEM_write_bio_X509(to, certificate_.get()); });
    }

    std::string key() const
    {
        return pem([this](BIO* to) {
            return PEM_write_bio_PrivateKey(to, key_.get(), nullptr, nullptr, 0, nullptr, nullptr);
        });
    }

    // Returns the key, encrypted with a password.
    std::string key(std::string password) const
    {
        return pem([&](BIO* to) {
            auto* const bytes = reinterpret_cast<unsigned char*>(password.data());
            return PEM_write_bio_PrivateKey(to, key_.get(), EVP_aes_128_cbc(), bytes, static_cast<int>(password.size()),
                                            nullptr, nullptr);
        });
    }

private:
    template<class T, void (*Free)(T*)>
    struct release {
        void operator()(T* what) const noexcept { Free(what); }
    };
    using key_pointer = std::unique_ptr<EVP_PKEY, release<EVP_PKEY, EVP_PKEY_free>>;

    static key_pointer make_key()
    {
        std::unique_ptr<EVP_PKEY_CTX, release<EVP_PKEY_CTX, EVP_PKEY_CTX_free>> const context(
            EVP_PKEY_CTX_new_id(EVP_PKEY_ED25519, nullptr));
        EVP_PKEY* made = nullptr;
        BOOST_TEST_REQUIRE(EVP_PKEY_keygen_init(context.get()) == 1);
        BOOST_TEST_REQUIRE(EVP_PKEY_keygen(context.get(), &made) == 1);
        return key_pointer(made);
    }

    void extend(identity const& issuer, int what, std::string const& value)
    {
        X509V3_CTX context{};
        X509V3_set_ctx(&context, issuer.certificate_.get(), certificate_.get(), nullptr, nullptr, 0);
        std::unique_ptr<X509_EXTENSION, release<X509_EXTENSION, X509_EXTENSION_free>> const made(
            X509V3_EXT_conf_nid(nullptr, &context, what, value.c_str()));
        BOOST_TEST_REQUIRE(made.get() != nullptr);
        X509_add_ext(certificate_.get(), made.get(), -1);
    }

    template<class Write>
    static std::string pem(Write write)
    {
        std::unique_ptr<BIO, release<BIO, BIO_free_all>> const memory(BIO_new(BIO_s_mem()));
        BOOST_TEST_REQUIRE(write(memory.get()) == 1);
        char* text = nullptr;
        auto const size = BIO_get_mem_data(memory.get(), &text);
        return {text, static_cast<std::size_t>(size)};
    }

    key_pointer key_;
    std::unique_ptr<X509, release<X509, X509_free>> certificate_;
};

} // namespace certificates

#endif
