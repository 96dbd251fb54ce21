#ifndef LINKSPAN_SCHEMA_DETAIL_EVALUATE_SCHEMA_HPP
#define LINKSPAN_SCHEMA_DETAIL_EVALUATE_SCHEMA_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/schema/detail/compiled_schema.hpp>
#include <linkspan/schema/schema_verdict.hpp>

#include <boost/json/value.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::detail {

// Checks one value. Without a list for errors it ends at the first, and writes nothing.
class schema_evaluation {
public:
    schema_evaluation(compiled_schema const& schema, std::size_t max_depth, std::size_t max_steps,
                      std::vector<schema_error>* errors = nullptr, std::size_t max_errors = 0) noexcept
        : schema_(schema), depth_left_(max_depth), steps_left_(max_steps), errors_(errors), max_errors_(max_errors)
    {}

    // False for a value that is not valid, or not known to be.
    LINKSPAN_DECL bool run(boost::json::value const& of);

    bool gave_up() const noexcept { return gave_up_; }

private:
    using value = boost::json::value;

    // Where in the value we are; its key is empty at the root and in arrays.
    struct place {
        place const* up;
        std::string_view key;
        std::size_t index;
        bool is_element;
    };

    // The resources on the way here.
    struct scope {
        scope const* up;
        schema_index resource;
    };

    // Which members or elements of a value some schema was applied to.
    class marks {
    public:
        LINKSPAN_DECL void add(std::size_t position, std::size_t size);
        void add_all() noexcept { all_ = true; }
        LINKSPAN_DECL void merge(marks const& other);
        std::size_t size() const noexcept { return some_.size(); }
        bool has(std::size_t position) const noexcept { return all_ || (position < some_.size() && some_[position]); }

    private:
        std::vector<bool> some_;
        bool all_ = false;
    };

    struct count_words {
        std::string_view min, max, things;
    };

    // A schema on its way through a value: what its checks need.
    struct visit {
        schema_index node;
        value const& of;
        place const& at;
        scope const* in;
        marks* seen; // null: nobody asks
    };

    LINKSPAN_DECL bool check(schema_index node, value const& of, place const& at, scope const* in, marks* seen);
    LINKSPAN_DECL bool check_quietly(visit const& now, schema_index node, value const& of, place const& at,
                                     marks* seen);
    LINKSPAN_DECL bool check_rules(visit const& now);
    LINKSPAN_DECL bool check_adjacent(visit const& now);
    LINKSPAN_DECL bool check_values(visit const& now, value_rules const& rules);
    LINKSPAN_DECL bool check_number(visit const& now, number_rules const& rules);
    LINKSPAN_DECL bool check_count(visit const& now, std::size_t count, count_range const& range,
                                   count_words const& words);
    LINKSPAN_DECL bool check_string(visit const& now, string_rules const& rules);
    LINKSPAN_DECL bool check_array(visit const& now, array_rules const& rules);
    LINKSPAN_DECL bool check_contains(visit const& now, array_rules const& rules);
    LINKSPAN_DECL bool check_unique(visit const& now);
    LINKSPAN_DECL bool check_object(visit const& now, object_rules const& rules);
    LINKSPAN_DECL bool check_member(visit const& now, object_rules const& rules, std::size_t position,
                                    std::size_t& required);
    LINKSPAN_DECL bool refuse_missing(visit const& now, object_rules const& rules);
    LINKSPAN_DECL bool check_dependency(visit const& now, dependency_rule const& rule);
    LINKSPAN_DECL bool check_logic(visit const& now, logic_rules const& rules);
    LINKSPAN_DECL bool check_reference(visit const& now, reference_rule const& rule);
    LINKSPAN_DECL bool check_any(visit const& now, std::vector<schema_index> const& alternatives);
    LINKSPAN_DECL bool check_one(visit const& now, std::vector<schema_index> const& alternatives);
    LINKSPAN_DECL bool check_condition(visit const& now, logic_rules const& rules);
    LINKSPAN_DECL bool check_unevaluated(visit const& now, compiled_schema::unevaluated_rules const& rules);

    LINKSPAN_DECL bool matches(schema_index pattern, std::string_view text);
    LINKSPAN_DECL bool equal(value const& a, value const& b, std::size_t depth = 0);
    LINKSPAN_DECL std::size_t hash(value const& of, std::size_t depth = 0);
    LINKSPAN_DECL bool take_steps(std::size_t count) noexcept;
    bool take_step() noexcept { return take_steps(1); }

    // Of a text that is read as a whole; that of most keys is free.
    bool take_text(std::string_view text) noexcept { return text.size() < 64 || take_steps(text.size() / 64); }
    LINKSPAN_DECL bool give_up() noexcept;

    // Adds a result to `valid`; whether to go on.
    LINKSPAN_DECL bool add(bool& valid, bool result) const noexcept;
    LINKSPAN_DECL bool merge(marks& into, marks const& from);

    // Says what is wrong, in words that are made only if somebody wants them. Always false.
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
    // Before the errors from `position` on.
    template<class Words>
    bool fail_before(std::size_t position, visit const& now, std::string_view keyword, Words words)
    {
        if (errors_ && position < max_errors_)
            report(now, keyword, words(), position);
        return false;
    }

    LINKSPAN_DECL void report(visit const& now, std::string_view keyword, std::string message,
                              std::size_t position = no_count);
    LINKSPAN_DECL bool check_names(visit const& now, schema_index names);

    compiled_schema const& schema_;
    std::size_t depth_left_, steps_left_;
    std::vector<schema_error>* errors_; // null: none are wanted, at least now
    std::size_t max_errors_;
    bool gave_up_ = false;
    schema_pattern::memory memory_;
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/schema/impl/evaluate_schema.ipp>
#endif

#endif
