#ifndef LINKSPAN_HTTP_IMPL_HTTP_HEAD_IPP
#define LINKSPAN_HTTP_IMPL_HTTP_HEAD_IPP

#include <linkspan/core/detail/http_text.hpp>
#include <linkspan/http/http_head.hpp>

#include <algorithm>
#include <iterator>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void http_head::start_response(int status, int http_version)
{
    start_request({}, {}, http_version);
    status_ = status;
}

LINKSPAN_DECL void http_head::start_request(std::string_view method, std::string_view target, int http_version)
{
    text_.clear();
    fields_.clear();
    text_.append(method).append(target);
    status_ = 0;
    version_ = http_version;
    method_ = method.size();
    target_ = target.size();
}

LINKSPAN_DECL void http_head::clear() noexcept
{
    constexpr std::size_t max_kept = 8192, max_kept_fields = 128;
    if (text_.capacity() > max_kept || fields_.capacity() > max_kept_fields)
        *this = {};
    start_request({}, {});
}

LINKSPAN_DECL void http_head::add(boost::beast::http::field id, std::string_view name, std::string_view value)
{
    fields_.push_back({id, text_.size(), name.size(), value.size()});
    text_.append(name).append(value);
}

LINKSPAN_DECL void http_head::replace(boost::beast::http::field id, std::string_view value)
{
    auto const found = std::ranges::find(fields_, id, &entry::id);
    if (found == fields_.end() || view_of(*found).value == value)
        return;
    text_.replace(found->begin + found->name, found->value, value);
    for (auto at = std::next(found); at != fields_.end(); ++at)
        at->begin = at->begin - found->value + value.size();
    found->value = value.size();
}

LINKSPAN_DECL std::string_view http_head::operator[](boost::beast::http::field id) const noexcept
{
    auto const found = std::ranges::find(fields_, id, &entry::id);
    return found == fields_.end() ? std::string_view() : view_of(*found).value;
}

LINKSPAN_DECL std::string_view http_head::operator[](std::string_view name) const noexcept
{
    return find(name).value_or("");
}

LINKSPAN_DECL std::optional<std::string_view> http_head::find(std::string_view name) const noexcept
{
    for (auto const& each : fields_)
        if (each.name == name.size() && detail::equal_ignoring_case(view_of(each).name, name))
            return view_of(each).value;
    return std::nullopt;
}

LINKSPAN_DECL std::size_t http_head::count(boost::beast::http::field id) const noexcept
{
    return static_cast<std::size_t>(std::ranges::count(fields_, id, &entry::id));
}

} // namespace linkspan

#endif
