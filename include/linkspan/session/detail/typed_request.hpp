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
#include <tuple>
#include <type_traits>
#include <utility>

// Requests of a session whose results are converted to types of the model.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Type of the values that `Read` returns.
template<auto Read>
using value_of = typename std::invoke_result_t<decltype(Read), std::string_view>::value_type;

// Converts the result of a request with `Read`, which returns an empty optional for an invalid result.
template<auto Read>
typed_result<value_of<Read>> read_value(error_code& ec, call_result result, request_origin const& origin)
{
    using result_type = typed_result<value_of<Read>>;
    if (ec)
        return result_type(std::move(result));
    if (auto value = Read(result.raw()))
        return result_type(std::move(*value), std::move(result));
    explain_malformed(ec, result, "the result is not valid", origin);
    return result_type(std::move(result));
}

// Map of a `mapped_handler`: converts the result of a request by `Convert(ec, result, origin, parameters...)`, which
// may set the error.
template<auto Convert, class... Parameters>
class result_conversion {
public:
    explicit result_conversion(request_origin origin, Parameters... parameters)
        : origin_(std::move(origin)), parameters_(std::move(parameters)...)
    {}

    template<class Handler>
    void operator()(Handler&& handler, error_code ec, call_result result) const
    {
        auto const convert = [&](Parameters const&... each) {
            return Convert(ec, std::move(result), origin_, each...);
        };
        auto value = std::apply(convert, parameters_); // before the invocation, because it may set `ec`
        std::forward<Handler>(handler)(ec, std::move(value));
    }

private:
    request_origin origin_; // this and the next: set by the constructor
    std::tuple<Parameters...> parameters_;
};

// Base of the initiation objects of prepared requests whose results are converted.
class request_initiation : public initiation<&start_request, session_pointer> {
public:
    explicit request_initiation(session_ref const& on)
        : initiation(session_access::core(on)), origin_(session_access::origin(on))
    {}

protected:
    template<auto Convert, class Handler, class... Parameters>
    void start(Handler&& handler, request_pointer request, Parameters... parameters) const
    {
        result_conversion<Convert, Parameters...> conversion(origin_, std::move(parameters)...);
        initiation::operator()(mapped_handler(std::forward<Handler>(handler), std::move(conversion)),
                               std::move(request));
    }

private:
    request_origin origin_; // set by the constructor
};

template<auto Read>
struct initiate_typed_request : request_initiation {
    using request_initiation::request_initiation;

    template<class Handler>
    void operator()(Handler&& handler, request_pointer request) const
    {
        start<&read_value<Read>>(std::forward<Handler>(handler), std::move(request));
    }
};

// Starts a prepared request when the completion token initiates the operation.
template<auto Read, class Token>
auto start_typed(session_ref const& on, request_pointer request, Token& token)
{
    return asio::async_initiate<Token, void(error_code, typed_result<value_of<Read>>)>(initiate_typed_request<Read>(on),
                                                                                       token, std::move(request));
}

// Take a request object from the pool of the session, and write its parameters.
LINKSPAN_DECL request_pointer prepare_text_request(session_ref const& on, std::string_view method, std::string_view key,
                                                   std::string_view text);
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
