#ifndef LINKSPAN_TEST_SUPPORT_FAULT_EVIDENCE_HPP
#define LINKSPAN_TEST_SUPPORT_FAULT_EVIDENCE_HPP

// The received bytes of a response with a fault, in comparison with those without.

#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/json/parse.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <bit>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "contains.hpp"
#include "fault_run.hpp"

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the messages in lines, in bodies, and in events of one line of data, without the response to the later
// request, whose id is 3.
inline std::vector<std::string> messages_of(std::string_view text)
{
    std::vector<std::string> out;
    while (!text.empty()) {
        auto line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        if (line.starts_with("data: "))
            line.remove_prefix(6);
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        if ((line.starts_with('{') || line.starts_with('[')) && !contains(line, R"("id":3)"))
            out.emplace_back(line);
    }
    return out;
}

// Returns the content of the chunks of an HTTP body (RFC 9112, section 7.1).
inline std::string chunks_of(std::string_view text)
{
    std::string out;
    while (!text.empty()) {
        auto const size = std::stoul(std::string(text), nullptr, 16);
        auto const begin = std::min(text.find('\n') + 1, text.size());
        out += text.substr(begin, size);
        text.remove_prefix(std::min(begin + size + 2, text.size()));
    }
    return out;
}

// Returns the JSON text of a part of a message; empty: the message is not JSON, or does not have the part.
inline std::string part_of(std::string const& message, std::string_view pointer)
{
    error_code ec, absent;
    auto const value = boost::json::parse(message, ec);
    auto const* const found = ec ? nullptr : value.find_pointer(pointer, absent);
    return found ? boost::json::serialize(*found) : std::string();
}

// Observations with a fault and without. The unnamed connection is that of the request whose response has the fault.
struct evidence {
    fault_kind kind;
    fault_carrier over;
    protocol_version version;
    fault_observation const &plain, &faulty;
    received_bytes const& received = faulty.connections.at(0);
    std::string text = received.text(), plain_text = plain.connections.at(0).text();
    std::string regular = messages_of(plain_text).at(0); // the response without the fault
    std::vector<std::string> messages = messages_of(text);

    std::string half() const { return regular.substr(0, regular.size() / 2); }
    std::string head() const { return text.substr(0, text.find("\r\n\r\n") + 2); }
    std::string body() const { return text.substr(std::min(head().size() + 2, text.size())); }
    bool has_status(std::string_view code) const { return text.starts_with("HTTP/1.1 " + std::string(code) + ' '); }
    bool has_field(std::string_view line) const { return contains(head(), "\r\n" + std::string(line)); }
    // The event stream of HTTP+SSE begins before the response.
    bool is_event_stream() const
    {
        return over == fault_carrier::http_sse ||
               (has_status("200") && has_field("Content-Type: text/event-stream\r\n"));
    }
    std::string event_lines() const { return over == fault_carrier::http_sse ? chunks_of(text) : body(); }
    // Whether the connection ends at once.
    bool ends() const { return received.ended_at == duration::zero(); }
    // Whether only the first bytes of the response arrive.
    bool has_only(std::size_t size) const
    {
        return contains(text, regular.substr(0, size)) && !contains(text, regular.substr(0, size + 1));
    }
    // Whether the response arrives in parts of equal size, which the span separates.
    bool arrives_in(std::size_t parts, duration span) const
    {
        auto const whole = regular + (over == fault_carrier::inproc ? "\n" : "");
        for (std::size_t i = 0; i != parts; ++i) {
            auto const begin = whole.size() * i / parts, end = whole.size() * (i + 1) / parts;
            if (!contains(text_at(span * static_cast<duration::rep>(i)), whole.substr(begin, end - begin)))
                return false;
        }
        return true;
    }
    // Returns the bytes that arrive at an instant.
    std::string text_at(duration at) const
    {
        auto const found = std::ranges::find(received.arrivals, at, &arrival::at);
        return found == received.arrivals.end() ? std::string() : found->bytes;
    }
    // Parts of the only message, and of the response without the fault.
    std::string now(std::string_view pointer) const
    {
        return messages.size() == 1 ? part_of(messages[0], pointer) : std::string();
    }
    std::string before(std::string_view pointer) const { return part_of(regular, pointer); }
    bool is_error(std::string_view code) const
    {
        return now("/error/code") == code && now("/id") == "2" && now("/result").empty();
    }
    // Whether messages with the part precede the response.
    bool precede(std::size_t count, std::string const& part) const
    {
        return messages.size() == count + 1 && messages.back() == regular &&
               std::ranges::all_of(messages.begin(), messages.end() - 1,
                                   [&part](std::string const& each) { return contains(each, part); });
    }
    // Returns the time of the arrival of the end of the response; negative: the response has not arrived.
    duration delay() const
    {
        std::string until;
        for (auto const& each : received.arrivals)
            if (contains(until += each.bytes, regular))
                return each.at;
        return duration(-1);
    }
    // Returns the text before a message in its line.
    std::string line_prefix() const { return over == fault_carrier::inproc ? "" : "data: "; }
};

// Returns the number of bits in which two texts of equal size differ.
inline int different_bits(std::string_view one, std::string_view other)
{
    int out = one.size() == other.size() ? 0 : -1;
    for (std::size_t i = 0; out >= 0 && i != one.size(); ++i)
        out += std::popcount(static_cast<unsigned char>(one[i] ^ other[i]));
    return out;
}

} // namespace linkspan::test

#endif
