#ifndef LINKSPAN_DESCRIBE_DETAIL_VALUE_SOURCE_HPP
#define LINKSPAN_DESCRIBE_DETAIL_VALUE_SOURCE_HPP

#include <linkspan/core/detail/code_points.hpp>
#include <linkspan/describe/detail/findings.hpp>
#include <linkspan/json/detail/json_kind.hpp>
#include <linkspan/json/detail/written_number.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// A boost::json::value with the interface of text_source.
class value_source {
public:
    explicit value_source(boost::json::value const& value) noexcept : value_(&value) {}

    json_kind kind() const noexcept
    {
        switch (value_->kind()) {
        case boost::json::kind::null: return json_kind::null;
        case boost::json::kind::bool_: return json_kind::boolean;
        case boost::json::kind::int64:
        case boost::json::kind::uint64:
        case boost::json::kind::double_: return json_kind::number;
        case boost::json::kind::string: return json_kind::text;
        case boost::json::kind::array: return json_kind::array;
        case boost::json::kind::object: return json_kind::object;
        }
        return json_kind::none;
    }

    bool boolean() const noexcept { return value_->get_bool(); }

    written_number number() const noexcept
    {
        return value_->is_int64()    ? written_number(value_->get_int64())
               : value_->is_uint64() ? written_number(value_->get_uint64())
                                     : written_number(value_->get_double());
    }

    void skip() const noexcept {}

    // Reads a string. Returns false if it is not UTF-8.
    bool text(std::string& out) const
    {
        std::string_view found;
        std::string unused;
        bool const ok = text(found, unused);
        out.assign(found);
        return ok;
    }

    bool text(std::string_view& out, std::string&) const
    {
        out = std::string_view(value_->get_string().data(), value_->get_string().size());
        return is_utf8(out);
    }

    template<class Function, class Expected>
    void members(Function f, Expected) const
    {
        members(std::move(f));
    }

    template<class Function>
    void members(Function f) const
    {
        for (auto const& member : value_->get_object())
            f(std::string_view(member.key().data(), member.key().size()), value_source(member.value()));
    }

    template<class Function>
    void elements(Function f) const
    {
        std::size_t index = 0;
        for (auto const& element : value_->get_array())
            f(index++, value_source(element));
    }

    // Returns the approximate number of bytes of text for a boost::json::value. Values nested deeper than max_levels
    // are not counted. Passed to findings::set_whole().
    static std::size_t cost_of(void const* whole) noexcept
    {
        return cost_of(*static_cast<boost::json::value const*>(whole), max_levels);
    }

    class look {
    public:
        explicit look(value_source const& at) noexcept : value_(at.value_) {}

        value_source source() const noexcept { return value_source(*value_); }

        bool failed() const noexcept { return false; }

        // Return the approximate number of bytes of text for a read of the members only, or of the whole value.
        std::size_t cost_of_members() const noexcept
        {
            return value_->is_object() ? value_->get_object().size() * bytes : bytes;
        }
        std::size_t cost() const noexcept { return cost_of(value_); }

    private:
        boost::json::value const* value_; // set by the constructor, never null
    };

    void adopt(look const&) const noexcept {}

private:
    static constexpr std::size_t bytes = 16; // equivalent size of a value, without its characters and elements

    static std::size_t cost_of(boost::json::value const& value, unsigned levels) noexcept
    {
        auto out = bytes + (value.is_string() ? value.get_string().size() : 0);
        auto const* const array = value.if_array();
        auto const* const object = value.if_object();
        if (array && levels != 0)
            for (auto const& element : *array)
                out += cost_of(element, levels - 1);
        else if (object && levels != 0)
            for (auto const& member : *object)
                out += member.key().size() + cost_of(member.value(), levels - 1);
        return out;
    }

    boost::json::value const* value_; // set by the constructor, never null
};

} // namespace linkspan::detail

#endif
