#ifndef LINKSPAN_CONNECTOR_DETAIL_ENTRY_CALL_HPP
#define LINKSPAN_CONNECTOR_DETAIL_ENTRY_CALL_HPP

#include <linkspan/connector/detail/call_attempts.hpp>
#include <linkspan/connector/detail/call_pointer.hpp>
#include <linkspan/connector/detail/entry_lister.hpp>
#include <linkspan/connector/detail/result_store.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/model/prompt.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Reads one resource, or gets one prompt, over all attempts: finds the servers that list it, and sends the request as a
// call of a tool with the replay class `read_only`.
//
// The look-up has steps, each of which needs lists of one kind. The lists that are known, current or stale, are used;
// missing and stale ones are requested at the same time. Only if no known list has the entry, the steps wait for
// missing lists, then for stale ones, and start the servers with `start_mode::lazy`.
class entry_call final : public call_attempts<entry_call> {
public:
    using pointer = std::unique_ptr<call_operation, call_deleter>;

    // Take an object from the pool. `uri`, `prompt`: the entry.
    LINKSPAN_DECL static pointer prepare_read(core_pointer const& owner, std::string_view uri);
    LINKSPAN_DECL static pointer prepare_prompt(core_pointer const& owner, std::string_view prompt,
                                                argument_values const& arguments);

    // Starts the request; the object is owned by the operation until its completion. `call`: of this type.
    LINKSPAN_DECL static void start(pointer call, handler_type handler);

    LINKSPAN_DECL void recycle(connector_core& owner) noexcept override;

private:
    friend call_attempts<entry_call>;

    // Part of the look-up: the kind of the lists, and the lists that are requested.
    struct step {
        entry_kind kind;
        entry_lister::demand which;
    };

    static pointer prepare(core_pointer const& owner, std::string_view entry, bool is_prompt);

    entry_lister& lister() const;
    result_store& stored() const;
    bool uses_stored_results() const;
    bool complete_with_stored_result();
    bool is_last(std::size_t number) const noexcept { return number == (is_prompt_ ? 3 : 6); }
    step step_at(std::size_t number) const noexcept;
    void resolve();
    bool awaits_lists(step const& wanted);
    bool look_up();
    bool find_candidates(entry_kind kind);
    std::string_view find_in(listed_entries const& list, std::string_view server) const;
    bool is_ambiguous() const;
    void fail_ambiguous();
    void fail_unknown();
    void prepare_connection() noexcept {}
    void prepare_request();
    void finish_attempt(outcome result, call_result&& value, std::string&& detail, std::string_view entry,
                        std::string_view data);
    bool is_missing(error_code ec) const;

    void on_due(pause_reason why) override;
    bool was_requested() const noexcept override { return is_sent(); }
    void on_cancelled(bool is_attempting) override;

    bool is_prompt_ = false;     // set by prepare()
    bool has_requested_ = false; // set when the lists of the step were requested; cleared by prepare(), resolve()
    std::size_t step_ = 0;       // of the look-up; set to 0 by prepare(), incremented by resolve()
    std::size_t missing_ = 0;    // servers that do not have the resource; set to 0 by prepare()
    std::string arguments_;      // of a prompt, as JSON text; set by prepare_prompt(). Empty: none
    // When the request of the attempt was sent; set by prepare_request(). Empty: its result is not stored.
    std::optional<result_store::mark> sent_;
    std::string params_; // members of `params`; set by prepare_request()
    // Lists to which the candidates refer; set by look_up(), cleared by recycle().
    std::vector<entry_lister::list_pointer> lists_;
};

} // namespace linkspan::detail

// The function bodies require `connector_entries`, which contains the objects:
// <linkspan/connector/detail/connector_entries.hpp> includes the bodies.

#endif
