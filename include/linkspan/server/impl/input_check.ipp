#ifndef LINKSPAN_SERVER_IMPL_INPUT_CHECK_IPP
#define LINKSPAN_SERVER_IMPL_INPUT_CHECK_IPP

#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/model/elicitation.hpp>
#include <linkspan/schema/validator.hpp>
#include <linkspan/server/detail/input_check.hpp>
#include <linkspan/server/detail/json_object_check.hpp>

#include <memory>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {
namespace input_checking {

// Returns the schema of a form as JSON text; empty: the request has none.
inline std::string_view schema_of(std::string_view method, std::string_view params)
{
    return method == elicitation::method ? json_scan::member(params, "requestedSchema") : std::string_view();
}

// Schema of a form.
struct form_schema {
    // text: of the schema, as JSON.
    explicit form_schema(std::string_view text) : form_schema(text, error_code()) {}

    schema_validator validator;
    std::string problem; // reason for which the schema is invalid; empty: none

private:
    form_schema(std::string_view text, error_code ec) : validator(parse_json(text, ec))
    {
        if (ec || !validator.ok())
            problem =
                "the requested schema is invalid: " + (ec ? ec.message() : to_string(validator.problems().front()));
    }
};

// Returns the reason for which the content of an accepted form is invalid; empty: none, or the form was not accepted.
inline std::string problem_of(std::string_view result, schema_validator const& schema)
{
    if (json_scan::quoted(json_scan::member(result, "action")) != "accept")
        return {};
    auto const content = json_scan::member(result, "content");
    error_code ec;
    auto const value = parse_json(content.empty() ? "{}" : content, ec);
    if (!ec && !value.is_object())
        return "the content of the form is not a JSON object";
    auto const verdict = ec ? schema_verdict() : schema.validate(value);
    if (!ec && verdict.valid())
        return {};
    return "the content of the form does not match the requested schema: " +
           (ec ? ec.message() : to_string(verdict.errors.front()));
}

} // namespace input_checking

LINKSPAN_DECL std::string problem_of_params(std::string_view method, std::string_view params)
{
    return is_json_object(params) ? std::string()
                                  : "the params of the request '" + std::string(method) + "' are not a JSON object";
}

LINKSPAN_DECL std::string problem_of_schema(std::string_view method, std::string_view params)
{
    auto const text = input_checking::schema_of(method, params);
    return text.empty() ? std::string() : input_checking::form_schema(text).problem;
}

LINKSPAN_DECL std::string prepare_request(client_request& what, bool validates)
{
    if (auto problem = problem_of_params(what.method, what.params); !problem.empty())
        return problem;
    return what.has_kind && validates ? validate_input(what) : std::string();
}

LINKSPAN_DECL std::string validate_input(client_request& what)
{
    auto const text = input_checking::schema_of(what.method, what.params);
    if (text.empty())
        return {};
    input_checking::form_schema schema(text);
    if (!schema.problem.empty())
        return schema.problem;
    what.done = [schema = std::move(schema.validator), done = std::move(what.done),
                 report = what.on_invalid_input](error_code ec, std::string_view result) {
        auto const problem = ec ? std::string() : input_checking::problem_of(result, schema);
        if (problem.empty())
            return done(ec, result);
        if (report)
            report(problem);
        done(error::malformed_message, {});
    };
    return {};
}

LINKSPAN_DECL std::string problem_of_input(std::string_view method, std::string_view params, std::string_view result)
{
    auto const text = input_checking::schema_of(method, params);
    if (text.empty())
        return {};
    input_checking::form_schema const schema(text);
    return schema.problem.empty() ? input_checking::problem_of(result, schema.validator) : schema.problem;
}

} // namespace linkspan::detail

#endif
