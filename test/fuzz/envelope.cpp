// Reads arbitrary text as a message. The readers of the most frequent form of a response and of a request, the reader
// that compares the end of a result with that of the message before, and the one that compares the members of `_meta`,
// must return the same structure as the general reader, which a leading space selects.

#include <linkspan/protocol/envelope.hpp>
#include <linkspan/protocol/server/frequent_request.hpp>

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

void require(bool condition)
{
    if (!condition)
        std::abort();
}

// Returns the members of `_meta` of a request in its most frequent form; empty: the text is another one.
std::string_view check_request(std::string_view text, std::string_view known)
{
    linkspan::frequent_request read;
    if (!linkspan::read_frequent_request(text, known, read))
        return {};
    auto const other_text = ' ' + std::string(text);
    auto const other = linkspan::read_envelope(other_text);
    auto const params = linkspan::request_params::read(other.params);
    auto const meta = linkspan::split_meta::read(params.meta);
    expect_equal(read.message, other);
    require(read.params.name == params.name && read.params.arguments == params.arguments);
    require(read.params.input_responses == params.input_responses && read.params.task == params.task);
    require(read.params.request_state == params.request_state && read.params.meta == params.meta);
    require(read.meta.progress_token == meta.progress_token && read.meta.members == meta.members);
    return read.meta.members;
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
    static std::string known;
    check_request(text, known); // with the members of an earlier request
    if (auto const members = check_request(text, {}); !members.empty())
        known = members;
    check_request(text, known);
    return 0;
}
