#ifndef LINKSPAN_TEST_SCRIPT_EXPECTATION_HPP
#define LINKSPAN_TEST_SCRIPT_EXPECTATION_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/test/script/journal.hpp>
#include <linkspan/test/script/rule_conditions.hpp>
#include <linkspan/test/script/trigger.hpp>

#include <cstddef>
#include <functional>
#include <limits>
#include <ostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

class script_writer;

} // namespace detail

/// The requests that a test expects a server to have received.
///
///     expectation paris(call("forecast"));
///     paris.where("/arguments/city", "Paris").exactly(2);
///     BOOST_TEST(weather.verify(paris));
class expectation {
public:
    /// Expects at least one request that the trigger matches. The predicate `trigger::where` is evaluated for the
    /// requests of the method and tool, in each call of `report`.
    ///
    /// \throws std::invalid_argument The trigger matches another event than a request.
    explicit expectation(trigger of) : of_(std::move(of))
    {
        if (of_.kind != event_kind::request)
            throw std::invalid_argument("linkspan: expectation: expected a trigger for requests");
        where(std::exchange(of_.parameters, {}));
    }

    /// Adds a condition on a value of the parameters or of the whole message, or on a header field of the HTTP request.
    ///
    /// \param pointer One of these: a JSON Pointer (RFC 6901) into `params`, such as `/arguments/city`, or empty; '#'
    /// and a JSON Pointer into the whole message, such as `#/id`; a header field, such as
    /// `#/http/headers/authorization`, with a name in any case. The value of a header field is a string; it is absent
    /// for other transports.
    /// \param definition Definition of a `matcher`.
    /// \returns This object.
    /// \throws std::invalid_argument The pointer is none of these, or the definition is not that of a matcher.
    LINKSPAN_DECL expectation& where(std::string pointer, boost::json::value const& definition);

    /// Adds conditions, such as those of a rule or a trigger.
    ///
    /// \param conditions Conditions whose pointers are those of `where`.
    /// \returns This object.
    expectation& where(std::vector<parameter_condition> conditions)
    {
        for (auto& condition : conditions)
            where_.push_back(std::move(condition));
        return *this;
    }

    /// Expects this number of requests. 0: none.
    ///
    /// \returns This object.
    expectation& exactly(std::size_t count) { return between(count, count); }

    /// Expects a number of requests from `min_count` to `max_count`.
    ///
    /// \returns This object.
    /// \throws std::invalid_argument `min_count` is greater than `max_count`.
    expectation& between(std::size_t min_count, std::size_t max_count)
    {
        if (min_count > max_count)
            throw std::invalid_argument("linkspan: expectation: expected a minimum of at most " +
                                        std::to_string(max_count) + ", found " + std::to_string(min_count));
        least_ = min_count;
        most_ = max_count;
        return *this;
    }

    /// Counts only requests that the client has cancelled, or before whose response the client has ended its
    /// connection.
    ///
    /// \returns This object.
    expectation& cancelled()
    {
        cancelled_ = true;
        return *this;
    }

    /// Returns an empty text if `requests` meets the expectation, else a report: the expected and the actual number,
    /// and the three nearest requests with at most 8 differences each, the rule that was selected and the states of the
    /// scenarios; if too many requests match, the first 20 of them. Calls of other tools, and requests of methods with
    /// a similar name, are near if there are no nearer ones. If no request is near, the report has the states at the
    /// last request.
    ///
    /// \param requests The requests of the server.
    /// \param nearest_rule Called for each of the nearest requests; the report has its result, unless it is empty.
    /// Empty: the report has no nearest rules.
    LINKSPAN_DECL std::string report(journal const& requests, nearest_rule_function const& nearest_rule = {}) const;

private:
    friend class detail::script_writer;

    std::string description() const;

    trigger of_;                                                             // set by the constructor
    std::vector<parameter_condition> where_;                                 // extended by where()
    std::size_t least_ = 1, most_ = std::numeric_limits<std::size_t>::max(); // set by between()
    bool cancelled_ = false;                                                 // set by cancelled()
};

/// The result of a verification. The object converts to true if the expectation is met, and is written to a stream as
/// its report.
class verification {
public:
    /// Makes the result with a report; empty: the expectation is met.
    explicit verification(std::string report) : report_(std::move(report)) {}

    /// Returns whether the expectation is met.
    explicit operator bool() const noexcept { return report_.empty(); }
    /// Returns the report; empty: the expectation is met.
    std::string const& report() const noexcept { return report_; }

    /// Writes the report, or that the expectation is met.
    friend std::ostream& operator<<(std::ostream& out, verification const& outcome)
    {
        return out << (outcome.report_.empty() ? "the expectation is met" : outcome.report_);
    }

private:
    std::string report_;
};

} // namespace linkspan::test

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/test/script/impl/expectation.ipp>
#endif

#endif
