#ifndef LINKSPAN_SCHEMA_IMPL_VALIDATOR_IPP
#define LINKSPAN_SCHEMA_IMPL_VALIDATOR_IPP

#include <linkspan/schema/detail/compile_schema.hpp>
#include <linkspan/schema/detail/evaluate_schema.hpp>
#include <linkspan/schema/validator.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL schema_validator::schema_validator(boost::json::value const& schema, schema_options const& options)
    : max_depth_(options.max_depth), max_steps_(options.max_steps), max_errors_(options.max_errors)
{
    std::vector<diagnostic> problems;
    compiled_ = detail::compile_schema(schema, options, problems);
    problems_ = std::make_shared<std::vector<diagnostic> const>(std::move(problems));
}

// An invalid value is validated again to compose the messages, so that valid values cause no cost for messages.
LINKSPAN_DECL schema_verdict schema_validator::validate(boost::json::value const& value) const
{
    schema_verdict verdict;
    if (!ok()) {
        auto const reason = std::ranges::find(*problems_, diagnostic::severity::error, &diagnostic::level);
        verdict.errors.push_back(
            {{}, reason == problems_->end() ? std::string() : reason->pointer, {}, "the schema cannot be used"});
        return verdict;
    }
    detail::schema_evaluation unexplained(*compiled_, max_depth_, max_steps_);
    if (unexplained.run(value))
        return verdict;
    verdict.gave_up = unexplained.gave_up();
    if (verdict.gave_up) {
        verdict.errors.push_back({{}, {}, {}, "validation exceeds max_steps or max_depth"});
        return verdict;
    }
    if (max_errors_ == 0) {
        verdict.errors.push_back({{}, {}, {}, "value is not valid; max_errors is 0, so that no reason is reported"});
        return verdict;
    }
    detail::schema_evaluation explained(*compiled_, max_depth_, max_steps_, &verdict.errors, max_errors_);
    explained.run(value);
    if (explained.gave_up() || verdict.errors.empty())
        verdict.errors = {{{}, {}, {}, "value is not valid; max_steps does not suffice to determine the reason"}};
    return verdict;
}

LINKSPAN_DECL bool schema_validator::accepts(boost::json::value const& value) const
{
    return ok() && detail::schema_evaluation(*compiled_, max_depth_, max_steps_).run(value);
}

} // namespace linkspan

#endif
