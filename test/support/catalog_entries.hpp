#ifndef LINKSPAN_TEST_SUPPORT_CATALOG_ENTRIES_HPP
#define LINKSPAN_TEST_SUPPORT_CATALOG_ENTRIES_HPP

#include <linkspan/connector/catalog.hpp>

#include <memory>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns an entry for a tool of the server with this number, whose key is "s" and the number.
inline catalog_entry entry(unsigned server, std::string tool)
{
    catalog_entry one;
    one.server = server_id{server};
    one.server_key = "s" + std::to_string(server);
    one.exposed = one.server_key + "__" + tool;
    one.accepts_own_name = true;
    linkspan::tool definition;
    definition.name = std::move(tool);
    definition.input_schema = "{}";
    one.tool = std::make_shared<linkspan::tool const>(std::move(definition));
    return one;
}

} // namespace linkspan::test

#endif
