#ifndef LINKSPAN_SCHEMA_IMPL_URI_REFERENCE_IPP
#define LINKSPAN_SCHEMA_IMPL_URI_REFERENCE_IPP

#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>
#include <charconv>
#include <cstddef>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Parts of a URI reference including their delimiters, as in "https:" and "?query". A missing part is empty.
struct uri_parts {
    std::string_view scheme, authority, path, query, fragment;

    explicit uri_parts(std::string_view text) noexcept
    {
        auto const hash = std::min(text.find('#'), text.size());
        fragment = text.substr(hash);
        text = text.substr(0, hash);
        auto const mark = std::min(text.find('?'), text.size());
        query = text.substr(mark);
        text = text.substr(0, mark);
        if (auto const colon = text.find(':'); colon < text.find('/')) {
            scheme = text.substr(0, colon + 1);
            text.remove_prefix(colon + 1);
        }
        if (text.starts_with("//")) {
            authority = text.substr(0, text.find('/', 2));
            text.remove_prefix(authority.size());
        }
        path = text;
    }
};

inline std::string remove_dots(std::string_view path)
{
    std::string out;
    while (!path.empty()) {
        auto const end = std::min(path.find('/', 1), path.size());
        auto const segment = path.substr(0, end);
        path.remove_prefix(end);
        if (segment == "." || segment == "..") {
            path = path.empty() ? path : path.substr(1);
        } else if (segment == "/." || segment == "/..") {
            if (segment == "/..")
                out.resize(std::min(out.rfind('/'), out.size()));
            if (path.empty())
                out += '/';
        } else {
            out += segment;
        }
    }
    return out;
}

inline std::string merge_paths(uri_parts const& base, std::string_view path)
{
    if (path.starts_with('/'))
        return remove_dots(path);
    std::string merged(base.path.substr(0, base.path.rfind('/') + 1));
    if (base.path.empty() && !base.authority.empty())
        merged = "/";
    return remove_dots(merged.append(path));
}

} // namespace detail

LINKSPAN_DECL std::string resolve_uri(std::string_view base, std::string_view reference)
{
    detail::uri_parts const from(base);
    detail::uri_parts const to(reference);
    std::string out;
    auto const append = [&out](auto... parts) { (out.append(parts), ...); };
    if (!to.scheme.empty())
        append(reference);
    else if (!to.authority.empty())
        append(from.scheme, reference);
    else if (!to.path.empty())
        append(from.scheme, from.authority, detail::merge_paths(from, to.path), to.query, to.fragment);
    else
        append(from.scheme, from.authority, from.path, to.query.empty() ? from.query : to.query, to.fragment);
    return out;
}

LINKSPAN_DECL std::string decode_percent(std::string_view text)
{
    std::string out;
    for (std::size_t i = 0; i != text.size(); ++i) {
        unsigned char byte = 0;
        bool const is_code = text[i] == '%' && text.size() - i > 2;
        auto const* const digits = text.data() + i + 1;
        if (is_code && std::from_chars(digits, digits + 2, byte, 16).ptr == digits + 2) {
            out += static_cast<char>(byte);
            i += 2;
        } else {
            out += text[i];
        }
    }
    return out;
}

} // namespace linkspan

#endif
