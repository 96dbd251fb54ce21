#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_CONDITION_VALUES_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_CONDITION_VALUES_HPP

#include <linkspan/core/error.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/script/exchange.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// The values of a request or another message to which conditions refer, except header fields. Each text is parsed when
// the first condition needs it.
class condition_values {
public:
    // `of` must outlive this object.
    explicit condition_values(exchange const& of) noexcept : event_(&of) {}

    // `params` and `message`: JSON texts, which must outlive this object.
    condition_values(std::string_view params, std::string_view message) noexcept : params_(params), message_(message) {}

    // Returns the value at a location in `params`, or in the whole message; null: it is absent. Valid as long as this
    // object.
    boost::json::value const* find(std::string_view pointer)
    {
        error_code ec;
        if (auto const in_message = pointer_into_message(pointer)) {
            if (!parsed_message_)
                parsed_message_ = parse_params(event_ ? event_->message() : message_);
            return parsed_message_->find_pointer(*in_message, ec);
        }
        if (!parsed_params_)
            parsed_params_ = parse_params(event_ ? event_->params() : params_);
        return parsed_params_->find_pointer(pointer, ec);
    }

private:
    exchange const* event_ = nullptr;                                  // set by a constructor; null: texts are set
    std::string_view params_, message_;                                // set by the other constructor
    std::optional<boost::json::value> parsed_params_, parsed_message_; // set by find()
};

} // namespace linkspan::test::detail

#endif
