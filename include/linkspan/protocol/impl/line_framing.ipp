#ifndef LINKSPAN_PROTOCOL_IMPL_LINE_FRAMING_IPP
#define LINKSPAN_PROTOCOL_IMPL_LINE_FRAMING_IPP

#include <linkspan/protocol/line_framing.hpp>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL line_framing::batch line_framing::resume(std::string_view buffer)
{
    BOOST_ASSERT(ec_ || buffer.size() >= searched_);
    lines_.clear();
    while (!ec_) {
        auto const newline = buffer.find('\n', searched_);
        if (newline == buffer.npos)
            break;
        append_line(without_cr({buffer.data(), newline})); // g++ 12 may not inline substr()
        buffer.remove_prefix(newline + 1);
        searched_ = 0;
    }
    if (!ec_ && without_cr(buffer).size() > max_line_)
        ec_ = error::line_too_long;
    searched_ = ec_ ? 0 : buffer.size();
    return {lines_, searched_, ec_};
}

LINKSPAN_DECL line_framing::batch line_framing::finish()
{
    lines_.clear();
    if (!ec_)
        ec_ = searched_ > 0 ? error::truncated_line : error::stream_ended;
    searched_ = 0;
    return {lines_, 0, ec_};
}

LINKSPAN_DECL void line_framing::append_line(std::string_view line)
{
    if (line.size() > max_line_)
        ec_ = error::line_too_long;
    else if (!line.empty())
        lines_.push_back(line);
}

} // namespace linkspan

#endif
