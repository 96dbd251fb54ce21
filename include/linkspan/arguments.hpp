#ifndef LINKSPAN_ARGUMENTS_HPP
#define LINKSPAN_ARGUMENTS_HPP

#include <linkspan/json_writer.hpp>

#include <string>
#include <string_view>
#include <utility>

namespace linkspan {

/// The arguments of a call, as text: serialised once, whatever the number of attempts.
class arguments {
public:
    /// No arguments.
    arguments() : text_("{}") {}

    arguments(boost::json::object const& object)
    {
        text_.reserve(128); // most calls need no more, and so one allocation
        append_json(text_, object);
    }

    /// Text that is a JSON object already; it is not checked.
    arguments(raw_json text) : text_(text.text()) {}

    std::string_view text() const noexcept { return text_; }

    std::string take() && noexcept { return std::move(text_); }

private:
    std::string text_;
};

} // namespace linkspan

#endif
