#ifndef LINKSPAN_CONNECTOR_DETAIL_CALL_REQUEST_HPP
#define LINKSPAN_CONNECTOR_DETAIL_CALL_REQUEST_HPP

#include <linkspan/connector/detail/requested_task.hpp>
#include <linkspan/connector/detail/resolve_tool.hpp>
#include <linkspan/connector/selector.hpp>
#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/model/call_options.hpp>
#include <linkspan/protocol/compose.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Request of a caller: the tool, its arguments, the permitted servers and the options; and the text of `params`
// for the requests of all attempts.
//
// The object is reused with its memory: reset() begins another request.
//
// Invariants: `text_` is empty or begins with `arguments_key`. The arguments follow the key, and the own name of the
// tool follows the arguments if `text_` is longer than `arguments_size_`.
class call_request {
public:
    // Begins a request without arguments. `target`: name of the only server that may execute the call; empty: any.
    void reset(std::string_view target, std::string_view tool)
    {
        is_exposed_ = skips_interceptors_ = false;
        rejection_ = {};
        rejection_detail_.clear();
        set_text(target_, target);
        set_text(tool_, tool);
        if (text_.empty())
            text_ = arguments_key;
        text_.resize(arguments_key.size());
        arguments_size_ = text_.size();
    }

    void set_options(call_options options)
    {
        given_ = std::make_unique<call_options>(std::move(options));
        options_ = given_.get();
    }

    // Requests that the call becomes a task.
    void start_task(std::shared_ptr<requested_task> requested)
    {
        if (!given_)
            set_options({}); // release() releases it with the options
        task_ = std::move(requested);
    }

    // Restricts the name to exposed names.
    void restrict_to_exposed_names(bool is_exposed = true) noexcept { is_exposed_ = is_exposed; }

    // Skips the interceptors of the connector.
    void skip_interceptors() noexcept { skips_interceptors_ = true; }

    // Restricts the call to the selected servers.
    void select(selector which) { selector_ = std::make_unique<selector>(std::move(which)); }

    // Makes the call fail with this error, without a request.
    void reject(error_code ec, std::string detail)
    {
        rejection_ = ec;
        rejection_detail_ = std::move(detail);
    }

    // Returns the text to which the caller appends the arguments, one JSON object, between reset() and end_arguments().
    std::string& arguments_text() noexcept { return text_; }

    // Ends the arguments. The name is appended when the server is known, because the exposed name may differ from the
    // server's own name.
    void end_arguments() noexcept { arguments_size_ = text_.size(); }

    std::string const& tool() const noexcept { return tool_; }
    std::string const& target() const noexcept { return target_; }
    bool is_exposed() const noexcept { return is_exposed_; }
    bool skips_interceptors() const noexcept { return skips_interceptors_; }
    call_options const& options() const noexcept { return *options_; }
    error_code rejection() const noexcept { return rejection_; }
    std::string const& rejection_detail() const noexcept { return rejection_detail_; }
    std::string const& own_name() const noexcept { return own_name_; }
    selector const* which() const noexcept { return selector_.get(); }

    // Returns the requested task; null: an ordinary call.
    std::shared_ptr<requested_task> const& task() const noexcept { return task_; }

    std::string_view arguments() const noexcept
    {
        return std::string_view(text_).substr(arguments_key.size(), arguments_size_ - arguments_key.size());
    }

    // Returns the look-up of the tool; valid until the object changes.
    tool_query query() const noexcept { return {tool_, target_, selector_.get(), is_exposed_}; }

    // Returns the members of `params` of a request to a server with this own name of the tool; valid until the object
    // changes. Sets own_name().
    std::string_view params_for(std::string_view own)
    {
        if (text_.size() == arguments_size_ || own_name_ != own) {
            text_.resize(arguments_size_);
            set_own_name(own);
            text_ += name_member_;
        }
        return text_;
    }

    // Move the options or the selector out, for another call.
    call_options take_options() noexcept { return given_ ? std::move(*given_) : call_options(); }
    std::unique_ptr<selector> take_selector() noexcept { return std::move(selector_); }

    // Releases the references to other objects. The caller destroys the returned options, whose destructor may start
    // another call.
    std::unique_ptr<call_options> release() noexcept
    {
        selector_.reset();
        release_long_text(text_);
        if (given_) {
            options_ = &default_options();
            task_.reset();
        }
        return std::move(given_);
    }

private:
    static constexpr std::string_view arguments_key = R"("arguments":)";

    // Never destroyed, because a connector with static storage duration may outlive other static objects.
    static call_options const& default_options()
    {
        static call_options const& defaults = *new call_options;
        return defaults;
    }

    void set_own_name(std::string_view own)
    {
        if (own_name_ == own && !own.empty())
            return;
        own_name_.clear(); // an empty name is always composed again, so that an exception leaves no wrong member
        append_quoted(name_member_ = R"(,"name":)", own);
        own_name_ = own;
    }

    std::string target_;             // set by reset()
    std::string tool_;               // set by reset()
    std::string text_;               // set by reset(), extended by the caller and params_for()
    std::size_t arguments_size_ = 0; // length of the arguments in `text_`; set by reset() and end_arguments()
    std::string own_name_;           // set by params_for(), kept by reset()
    // The member `name` of `params` with `own_name_`, after a comma; set with `own_name_`.
    std::string name_member_ = R"(,"name":"")";
    std::unique_ptr<selector> selector_;  // set by select(), cleared by release(); null: any server
    error_code rejection_;                // set by reject(), cleared by reset()
    std::string rejection_detail_;        // set by reject(), cleared by reset()
    std::unique_ptr<call_options> given_; // set by set_options(), moved out by release(); null: none were given
    call_options const* options_ = &default_options(); // `given_`, or the defaults; set with `given_`
    std::shared_ptr<requested_task> task_;             // set by start_task(), cleared by release(); null: none
    bool is_exposed_ = false;                          // set by restrict_to_exposed_names(), cleared by reset()
    bool skips_interceptors_ = false;                  // set by skip_interceptors(), cleared by reset()
};

} // namespace linkspan::detail

#endif
