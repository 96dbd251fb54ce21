#ifndef LINKSPAN_TEST_SUPPORT_RANDOM_VALUE_HPP
#define LINKSPAN_TEST_SUPPORT_RANDOM_VALUE_HPP

#include <linkspan/describe/detail/members.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test {

// Random values of any described type, reproducible by seed. Small numbers and short lists are common, so that many
// values satisfy the constraints of their members.
class random_values {
public:
    explicit random_values(std::uint64_t seed) : bits_(seed) {}

    template<class T>
    T make(unsigned depth = 0)
    {
        using enum linkspan::detail::type_kind;
        constexpr auto kind = linkspan::detail::kind_of<T>;
        T out{};
        if constexpr (kind == boolean)
            out = below(2) == 1;
        else if constexpr (kind == integer)
            out = make_integer<T>();
        else if constexpr (kind == number)
            out = make_number<T>();
        else if constexpr (kind == text)
            out = make_text();
        else if constexpr (kind == enumeration)
            out = enum_names<T>[below(enum_names<T>.size())].value;
        else if constexpr (kind == json)
            out = json_value(depth);
        else if constexpr (kind == json_object)
            out = json_object_value(depth);
        else if constexpr (kind == json_array)
            out = json_array_value(depth);
        else if constexpr (kind == optional || kind == nullable)
            fill_optional(out, depth);
        else if constexpr (kind == box)
            out = make<typename T::value_type>(depth + 1);
        else if constexpr (kind == list || kind == set)
            for (auto left = count(depth); left != 0; --left)
                out.insert(out.end(), make<typename T::value_type>(depth + 1));
        else if constexpr (kind == array)
            for (auto& element : out)
                element = make<typename T::value_type>(depth + 1);
        else if constexpr (kind == tuple)
            std::apply([&](auto&... parts) { ((parts = make<std::remove_cvref_t<decltype(parts)>>(depth + 1)), ...); },
                       out);
        else if constexpr (kind == map)
            for (auto left = count(depth); left != 0; --left)
                out[make_text()] = make<typename T::mapped_type>(depth + 1);
        else if constexpr (kind == one_or_many)
            out = below(2) == 0 ? T(make<typename T::value_type>(depth + 1))
                                : T(make<std::vector<typename T::value_type>>(depth + 1));
        else if constexpr (kind == choice)
            fill_choice(out, depth);
        else if constexpr (kind == structure)
            linkspan::detail::for_each_member<T>([&]<std::size_t Index>() {
                out.*linkspan::detail::member_pointer<T, Index> =
                    make<linkspan::detail::member_type<T, Index>>(depth + 1);
            });
        return out;
    }

    std::size_t below(std::size_t end) { return static_cast<std::size_t>(bits_() % end); }

private:
    std::size_t count(unsigned depth) { return depth > 8 ? 0 : below(4); }

    template<class T>
    T make_integer()
    {
        return below(4) == 0 ? static_cast<T>(bits_()) : static_cast<T>(below(12));
    }

    // Returns a finite number.
    template<class T>
    T make_number()
    {
        using whole = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
        auto const any = std::bit_cast<T>(static_cast<whole>(bits_()));
        switch (below(4)) {
        case 0: return any - any == 0 ? any : T(-0.0);
        case 1: return static_cast<T>(below(100)) / 10;
        default: return static_cast<T>(below(12));
        }
    }

    std::string make_text()
    {
        constexpr std::array<std::string_view, 12> parts{"a",    "b", "1", "\"",     "\\",     "\n",
                                                         "\x01", "/", "~", "\u00e9", "\u20ac", "\U0001f600"};
        std::string out;
        for (auto left = below(5); left != 0; --left)
            out += parts[below(parts.size())];
        return out;
    }

    boost::json::value json_value(unsigned depth)
    {
        switch (below(depth > 6 ? 5 : 7)) {
        case 0: return nullptr;
        case 1: return below(2) == 1;
        case 2: return static_cast<std::int64_t>(bits_());
        case 3: return static_cast<double>(below(100)) + 0.25;
        case 4: return boost::json::string(make_text());
        case 5: return json_array_value(depth);
        default: return json_object_value(depth);
        }
    }

    boost::json::array json_array_value(unsigned depth)
    {
        boost::json::array out;
        for (auto left = below(4); left != 0; --left)
            out.push_back(json_value(depth + 1));
        return out;
    }

    boost::json::object json_object_value(unsigned depth)
    {
        boost::json::object out;
        for (auto left = below(4); left != 0; --left)
            out[make_text()] = json_value(depth + 1);
        return out;
    }

    template<class T>
    void fill_optional(T& out, unsigned depth)
    {
        out.reset();
        if constexpr (linkspan::detail::kind_of<T> == linkspan::detail::type_kind::nullable)
            if (below(3) == 0)
                out = nullptr;
        if (depth < 8 && below(3) != 0)
            out = make<typename T::value_type>(depth + 1);
    }

    template<class... Ts>
    void fill_choice(std::variant<Ts...>& out, unsigned depth)
    {
        auto const which = below(sizeof...(Ts));
        std::size_t index = 0;
        ((index++ == which ? void(out = make<Ts>(depth + 1)) : void()), ...);
    }

    std::mt19937_64 bits_;
};

} // namespace linkspan::test

#endif
