#ifndef LINKSPAN_CONNECTOR_DETAIL_ENTRY_CALLS_HPP
#define LINKSPAN_CONNECTOR_DETAIL_ENTRY_CALLS_HPP

#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/merged_list.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/initiation.hpp>
#include <linkspan/core/detail/mapped_handler.hpp>
#include <linkspan/core/detail/pending_handler.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/prompt.hpp>
#include <linkspan/model/resource.hpp>
#include <linkspan/session/resources.hpp>

#include <boost/asio/async_result.hpp>

#include <cstddef>
#include <memory>
#include <string_view>
#include <utility>

// Operations of a connector on resources, templates and prompts, as free functions, so that programs compile without
// the classes of the connector.
namespace linkspan::inline LINKSPAN_ABI::detail {

// Lists the entries of all servers. `Entry`: `resource`, `resource_template` or `prompt`.
template<class Entry>
void list_all(core_pointer const& core, pending_handler<void(error_code, merged_list<Entry>)> done);

// Take an object for one request from the connector.
using entry_call_pointer = std::unique_ptr<call_operation, call_deleter>;
LINKSPAN_DECL entry_call_pointer prepare_read(core_pointer const& core, std::string_view uri);
LINKSPAN_DECL entry_call_pointer prepare_prompt(core_pointer const& core, std::string_view prompt,
                                                argument_values const& arguments);
LINKSPAN_DECL void set_options(call_operation& call, call_options options);

// Starts a prepared request; the object is owned by the operation until its completion.
LINKSPAN_DECL void start_entry_call(core_pointer const& core, entry_call_pointer call,
                                    pending_handler<void(error_code, call_result)> done);

// Set the maximum size of the stored results of reads, and drop all of them.
LINKSPAN_DECL void limit_stored_results(core_pointer const& core, std::size_t max_bytes);
LINKSPAN_DECL void drop_stored_results(core_pointer const& core);

// Returns the origin of the texts about results, with the secrets of the connector.
LINKSPAN_DECL request_origin origin_of(core_pointer const& core);

// Initiation object of a request whose result `Read` converts.
template<auto Read>
struct initiate_entry_call : initiation<&start_entry_call, core_pointer> {
    using initiation<&start_entry_call, core_pointer>::initiation;

    template<class Handler>
    void operator()(Handler&& handler, entry_call_pointer call) const
    {
        result_conversion<&read_value<Read>> conversion(origin_of(this->target()));
        initiation<&start_entry_call, core_pointer>::operator()(
            mapped_handler(std::forward<Handler>(handler), std::move(conversion)), std::move(call));
    }
};

template<auto Read, class Token>
auto start_typed_entry_call(core_pointer const& core, entry_call_pointer call, Token& token)
{
    return asio::async_initiate<Token, void(error_code, typed_result<value_of<Read>>)>(initiate_entry_call<Read>(core),
                                                                                       token, std::move(call));
}

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/connector/impl/entry_calls.ipp>
#endif

#endif
