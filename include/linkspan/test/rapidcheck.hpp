#ifndef LINKSPAN_TEST_RAPIDCHECK_HPP
#define LINKSPAN_TEST_RAPIDCHECK_HPP

// Generators for property tests with rapidcheck (https://github.com/emil-e/rapidcheck), a library that the program must
// provide. No other header of linkspan includes this header.
//
//     rc::check("requests are repeated", [](forecast_request const& request) { RC_ASSERT(repeat(request)); });

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/describe/decode.hpp>
#include <linkspan/describe/encode.hpp>
#include <linkspan/describe/mismatch.hpp>
#include <linkspan/describe/schema_of.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/test/chaos.hpp>
#include <linkspan/test/chaos_plan.hpp>
#include <linkspan/test/fault/fault_kind.hpp>
#include <linkspan/test/sample.hpp>
#include <linkspan/test/sample/smaller_values.hpp>

#include <boost/describe/members.hpp>
#include <boost/json/value.hpp>

#include <cstdint>
#include <memory>
#include <ostream>
#include <rapidcheck.h>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Reads values of `T`, and rejects JSON that its schema does not permit.
template<class T>
class value_reader {
public:
    bool read(T& to, boost::json::value const& from) const
    {
        mismatches problems;
        return check_.accepts(from) && decode(to, from, problems);
    }

private:
    schema_validator check_{schema_of<T>()};
};

// The shrinks of a value, which rapidcheck requests one after another: the smaller values, each with its own shrinks.
template<class T>
class shrinks_of {
public:
    shrinks_of(boost::json::value const& json, std::shared_ptr<value_reader<T> const> reader)
        : left_(json), reader_(std::move(reader))
    {}

    static rc::Shrinkable<T> from(T value, boost::json::value json, std::shared_ptr<value_reader<T> const> reader)
    {
        auto shrinks = [json = std::move(json), reader = std::move(reader)] {
            return rc::Seq<rc::Shrinkable<T>>(shrinks_of(json, reader));
        };
        return rc::shrinkable::lambda([value = std::move(value)] { return value; }, std::move(shrinks));
    }

    rc::Maybe<rc::Shrinkable<T>> operator()()
    {
        while (auto json = left_.next()) {
            T smaller{};
            if (reader_->read(smaller, *json))
                return from(std::move(smaller), std::move(*json), reader_);
        }
        return rc::Nothing;
    }

private:
    smaller_values left_;                           // advanced by operator()
    std::shared_ptr<value_reader<T> const> reader_; // set by the constructor
};

template<class T>
inline constexpr bool is_sampled = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;

} // namespace detail

/// Returns a rapidcheck generator of the values that `sample<T>` returns.
///
/// If a property fails with a value, rapidcheck reduces the value until the property holds for each smaller form
/// (`smaller_values`): optional members are absent, arrays are empty, strings are short, and numbers are near 0, as far
/// as the property still fails. All values satisfy the notes of the members, such as bounds and patterns. For each
/// described struct, `rc::gen::arbitrary<T>()` and the parameters of properties use this generator, and a report
/// contains the JSON of the value.
///
/// \tparam T A described struct with a schema, see `sample`. An exception of `sample` is an error of the generator,
/// which rapidcheck reports.
/// \par Thread safety
/// That of the generators of rapidcheck.
template<class T>
rc::Gen<T> samples()
{
    return [reader = std::make_shared<detail::value_reader<T> const>()](rc::Random const& random, int size) {
        auto seed = rc::Random(random).next();
        if (size == 0)
            seed -= seed % 16; // a small value
        auto value = sample<T>(seed);
        std::string text;
        encode(text, value);
        error_code ec;
        auto json = linkspan::detail::parse_json(text, ec);
        return detail::shrinks_of<T>::from(std::move(value), std::move(json), reader);
    };
}

/// Returns a generator of plans of faults, for `world::set_chaos`. The faults occur on the first 3 connections of a
/// server, in the first 30 messages of a connection. rapidcheck removes the faults that a failure does not need.
///
///     rc::check([] {
///         world here;
///         here.set_chaos(chaos(*chaos_plans({"weather"})));
///         ...
///
/// \param servers Names of the servers; not empty.
/// \param options Options of the faults, of which `kinds` and `max_delay` are used only.
inline rc::Gen<chaos_plan> chaos_plans(std::vector<std::string> servers, chaos_options const& options = {})
{
    auto const number_below = [](std::uint64_t begin, std::uint64_t end) { // of the whole range at each size
        return rc::gen::resize(rc::kNominalSize, rc::gen::inRange(begin, end));
    };
    auto const max_delay = static_cast<std::uint64_t>(options.max_delay.count());
    auto const make = [](std::string server, std::uint64_t connection, std::uint64_t message, fault_kind kind,
                         std::uint64_t delay_ms) {
        chaos_fault out;
        out.server = std::move(server);
        out.connection = connection;
        out.message = message;
        out.fault = kind;
        out.delay_ms = delay_ms;
        return out;
    };
    auto fault = rc::gen::apply(make, rc::gen::elementOf(std::move(servers)), number_below(1, 4), number_below(1, 31),
                                rc::gen::elementOf(options.kinds), number_below(1, max_delay + 1)); // 0: the default
    auto faults = rc::gen::scale(0.2, rc::gen::container<std::vector<chaos_fault>>(std::move(fault)));
    return rc::gen::map(std::move(faults), [](std::vector<chaos_fault> all) {
        chaos_plan out;
        out.faults = std::move(all);
        return out;
    });
}

} // namespace linkspan::test

namespace rc {

/// The generator of described structs is that of `linkspan::test::samples`.
template<class T>
struct Arbitrary<T, std::enable_if_t<linkspan::test::detail::is_sampled<T>>> {
    /// Returns the generator of `T`.
    static Gen<T> arbitrary() { return linkspan::test::samples<T>(); }
};

namespace detail {

// Reports a described struct without an output operator as JSON. rapidcheck has no public customization point for all
// described structs.
template<class T>
    requires linkspan::test::detail::is_sampled<T>
struct ShowDefault<T, false, false> {
    static void show(T const& value, std::ostream& os)
    {
        std::string text;
        linkspan::encode(text, value);
        os << text;
    }
};

} // namespace detail
} // namespace rc

#endif
