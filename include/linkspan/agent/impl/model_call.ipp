#ifndef LINKSPAN_AGENT_IMPL_MODEL_CALL_IPP
#define LINKSPAN_AGENT_IMPL_MODEL_CALL_IPP

#include <linkspan/agent/model_call.hpp>
#include <linkspan/json/detail/json_fault.hpp>
#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/json_scan.hpp>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail {

// Names of the members of a request in one format.
struct request_form {
    std::string_view type; // required value of `type` if it is present; empty: any value
    std::string_view id;
    std::string_view body; // member that contains name and arguments; empty: the request itself
    std::string_view arguments;
    bool takes_text; // whether arguments may be the text of an object

    // Returns the place of the arguments as a JSON Pointer.
    std::string pointer() const { return (body.empty() ? "" : "/" + std::string(body)) + '/' + std::string(arguments); }
};

inline request_form form_of(tool_format format) noexcept
{
    switch (format) {
    case tool_format::openai: return {"function", "id", "function", "arguments", true};
    case tool_format::openai_responses: return {"function_call", "call_id", "", "arguments", true};
    case tool_format::anthropic: return {"tool_use", "id", "", "input", false};
    case tool_format::flat: break;
    }
    return {"", "id", "", "arguments", false};
}

// Reads a request. Each step returns the problem, or an empty text.
class model_call_reader {
public:
    model_call_reader(std::string_view json, tool_format format, model_call& into)
        : json_(json), form_(form_of(format)), into_(into)
    {}

    std::string read()
    {
        into_.has_arguments = false;
        into_.id = json_scan::string(json_scan::member(json_, form_.id)).value_or("");
        if (auto const fault = find_fault(json_))
            return describe_fault(fault);
        if (auto const kind = name_of_kind(json_); kind != "an object")
            return "the request must be an object, not " + std::string(kind);
        if (auto problem = check_head(); !problem.empty())
            return problem;
        auto body = json_;
        if (!form_.body.empty()) {
            body = json_scan::member(json_, form_.body);
            if (auto problem = check_kind(form_.body, body, '{', "an object"); !problem.empty())
                return problem;
        }
        auto const name = json_scan::member(body, "name");
        if (auto problem = check_kind("name", name, '"', "a string"); !problem.empty())
            return problem;
        into_.name = json_scan::string(name).value_or("");
        if (into_.name.empty())
            return "'name' must be the name of a tool, not empty";
        return read_arguments(json_scan::member(body, form_.arguments));
    }

private:
    static std::string check_kind(std::string_view key, std::string_view value, char first, std::string_view wanted)
    {
        if (!value.empty() && value.front() == first)
            return {};
        auto const quoted = '\'' + std::string(key) + '\'';
        return value.empty() ? quoted + " is missing, expected " + std::string(wanted)
                             : quoted + " must be " + std::string(wanted) + ", not " + std::string(name_of_kind(value));
    }

    std::string check_head() const
    {
        auto const id = json_scan::member(json_, form_.id);
        if (!id.empty() && id != "null")
            if (auto problem = check_kind(form_.id, id, '"', "a string"); !problem.empty())
                return problem;
        auto const type = json_scan::member(json_, "type");
        if (form_.type.empty() || type.empty() || json_scan::quoted(type) == form_.type)
            return {};
        return "'type' must be \"" + std::string(form_.type) + "\", not " + shortened_text(type);
    }

    // Describes a fault of the request. A fault in the arguments is described with its place within the arguments.
    std::string describe_fault(json_fault fault) const
    {
        auto const pointer = form_.pointer();
        bool const is_in_arguments = fault.pointer == pointer || fault.pointer.starts_with(pointer + '/');
        bool const is_repeated_arguments = fault.what == json_fault::kind::repeated_key && fault.pointer == pointer;
        if (!is_in_arguments || is_repeated_arguments)
            return describe(fault, "the request is", json_);
        fault.pointer.erase(0, pointer.size());
        return describe(fault, "arguments are", json_);
    }

    std::string read_arguments(std::string_view value)
    {
        if (value.empty())
            return {};
        if (form_.takes_text && value.front() == '"') {
            auto text = json_scan::string(value).value_or("");
            if (text.empty()) // written by models for "no arguments"
                return {};
            if (auto problem = problem_of_arguments(text); !problem.empty())
                return problem;
            into_.arguments = std::move(text);
            into_.has_arguments = true;
        } else if (value.front() == '{') {
            into_.arguments = value;
            into_.has_arguments = true;
        } else {
            return "arguments must be an object, not " + std::string(name_of_kind(value));
        }
        return {};
    }

    // Set by the constructor.
    std::string_view json_;
    request_form form_;
    model_call& into_; // receives the request
};

} // namespace detail

LINKSPAN_DECL model_call read_model_call(std::string_view json, tool_format format, error_code& ec)
{
    model_call call;
    call.problem = detail::model_call_reader(json, format, call).read();
    ec = call.problem.empty() ? error_code() : error::malformed_message;
    return call;
}

} // namespace linkspan

#endif
