#include <linkspan/core/detail/hmac.hpp>
#include <linkspan/protocol/server/request_seal.hpp>

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/failing_allocations.hpp"

BOOST_AUTO_TEST_SUITE(request_seal_test)

using linkspan::request_seal;
using linkspan::wall_time;
using verdict = request_seal::verdict;
using namespace std::chrono_literals;

namespace {

std::string const key(32, 'k');
constexpr wall_time start{1'000'000s};
constexpr request_seal::binding request{"tools/call", R"({"name":"ask","arguments":{"a":1}})", "alice"};

std::string hex(std::string_view bytes)
{
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (auto const byte : bytes)
        (out += digits[static_cast<unsigned char>(byte) >> 4]) += digits[static_cast<unsigned char>(byte) & 15];
    return out;
}

// Returns the name of the verdict of an object that has opened nothing before.
std::string open(request_seal::binding const& of, std::string_view sealed, wall_time now = start,
                 std::string const& with = key)
{
    std::string state;
    switch (request_seal(with).open(of, sealed, now, state)) {
    case verdict::accepted: return "accepted " + state;
    case verdict::invalid: return "invalid";
    case verdict::expired: return "expired";
    case verdict::used: return "used";
    }
    return {};
}

} // namespace

// RFC 4231, test cases 1, 2 and 6.
BOOST_AUTO_TEST_CASE(authentication_codes_equal_those_of_the_rfc)
{
    using linkspan::detail::hmac_sha256;
    BOOST_TEST(hex(hmac_sha256(std::string(20, '\x0b'), "Hi There")) ==
               "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7");
    BOOST_TEST(hex(hmac_sha256("Jefe", "what do ya want for nothing?")) ==
               "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
    BOOST_TEST(hex(hmac_sha256(std::string(131, '\xaa'), "Test Using Larger Than Block-Size Key - Hash Key First")) ==
               "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
}

BOOST_AUTO_TEST_CASE(sealed_state_is_accepted_until_its_expiry)
{
    request_seal const seal(key);
    auto const sealed = seal.seal(request, std::string_view("a\0b", 3), start + 60s, 7);
    BOOST_TEST(open(request, sealed) == std::string("accepted a\0b", 12));
    BOOST_TEST(open(request, sealed, start + 60s) == std::string("accepted a\0b", 12));
    BOOST_TEST(open(request, sealed, start + 61s) == "expired");
    BOOST_TEST(open(request, seal.seal(request, "", start, 0)) == "accepted ");
}

BOOST_AUTO_TEST_CASE(state_is_bound_to_the_request_the_principal_and_the_key)
{
    auto const sealed = request_seal(key).seal(request, "s", start + 60s, 7);
    auto other = request;
    other.method = "prompts/get";
    BOOST_TEST(open(other, sealed) == "invalid");
    other = request;
    other.params = R"({"name":"ask","arguments":{"a":2}})";
    BOOST_TEST(open(other, sealed) == "invalid");
    other = request;
    other.principal = "bob";
    BOOST_TEST(open(other, sealed) == "invalid");
    BOOST_TEST(open(request, sealed, start, std::string(32, 'x')) == "invalid");
    // Members that the client changes, the order of keys and whitespace do not matter.
    other = request;
    other.params = R"({"arguments": {"a":1}, "name":"ask", "inputResponses":{"k":{}}, "requestState":"x", "_meta":{}})";
    BOOST_TEST(open(other, sealed) == "accepted s");
}

BOOST_AUTO_TEST_CASE(altered_state_is_invalid_at_each_byte)
{
    auto const sealed = request_seal(key).seal(request, "state", start + 60s, 7);
    for (std::size_t i = 0; i != sealed.size(); ++i) {
        auto altered = sealed;
        altered[i] = altered[i] == 'A' ? 'B' : 'A';
        BOOST_TEST(open(request, altered) == "invalid", i);
        BOOST_TEST(open(request, sealed.substr(0, i)) == "invalid", i);
    }
    for (std::string_view const text : {"", ".", "a.b", "AAAA.", "TAMPERED", "%%%.%%%"})
        BOOST_TEST(open(request, text) == "invalid", text);
}

BOOST_AUTO_TEST_CASE(state_is_accepted_once)
{
    request_seal seal(key);
    auto const first = seal.seal(request, "s", start + 60s, 1), second = seal.seal(request, "s", start + 60s, 2);
    std::string state;
    BOOST_TEST((seal.open(request, first, start, state) == verdict::accepted));
    state = "unchanged";
    BOOST_TEST((seal.open(request, first, start + 60s, state) == verdict::used));
    BOOST_TEST(state == "unchanged");
    BOOST_TEST((seal.open(request, second, start, state) == verdict::accepted));
    BOOST_TEST((seal.open(request, first, start + 61s, state) == verdict::expired)); // no longer remembered
}

BOOST_AUTO_TEST_CASE(short_key_is_rejected)
{
    BOOST_CHECK_EXCEPTION(request_seal(std::string(31, 'k')), std::invalid_argument, [](auto const& failure) {
        return std::string_view(failure.what()) ==
               "linkspan: the key of a request seal has 31 bytes, expected at least 32";
    });
}

BOOST_AUTO_TEST_CASE(one_principal_cannot_use_up_the_states_of_others)
{
    request_seal seal(key);
    std::string state;
    auto const opens = [&](std::string_view principal, std::uint64_t nonce, wall_time now) {
        auto of = request;
        of.principal = principal;
        auto const sealed = seal.seal(of, "s", now + 10s, nonce);
        return seal.open(of, sealed, now, state) == verdict::accepted;
    };
    for (std::size_t nonce = 0; nonce != request_seal::max_used_each; ++nonce)
        BOOST_TEST_REQUIRE(opens("eve", nonce, start));
    BOOST_TEST(!opens("eve", request_seal::max_used_each, start));
    BOOST_TEST(opens("ada", request_seal::max_used_each + 1, start));
    BOOST_TEST(opens("eve", 0, start + 11s)); // the states of before have expired
}

BOOST_AUTO_TEST_CASE(states_of_an_account_are_limited_and_not_bound_to_it)
{
    request_seal seal(key);
    std::string state;
    auto const opens = [&](std::string_view account, std::uint64_t nonce) {
        auto of = request;
        of.principal = {};
        auto const sealed = seal.seal(of, "s", start + 10s, nonce);
        of.account = account;
        return seal.open(of, sealed, start, state) == verdict::accepted;
    };
    for (std::size_t nonce = 0; nonce != request_seal::max_used_each; ++nonce)
        BOOST_TEST_REQUIRE(opens("address 192.0.2.1", nonce));
    BOOST_TEST(!opens("address 192.0.2.1", request_seal::max_used_each));
    BOOST_TEST(opens("address 192.0.2.2", request_seal::max_used_each + 1));
    BOOST_TEST(opens("", request_seal::max_used_each + 2));
}

BOOST_AUTO_TEST_CASE(verified_state_is_accepted_again)
{
    request_seal seal(key);
    auto const sealed = seal.seal(request, "s", start + 60s, 1);
    std::string state;
    for (int i = 0; i != 2; ++i) {
        state.clear();
        BOOST_TEST((seal.verify(request, sealed, start, state) == verdict::accepted));
        BOOST_TEST(state == "s");
    }
    BOOST_TEST((seal.verify(request, sealed, start + 61s, state) == verdict::expired));
    BOOST_TEST((seal.verify(request, "?", start, state) == verdict::invalid));
    BOOST_TEST((seal.open(request, sealed, start, state) == verdict::accepted));
    BOOST_TEST((seal.open(request, sealed, start, state) == verdict::used));
    BOOST_TEST((seal.verify(request, sealed, start, state) == verdict::accepted)); // the caller finds the repetition
}

BOOST_AUTO_TEST_CASE(state_is_not_used_after_a_failed_allocation)
{
    std::string const principal(40, 'p'), content(100, 's');
    auto of = request;
    of.principal = principal;
    linkspan::test::fail_each_allocation([&](auto& failing) {
        request_seal seal(key);
        auto const sealed = seal.seal(of, content, start + 60s, 7);
        std::string state = "unchanged";
        auto result = verdict::invalid;
        if (!failing([&] { result = seal.open(of, sealed, start, state); })) {
            BOOST_TEST(state == "unchanged");
            result = seal.open(of, sealed, start, state);
        }
        BOOST_TEST((result == verdict::accepted));
        BOOST_TEST(state == content);
        BOOST_TEST((seal.open(of, sealed, start, state) == verdict::used));
    });
}

BOOST_AUTO_TEST_CASE(sealing_is_repeated_after_a_failed_allocation)
{
    request_seal const seal(key);
    auto const expected = seal.seal(request, "state", start + 60s, 7);
    linkspan::test::fail_each_allocation([&](auto& failing) {
        std::string sealed;
        if (!failing([&] { sealed = seal.seal(request, "state", start + 60s, 7); }))
            sealed = seal.seal(request, "state", start + 60s, 7);
        BOOST_TEST(sealed == expected);
    });
}

BOOST_AUTO_TEST_SUITE_END()
