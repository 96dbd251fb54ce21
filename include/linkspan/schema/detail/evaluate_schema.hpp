#ifndef LINKSPAN_SCHEMA_DETAIL_EVALUATE_SCHEMA_HPP
#define LINKSPAN_SCHEMA_DETAIL_EVALUATE_SCHEMA_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/counted.hpp>
#include <linkspan/schema/detail/compiled_schema.hpp>
#include <linkspan/schema/schema_verdict.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Validation of one value.
//
// Without a list for errors, the validation ends at the first error and composes no messages. An object is used for one
// call of `run`. Invariant: `gave_up_` is set if the result is not known because a limit was reached.
class schema_evaluation {
public:
    schema_evaluation(compiled_schema const& schema, std::size_t max_depth, std::size_t max_steps,
                      std::vector<schema_error>* errors = nullptr, std::size_t max_errors = 0) noexcept
        : schema_(schema), depth_left_(max_depth), steps_left_(max_steps), errors_(errors), max_errors_(max_errors)
    {}

    // Validates a value. Returns false if the value is not valid, or if a limit was reached.
    LINKSPAN_DECL bool run(boost::json::value const& of);

    bool gave_up() const noexcept { return gave_up_; }

private:
    using value = boost::json::value;

    // Position in the value, as a list on the stack. The key is empty at the root and in arrays.
    struct place {
        place const* up; // null at the root
        std::string_view key;
        std::size_t index;
        bool is_element;
    };

    // Resources that were entered on the way to the current schema, as a list on the stack.
    struct scope {
        scope const* up;
        schema_index resource;
    };

    // Set of the members or elements of a value to which a schema was applied, for the `unevaluated...` keywords.
    class marks {
    public:
        LINKSPAN_DECL void add(std::size_t position, std::size_t size);
        void add_all() noexcept { all_ = true; }
        LINKSPAN_DECL void merge(marks const& other);
        std::size_t size() const noexcept { return some_.size(); }
        bool has(std::size_t position) const noexcept { return all_ || (position < some_.size() && some_[position]); }

    private:
        std::vector<bool> some_; // by position; shorter than the value if the last positions are not marked
        bool all_ = false;       // all positions are marked
    };

    // Keywords and noun for the messages of a `count_range`.
    struct count_names {
        std::string_view min, max;
        noun of;
    };

    // Application of one schema to one value: the arguments of the checks.
    struct visit {
        schema_index node;
        value const& of;
        place const& at;
        scope const* in;
        marks* seen; // null if no `unevaluated...` keyword needs the marks
    };

    // Schemas, and keywords without subschemas, in evaluate_schema.ipp

    LINKSPAN_DECL bool check(schema_index node, value const& of, place const& at, scope const* in, marks* seen);
    // Checks without recording errors.
    LINKSPAN_DECL bool check_quietly(visit const& now, schema_index node, value const& of, place const& at,
                                     marks* seen);
    LINKSPAN_DECL bool check_rules(visit const& now);
    // Applies all keywords of the schema except the `unevaluated...` keywords, which apply afterwards.
    LINKSPAN_DECL bool check_adjacent(visit const& now);
    LINKSPAN_DECL bool check_values(visit const& now, value_rules const& rules);
    LINKSPAN_DECL bool check_number(visit const& now, number_rules const& rules);
    LINKSPAN_DECL bool check_count(visit const& now, std::size_t count, count_range const& range,
                                   count_names const& words);
    LINKSPAN_DECL bool check_string(visit const& now, string_rules const& rules);
    LINKSPAN_DECL bool check_unique(visit const& now);

    // Keywords with subschemas, in evaluate_schema.subschemas.ipp

    LINKSPAN_DECL bool check_array(visit const& now, array_rules const& rules);
    LINKSPAN_DECL bool check_contains(visit const& now, array_rules const& rules);
    LINKSPAN_DECL bool check_object(visit const& now, object_rules const& rules);
    LINKSPAN_DECL bool check_member(visit const& now, object_rules const& rules, std::size_t position,
                                    std::size_t& required);
    LINKSPAN_DECL bool report_missing(visit const& now, object_rules const& rules);
    LINKSPAN_DECL bool check_names(visit const& now, schema_index names);
    LINKSPAN_DECL bool check_dependency(visit const& now, dependency_rule const& rule);
    LINKSPAN_DECL bool check_logic(visit const& now, logic_rules const& rules);
    LINKSPAN_DECL bool check_reference(visit const& now, reference_rule const& rule);
    LINKSPAN_DECL bool check_any(visit const& now, std::vector<schema_index> const& alternatives);
    LINKSPAN_DECL bool check_one(visit const& now, std::vector<schema_index> const& alternatives);
    LINKSPAN_DECL bool check_condition(visit const& now, logic_rules const& rules);
    LINKSPAN_DECL bool check_unevaluated(visit const& now, compiled_schema::unevaluated_rules const& rules);
    LINKSPAN_DECL bool merge(marks& into, marks const& from);

    // Steps, comparisons and errors, in evaluate_schema.ipp

    LINKSPAN_DECL bool matches(schema_index pattern, std::string_view text);
    LINKSPAN_DECL bool equal(value const& a, value const& b, std::size_t depth = 0);
    LINKSPAN_DECL std::size_t hash(value const& of, std::size_t depth = 0);
    LINKSPAN_DECL bool take_steps(std::size_t count) noexcept;
    bool take_step() noexcept { return take_steps(1); }

    // Counts the steps for reading a text. Texts below 64 bytes, as most keys, cost no step.
    bool take_text(std::string_view text) noexcept { return text.size() < 64 || take_steps(text.size() / 64); }
    // Ends the validation at a limit. Returns false.
    LINKSPAN_DECL bool give_up() noexcept;

    // Combines a result with `valid`. Returns true if the validation has to continue.
    LINKSPAN_DECL bool add(bool& valid, bool result) const noexcept;

    // Reports an error. `words` composes the message and is called only if the error is recorded. Returns false.
    template<class Words>
    bool fail(visit const& now, std::string_view keyword, Words words)
    {
        if (errors_ && errors_->size() < max_errors_)
            report(now, keyword, words());
        return false;
    }
    bool fail(visit const& now, std::string_view keyword, char const* words)
    {
        return fail(now, keyword, [words] { return std::string(words); });
    }
    // Reports an error before the errors from `position` on. Returns false.
    template<class Words>
    bool fail_before(std::size_t position, visit const& now, std::string_view keyword, Words words)
    {
        if (errors_ && position < max_errors_)
            report(now, keyword, words(), position);
        return false;
    }

    LINKSPAN_DECL void report(visit const& now, std::string_view keyword, std::string message,
                              std::size_t position = no_count);

    compiled_schema const& schema_;       // set by the constructor
    std::size_t depth_left_, steps_left_; // decremented by check() during its call, and by take_steps()
    std::vector<schema_error>* errors_;   // null if no errors are recorded; also null inside check_quietly()
    std::size_t max_errors_;              // maximum size of `errors_`
    bool gave_up_ = false;                // set by give_up(), never cleared
    schema_pattern::memory memory_;       // working memory of all pattern searches
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/evaluate_schema.ipp>
#include <linkspan/schema/impl/evaluate_schema.subschemas.ipp>
#endif

#endif
