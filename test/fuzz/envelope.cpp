// Reads arbitrary text as a message. The reader of the most frequent form of a response must return the same structure
// as the general reader, which a leading space selects.

#include <linkspan/protocol/envelope.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size)
{
    std::string_view const text(reinterpret_cast<char const*>(data), size);
    auto const other_text = ' ' + std::string(text);
    auto const message = linkspan::read_envelope(text), other = linkspan::read_envelope(other_text);
    bool const are_equal = message.what == other.what && message.id == other.id && message.raw_id == other.raw_id &&
                           message.method == other.method && message.params == other.params &&
                           message.result == other.result && message.result_type == other.result_type &&
                           message.error == other.error;
    if (!are_equal)
        std::abort();
    return 0;
}
