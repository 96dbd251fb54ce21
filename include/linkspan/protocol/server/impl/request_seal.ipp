#ifndef LINKSPAN_PROTOCOL_SERVER_IMPL_REQUEST_SEAL_IPP
#define LINKSPAN_PROTOCOL_SERVER_IMPL_REQUEST_SEAL_IPP

#include <linkspan/core/detail/base64.hpp>
#include <linkspan/core/detail/hmac.hpp>
#include <linkspan/json/detail/canonical_json.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/request_seal.hpp>

#include <chrono>
#include <stdexcept>

namespace linkspan::inline LINKSPAN_ABI {
namespace detail::seal {

inline constexpr std::size_t number_size = 8;

inline void append_bytes(std::string& out, std::uint64_t number)
{
    for (int shift = 56; shift >= 0; shift -= 8)
        out += static_cast<char>(number >> shift & 0xff);
}

inline std::uint64_t read_bytes(std::string_view bytes) noexcept
{
    std::uint64_t out = 0;
    for (char const byte : bytes.substr(0, number_size))
        out = out << 8 | static_cast<unsigned char>(byte);
    return out;
}

// Appends a text so that no other sequence of texts results in the same bytes.
inline void append_part(std::string& out, std::string_view part)
{
    append_bytes(out, part.size());
    out += part;
}

inline std::int64_t seconds_of(wall_time at) noexcept
{
    return std::chrono::duration_cast<std::chrono::seconds>(at.time_since_epoch()).count();
}

// Returns the params without the members that a client changes when it sends a request again.
inline std::string stable_params(std::string_view params)
{
    std::string object;
    json_scan::reader members(params);
    while (auto const member = members.next()) {
        if (member->key == "_meta" || member->key == "inputResponses" || member->key == "requestState")
            continue;
        object += object.empty() ? "{\"" : ",\"";
        ((object += member->key) += "\":") += member->value;
    }
    object += object.empty() ? "{}" : "}";
    std::string out;
    return append_canonical_text(out, object) ? out : object;
}

} // namespace detail::seal

LINKSPAN_DECL request_seal::request_seal(std::string key) : key_(std::move(key))
{
    if (key_.size() < 32)
        throw std::invalid_argument("linkspan: the key of a request seal has " + std::to_string(key_.size()) +
                                    " bytes, expected at least 32");
}

LINKSPAN_DECL std::string request_seal::code_of(binding const& of, std::string_view payload) const
{
    std::string text;
    for (auto const part : {of.method, of.principal, payload})
        detail::seal::append_part(text, part);
    return detail::hmac_sha256(key_, text += detail::seal::stable_params(of.params));
}

LINKSPAN_DECL std::string request_seal::seal(binding const& of, std::string_view state, wall_time expiry,
                                             std::uint64_t nonce) const
{
    std::string payload;
    detail::seal::append_bytes(payload, static_cast<std::uint64_t>(detail::seal::seconds_of(expiry)));
    detail::seal::append_bytes(payload, nonce);
    payload += state;
    return detail::to_base64(payload) + '.' + detail::to_base64(code_of(of, payload));
}

LINKSPAN_DECL request_seal::verdict request_seal::check(binding const& of, std::string_view sealed, wall_time now,
                                                        std::string& state, mark& found) const
{
    auto const dot = sealed.find('.');
    if (dot == sealed.npos)
        return verdict::invalid;
    auto const payload = detail::from_base64(sealed.substr(0, dot));
    auto const code = detail::from_base64(sealed.substr(dot + 1));
    if (!payload || !code || payload->size() < 2 * detail::seal::number_size ||
        !detail::equal_in_constant_time(*code, code_of(of, *payload)))
        return verdict::invalid;
    found.first = static_cast<std::int64_t>(detail::seal::read_bytes(*payload));
    if (found.first < detail::seal::seconds_of(now))
        return verdict::expired;
    found.second = detail::seal::read_bytes(std::string_view(*payload).substr(detail::seal::number_size));
    state = payload->substr(2 * detail::seal::number_size);
    return verdict::accepted;
}

LINKSPAN_DECL request_seal::verdict request_seal::open(binding const& of, std::string_view sealed, wall_time now,
                                                       std::string& state)
{
    mark found;
    std::string opened;
    if (auto const result = check(of, sealed, now, opened, found); result != verdict::accepted)
        return result;
    used_.erase(used_.begin(), used_.lower_bound({detail::seal::seconds_of(now), 0}));
    auto place = users_.take(of.account.empty() ? of.principal : of.account);
    if (used_.size() == max_used || !place || !used_.try_emplace(found, std::move(place)).second)
        return verdict::used;
    state = std::move(opened);
    return verdict::accepted;
}

LINKSPAN_DECL request_seal::verdict request_seal::verify(binding const& of, std::string_view sealed, wall_time now,
                                                         std::string& state) const
{
    mark found;
    return check(of, sealed, now, state, found);
}

} // namespace linkspan

#endif
