// A tool list from a server must become a lock file, a header and a comparison, or be rejected. The written files must
// be read back unchanged.

#include <linkspan/bindgen/drift/drift.hpp>
#include <linkspan/bindgen/emit/write_header.hpp>
#include <linkspan/bindgen/lock.hpp>
#include <linkspan/bindgen/mapping/map_tools.hpp>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* bytes, std::size_t size)
{
    using namespace linkspan::bindgen;
    auto const require = [](bool holds) {
        if (!holds)
            std::abort();
    };
    try {
        auto const lock = read_lock({reinterpret_cast<char const*>(bytes), size});
        auto const text = write_lock(lock);
        auto const again = read_lock(text);
        require(write_lock(again) == text);
        header_options const options{"fuzzed", "0", lock.described_server()};
        auto const header = write_header(map_tools(again.tools).tools, options);
        require(write_header(map_tools(read_lock(text).tools).tools, options) == header);
        for (auto const& one : compare_tools(again.tools, again.tools))
            require(one.message == "too large to be compared completely");
        compare_tools(lock.tools, again.tools);
    } catch (lock_error const&) {
        return 0; // rejected
    }
    return 0;
}
