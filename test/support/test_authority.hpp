#ifndef LINKSPAN_TEST_SUPPORT_TEST_AUTHORITY_HPP
#define LINKSPAN_TEST_SUPPORT_TEST_AUTHORITY_HPP

#include <linkspan/http/tls/tls.hpp>

#include <filesystem>
#include <string>

#include "certificates.hpp"
#include "folder.hpp"

namespace certificates {

// A certificate authority with a server certificate signed by it.
struct test_authority {
    identity authority{{.name = "Afternoon Root", .names = "", .is_authority = true}};
    identity localhost{{}, &authority};
    observe::folder folder{};

    std::string file(std::string const& name, std::string const& text) const
    {
        return folder.add(name, text, std::filesystem::perms::owner_read);
    }

    // Returns a configuration that trusts only this authority.
    linkspan::tls_config trusting() const
    {
        linkspan::tls_config out;
        out.system_roots = false;
        out.ca_pem = authority.certificate();
        return out;
    }
};

} // namespace certificates

#endif
