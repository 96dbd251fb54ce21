#ifndef LINKSPAN_SESSION_DETAIL_TYPED_REQUEST_HPP
#define LINKSPAN_SESSION_DETAIL_TYPED_REQUEST_HPP

#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/model/completion.hpp>
#include <linkspan/model/entry_list.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/typed_result.hpp>
#include <linkspan/session/detail/session_calls.hpp>
#include <linkspan/session/session_ref.hpp>

#include <boost/asio/async_result.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

// Requests of a session whose results are converted to types of the model.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Converts the result of a request with `Read`, which returns an empty optional for an invalid result.
template<auto Read>
struct to_value {
    using value_type = typename std::invoke_result_t<decltype(Read), std::string_view>::value_type;

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result result) const
    {
        auto value = read(ec, std::move(result)); // before the invocation, because read() changes `ec`
        std::forward<Handler>(handler)(ec, std::move(value));
    }

    typed_result<value_type> read(error_code& ec, call_result result) const
    {
        if (ec)
            return typed_result<value_type>(std::move(result));
        if (auto value = Read(result.raw()))
            return typed_result<value_type>(std::move(*value), std::move(result));
        ec = error::malformed_message;
        auto const attempts = result.attempts();
        auto why = "the result is not valid: " + quote_result(result.raw(), origin);
        result.trail({attempts.begin(), attempts.end()}, std::move(why));
        return typed_result<value_type>(std::move(result));
    }

    request_origin origin; // whose secrets are redacted
};

// Base of the initiation objects of prepared requests whose results are converted.
struct request_initiation : initiation<&start_request, session_pointer> {
    explicit request_initiation(session_ref const& on)
        : initiation(session_access::core(on)), origin(session_access::origin(on))
    {}

    request_origin origin; // set by the constructor
};

template<auto Read>
struct initiate_typed_request : request_initiation {
    using request_initiation::request_initiation;

    template<class Handler>
    void operator()(Handler&& handler, request_pointer request) const
    {
        to_value<Read> convert;
        convert.origin = origin;
        initiation::operator()(mapped_handler(std::forward<Handler>(handler), std::move(convert)), std::move(request));
    }
};

// Starts a prepared request when the completion token initiates the operation.
template<auto Read, class Token>
auto start_typed(session_ref const& on, request_pointer request, Token& token)
{
    using value_type = typename to_value<Read>::value_type;
    return asio::async_initiate<Token, void(error_code, typed_result<value_type>)>(
        initiate_typed_request<Read>(on), token, std::move(request));
}

// Take a request object from the pool of the session, and write its parameters.
LINKSPAN_DECL request_pointer prepare_resource_request(session_ref const& on, std::string_view method,
                                                       std::string_view uri);
LINKSPAN_DECL request_pointer prepare_prompt(session_ref const& on, std::string_view name,
                                             argument_values const& arguments);
LINKSPAN_DECL request_pointer prepare_completion(session_ref const& on, completion_request const& what);

// Methods of the lists.
template<class Entry>
inline constexpr std::string_view list_method{};
template<>
inline constexpr std::string_view list_method<resource> = "resources/list";
template<>
inline constexpr std::string_view list_method<resource_template> = "resources/templates/list";
template<>
inline constexpr std::string_view list_method<prompt> = "prompts/list";
template<>
inline constexpr std::string_view list_method<task> = "tasks/list";

// Completes a list operation with the entries of all pages; none after an error.
template<class Entry>
struct to_entry_list {
    std::shared_ptr<entry_list<Entry>> list; // filled by the reader of the pages

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, std::string detail) const
    {
        auto out = ec ? entry_list<Entry>() : std::move(*list);
        out.detail = std::move(detail);
        std::forward<Handler>(handler)(ec, std::move(out));
    }
};

template<class Entry>
struct initiate_list : initiation<&list_entries, session_pointer> {
    explicit initiate_list(session_ref const& on)
        : initiation(session_access::core(on)), origin(session_access::origin(on))
    {}

    template<class Handler>
    void operator()(Handler&& handler) const
    {
        auto const list = std::make_shared<entry_list<Entry>>();
        auto read = [list](std::string_view page, error_code& ec) {
            ec = append_page(*list, page);
            return list->entries.size();
        };
        initiation::operator()(mapped_handler(std::forward<Handler>(handler), to_entry_list<Entry>{list}),
                               list_method<Entry>, origin, page_reader(std::move(read)));
    }

    request_origin origin; // set by the constructor
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/typed_request.ipp>
#endif

#endif
