#ifndef LINKSPAN_SCHEMA_IMPL_COMPILE_SCHEMA_IPP
#define LINKSPAN_SCHEMA_IMPL_COMPILE_SCHEMA_IPP

#include <linkspan/schema/detail/compile_schema.hpp>
#include <linkspan/schema/detail/keyword_reader.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Compiles the subschemas one by one from a list of unread subschemas. The function does not recurse, so that the depth
// of the stack does not depend on the schema.
LINKSPAN_DECL std::shared_ptr<compiled_schema const>
compile_schema(boost::json::value const& schema, schema_options const& options, std::vector<diagnostic>& problems)
{
    compilation made(options, problems);
    schema_resources resources(made);
    schema_references references(made, resources);
    keyword_reader reader(made, resources, references);
    resources.add_document(schema, {});
    for (bool continues = true; continues && !made.is_too_large();)
        if (auto const next = made.take_unread())
            reader.read(*next);
        else
            continues = references.resolve_next();
    if (!made.is_too_large())
        references.finish();
    return made.failed() ? nullptr : std::make_shared<compiled_schema const>(std::move(made.out()));
}

} // namespace linkspan::detail

#endif
