// Reads arbitrary text as a message. The reader of the most frequent form of a response, and the reader that compares
// the end of a result with that of the message before, must return the same structure as the general reader, which a
// leading space selects.

#include <linkspan/protocol/envelope.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

void expect_equal(linkspan::envelope const& message, linkspan::envelope const& other)
{
    bool const are_equal = message.what == other.what && message.id == other.id && message.raw_id == other.raw_id &&
                           message.method == other.method && message.params == other.params &&
                           message.result == other.result && message.result_type == other.result_type &&
                           message.error == other.error;
    if (!are_equal)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    static linkspan::envelope_reader reader;
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const other_text = ' ' + std::string(text);
    auto const other = linkspan::read_envelope(other_text);
    expect_equal(reader.read(text), other); // with the end of an earlier message
    expect_equal(reader.read(text), other); // with its own end
    return 0;
}
