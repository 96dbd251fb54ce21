#ifndef LINKSPAN_TEST_BENCH_SAX_FLOOR_HPP
#define LINKSPAN_TEST_BENCH_SAX_FLOOR_HPP

// The floor of linkspan-bench-json: the event parser of Boost.JSON with a hand-written handler for these messages. The
// parser is reused.

#include <boost/json/basic_parser_impl.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "messages.hpp"

namespace bench {

/// State common to all handlers: the current key and partial text.
struct sax_base {
    static constexpr std::size_t max_object_size = std::size_t(-1);
    static constexpr std::size_t max_array_size = std::size_t(-1);
    static constexpr std::size_t max_key_size = std::size_t(-1);
    static constexpr std::size_t max_string_size = std::size_t(-1);

    using error_code = boost::system::error_code;
    using string_view = boost::json::string_view;

    std::string part, key;

    bool on_document_begin(error_code&) { return true; }
    bool on_document_end(error_code&) { return true; }
    bool on_key_part(string_view text, std::size_t, error_code&)
    {
        part.append(text.data(), text.size());
        return true;
    }
    bool on_key(string_view text, std::size_t, error_code&)
    {
        part.append(text.data(), text.size());
        key.swap(part);
        part.clear();
        return true;
    }
    bool on_string_part(string_view text, std::size_t, error_code&)
    {
        part.append(text.data(), text.size());
        return true;
    }
    bool on_number_part(string_view, error_code&) { return true; }
    bool on_null(error_code&) { return true; }
    bool on_comment_part(string_view, error_code&) { return true; }
    bool on_comment(string_view, error_code&) { return true; }
};

template<class Structured>
struct sax_handler : sax_base {
    message<Structured>* out = nullptr;

    bool on_object_begin(error_code&)
    {
        if constexpr (std::same_as<Structured, table>)
            if (key == "rows")
                out->result.structuredContent.rows.emplace_back(), key = "rows";
        if (in_content)
            out->result.content.emplace_back();
        ++depth;
        return true;
    }
    bool on_object_end(std::size_t, error_code&)
    {
        if (--depth == 3 && in_rows)
            key = "rows";
        return true;
    }
    bool on_array_begin(error_code&)
    {
        in_content = key == "content";
        in_rows = key == "rows";
        return true;
    }
    bool on_array_end(std::size_t, error_code&)
    {
        in_content = in_rows = false;
        key.clear();
        return true;
    }
    bool on_string(string_view text, std::size_t, error_code&)
    {
        part.append(text.data(), text.size());
        if (in_content) {
            if (key == "text")
                out->result.content.back().text.swap(part);
        } else if (key == "jsonrpc") {
            out->jsonrpc.swap(part);
        } else if constexpr (std::same_as<Structured, reading>) {
            if (key == "city")
                out->result.structuredContent.city.swap(part);
            else if (key == "conditions")
                out->result.structuredContent.conditions.swap(part);
        } else if constexpr (std::same_as<Structured, table>) {
            if (key == "name")
                out->result.structuredContent.rows.back().name.swap(part);
        }
        part.clear();
        return true;
    }
    bool on_int64(std::int64_t value, string_view, error_code&)
    {
        if constexpr (std::same_as<Structured, reading>)
            if (key == "pressure")
                out->result.structuredContent.pressure = value;
        if constexpr (std::same_as<Structured, table>)
            if (in_rows && key == "id") {
                out->result.structuredContent.rows.back().id = value;
                return true;
            }
        if (depth == 1)
            out->id = value;
        return true;
    }
    bool on_uint64(std::uint64_t, string_view, error_code&) { return true; }
    bool on_double(double value, string_view, error_code&)
    {
        if constexpr (std::same_as<Structured, reading>)
            (key == "temperature" ? out->result.structuredContent.temperature
                                  : out->result.structuredContent.humidity) = value;
        if constexpr (std::same_as<Structured, table>)
            out->result.structuredContent.rows.back().value = value;
        return true;
    }
    bool on_bool(bool value, error_code&)
    {
        if constexpr (std::same_as<Structured, table>)
            if (in_rows) {
                out->result.structuredContent.rows.back().ok = value;
                return true;
            }
        out->result.isError = value;
        return true;
    }

    int depth = 0;
    bool in_content = false, in_rows = false;
};

template<class Structured>
class sax_reader {
public:
    bool read(message<Structured>& out, std::string_view text)
    {
        parser_.reset();
        parser_.handler().out = &out;
        parser_.handler().depth = 0;
        out.result.content.clear();
        if constexpr (std::same_as<Structured, table>)
            out.result.structuredContent.rows.clear();
        boost::system::error_code ec;
        return parser_.write_some(false, text.data(), text.size(), ec) == text.size() && !ec;
    }

private:
    boost::json::basic_parser<sax_handler<Structured>> parser_{boost::json::parse_options()};
};

} // namespace bench

#endif
