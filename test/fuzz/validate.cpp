// A schema and a value, separated by a zero byte: validation must terminate for any input.

#include <linkspan/schema/validator.hpp>

#include <boost/json/parse.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size)
{
    std::string_view const text(reinterpret_cast<char const*>(bytes), size);
    auto const end = text.find('\0');
    if (end == text.npos)
        return 0;
    boost::system::error_code ec;
    auto const schema = boost::json::parse({text.data(), end}, ec);
    if (ec)
        return 0;
    auto const value = boost::json::parse({text.data() + end + 1, size - end - 1}, ec);
    if (ec)
        return 0;
    linkspan::schema_options options;
    options.max_steps = 100'000; // allows more runs per second
    linkspan::schema_validator const check(schema, options);
    auto const verdict = check.validate(value);
    if (verdict.valid() != check.accepts(value) || (verdict.valid() && !check.ok()))
        std::abort();
    return 0;
}
