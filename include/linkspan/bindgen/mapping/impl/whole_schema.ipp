#ifndef LINKSPAN_BINDGEN_MAPPING_IMPL_WHOLE_SCHEMA_IPP
#define LINKSPAN_BINDGEN_MAPPING_IMPL_WHOLE_SCHEMA_IPP

#include <linkspan/bindgen/mapping/detail/schema_parts.hpp>
#include <linkspan/bindgen/mapping/detail/whole_schema.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::bindgen::detail {

LINKSPAN_DECL resolved_schema whole_schema::resolve(json::value const& schema, schema_place const& at) const
{
    resolved_schema out{&schema, at, {}, {}};
    for (;;) {
        auto const* const object = out.schema->if_object();
        auto const* const ref = object ? find(*object, "$ref") : nullptr;
        if (!ref)
            return out;
        auto const fail = [&](std::string reason) {
            out.schema = nullptr;
            out.reason = std::move(reason);
            return out;
        };
        auto const text = ref->is_string() ? decode_percent(view(ref->get_string())) : std::string();
        if (text != "#" && !text.starts_with("#/"))
            return fail("reference is not a JSON Pointer in this schema");
        if (out.passed.size() == max_nesting)
            return fail("references are circular");
        out.passed.push_back(object);
        auto const pointer = std::string_view(text).substr(1);
        boost::system::error_code ec;
        auto const* const found = root_.find_pointer(json::string_view(pointer.data(), pointer.size()), ec);
        if (ec || !found)
            return fail("reference has no target");
        out.schema = found;
        out.place = {place_.pointer + std::string(pointer), name_at(place_.name, pointer), false};
    }
}

} // namespace linkspan::bindgen::detail

#endif
