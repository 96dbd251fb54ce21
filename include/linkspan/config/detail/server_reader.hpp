#ifndef LINKSPAN_CONFIG_DETAIL_SERVER_READER_HPP
#define LINKSPAN_CONFIG_DETAIL_SERVER_READER_HPP

#include <linkspan/config/detail/config_reader.hpp>
#include <linkspan/config/server_config.hpp>
#include <linkspan/core/detail/config.hpp>

#include <boost/json/value.hpp>

#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Differences between clients in the meaning of keys and texts.
struct server_dialect {
    bool is_literal = false;         // texts contain no variables (Codex, Claude Desktop)
    bool has_bare_variables = false; // `$NAME` is a variable too (Gemini)
    bool is_in_milliseconds = false; // unit of `timeout` (Gemini, Claude Code)
};

// Reads the configuration of one server. Returns an empty optional if it has an error, which is then reported.
LINKSPAN_DECL std::optional<server_config> read_server(config_reader const& where, std::string_view name,
                                                       json::value const& from, server_dialect dialect = {});

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/config/impl/server_reader.ipp>
#endif

#endif
