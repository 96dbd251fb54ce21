// macros: reads macros from stdin as `#define` lines and checks that none of them can be a name in a generated header.
// macros_included.cpp has the includes of a typical program.

#include <linkspan/bindgen/mapping/identifiers.hpp>

#include <iostream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace {

using namespace linkspan::bindgen;

std::set<std::string> read_macros(std::istream& in)
{
    std::set<std::string> out;
    for (std::string line; std::getline(in, line);) {
        std::istringstream words(line);
        std::string define, name;
        if (words >> define >> name && define == "#define")
            out.insert(name.substr(0, name.find('(')));
    }
    return out;
}

// Returns all identifiers that a server can cause with this name.
std::set<std::string> identifiers_of(std::string_view name)
{
    std::set<std::string> out{identifier_for(name), namespace_for(name)};
    for (auto at = name.find('_'); at != name.npos; at = name.find('_', at + 1)) {
        auto const outer = identifier_for(name.substr(0, at));
        out.insert(nested_identifier(outer, name.substr(at + 1)));
        // the second use of the name in a scope
        identifier_scope scope;
        scope.reserve(outer);
        out.insert(scope.take(outer));
        if (outer.ends_with('_'))
            out.insert(safe_identifier(outer + "arg"));
    }
    return out;
}

} // namespace

int main()
{
    auto const macros = read_macros(std::cin);
    std::size_t found = 0;
    for (auto const& macro : macros)
        for (auto const& identifier : identifiers_of(macro))
            if (macros.contains(identifier)) {
                std::cout << macro << ": " << identifier << " is a macro\n";
                ++found;
            }
    std::cout << macros.size() << " macros, of which " << found << " can be identifiers\n";
    bool const has_all = macros.size() > 5'000 && macros.contains("LINKSPAN_STRUCT") && macros.contains("TRY_AGAIN");
    return has_all && found == 0 ? 0 : 1;
}
