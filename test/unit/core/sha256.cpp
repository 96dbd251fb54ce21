#include <linkspan/core/detail/sha256.hpp>

#include <boost/test/unit_test.hpp>

#include <iomanip>
#include <sstream>
#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(sha256_test)

namespace {

std::string hex_of(std::string_view text)
{
    std::ostringstream out;
    for (auto const word : linkspan::detail::sha256(text))
        out << std::hex << std::setw(8) << std::setfill('0') << word;
    return out.str();
}

} // namespace

// Examples of FIPS 180-2, appendix B, and the empty text of the NIST test vectors.
BOOST_AUTO_TEST_CASE(published_digests_are_reproduced)
{
    BOOST_TEST(hex_of("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    BOOST_TEST(hex_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    BOOST_TEST(hex_of("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
               "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    BOOST_TEST(hex_of(std::string(1'000'000, 'a')) ==
               "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Texts of 56 to 63 bytes need a second block for the length.
BOOST_AUTO_TEST_CASE(digest_of_text_near_block_end_is_correct)
{
    BOOST_TEST(hex_of(std::string(55, 'a')) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    BOOST_TEST(hex_of(std::string(56, 'a')) == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    BOOST_TEST(hex_of(std::string(63, 'a')) == "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    BOOST_TEST(hex_of(std::string(64, 'a')) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

BOOST_AUTO_TEST_SUITE_END()
