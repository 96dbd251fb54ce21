#ifndef LINKSPAN_TEST_IMPL_TAPE_REPLAY_IPP
#define LINKSPAN_TEST_IMPL_TAPE_REPLAY_IPP

#include <linkspan/json/detail/json_pointer.hpp>
#include <linkspan/json/detail/parse_json.hpp>
#include <linkspan/json/json_number.hpp>
#include <linkspan/json/json_scan.hpp>
#include <linkspan/test/detail/tape_requests.hpp>
#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/detail/json_text.hpp>
#include <linkspan/test/script/detail/parse_params.hpp>
#include <linkspan/test/tape.hpp>

#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI::test {
namespace detail {

// Removes the value at a JSON Pointer, or replaces it by null in an array. Has no effect if it does not exist.
inline void erase_at(boost::json::value& in, std::string_view pointer)
{
    auto const last = pointer.rfind('/');
    if (last == pointer.npos)
        return;
    error_code ec;
    auto* const owner = in.find_pointer(pointer.substr(0, last), ec);
    auto* const object = owner ? owner->if_object() : nullptr;
    auto* const array = owner ? owner->if_array() : nullptr;
    if (auto* const element = array ? in.find_pointer(pointer, ec) : nullptr)
        *element = nullptr; // not erased, so that the indexes of the other elements do not change
    if (!object)
        return;
    for (auto const& member : *object)
        if (linkspan::detail::pointer_token(member.key()) == pointer.substr(last + 1)) {
            object->erase(member.key());
            return;
        }
}

// Returns parameters as they are compared.
inline boost::json::value compared_params(std::string_view params, std::vector<std::string> const& ignored)
{
    auto out = parse_params(params);
    for (auto const& pointer : ignored)
        erase_at(out, pointer);
    return out;
}

// Returns whether a recorded text in which secrets were replaced can be the value.
inline bool fits_redacted(boost::json::value const& recorded, boost::json::value const& now)
{
    auto const *const pattern = recorded.if_string(), *const text = now.if_string();
    if (!pattern || pattern->find(redacted_text) == pattern->npos)
        return false;
    if (*pattern == redacted_text)
        return !now.is_null();
    if (!text)
        return false;
    std::string_view rest(*text), parts(*pattern);
    auto end = parts.find(redacted_text);
    if (!rest.starts_with(parts.substr(0, end)))
        return false;
    rest.remove_prefix(end);
    parts.remove_prefix(end + redacted_text.size());
    for (end = parts.find(redacted_text); end != parts.npos; end = parts.find(redacted_text)) {
        auto const at = rest.find(parts.substr(0, end));
        if (at == rest.npos)
            return false;
        rest.remove_prefix(at + end);
        parts.remove_prefix(end + redacted_text.size());
    }
    return rest.ends_with(parts);
}

// Returns the JSON Pointer of the first difference of two values, and the values there; empty: they are equal.
inline std::string difference(boost::json::value const& recorded, boost::json::value const& now, std::string const& at)
{
    auto const text = [](boost::json::value const* value) {
        return value ? linkspan::detail::shortened_text(json_text(*value)) : std::string("nothing");
    };
    if (auto const *const left = recorded.if_object(), *const right = now.if_object(); left && right) {
        for (auto const* const each : {left, right})
            for (auto const& member : *each) {
                auto const here = at + "/" + linkspan::detail::shortened_key(member.key());
                auto const *const one = left->if_contains(member.key()), *const other =
                                                                             right->if_contains(member.key());
                if (!one || !other)
                    return here + ": recorded " + text(one) + ", found " + text(other);
                if (auto out = difference(*one, *other, here); !out.empty())
                    return out;
            }
        return {};
    }
    if (auto const *const left = recorded.if_array(), *const right = now.if_array();
        left && right && left->size() == right->size()) {
        for (std::size_t i = 0; i != left->size(); ++i)
            if (auto out = difference((*left)[i], (*right)[i], at + "/" + std::to_string(i)); !out.empty())
                return out;
        return {};
    }
    if (fits_redacted(recorded, now))
        return {};
    bool const are_numbers = recorded.is_number() && now.is_number();
    return (are_numbers ? compare_numbers(recorded, now) == 0 : recorded == now)
               ? std::string()
               : (at.empty() ? "/" : at) + ": recorded " + text(&recorded) + ", found " + text(&now);
}

// The requests of a tape that were not replayed yet. Shared by the rules of one server.
class tape_replay : public std::enable_shared_from_this<tape_replay> {
public:
    tape_replay(std::vector<tape_request> requests, replay_options options)
        : requests_(std::move(requests)), options_(std::move(options)), is_used_(requests_.size())
    {
        for (auto const& one : requests_)
            compared_.push_back(compared_params(one.params, options_.ignore));
    }

    std::vector<tape_request> const& requests() const noexcept { return requests_; }

    // Responds to a request.
    void respond(exchange& on, std::function<void()> next)
    {
        auto const* const found = find(on);
        if (!found) {
            on.refuse(-32603, report(on));
            return next();
        }
        proceed(on, *found, 0, found->time, std::move(next));
    }

private:
    // Requests that a client repeats as often as it connects.
    static bool is_repeated(std::string_view method)
    {
        return method == "initialize" || method == "server/discover" || method == "ping" || method.ends_with("/list");
    }

    // Returns the JSON text of the name of the tool or prompt, or of the URI of the resource; empty: there is none.
    static std::string_view subject_of(std::string_view params)
    {
        auto const name = json_scan::member(params, "name");
        return name.empty() ? json_scan::member(params, "uri") : name;
    }

    // `params`: those of the client, as they are compared.
    bool matches(std::size_t index, exchange const& on, boost::json::value const& params) const
    {
        auto const& one = requests_[index];
        if (one.method != on.method())
            return false;
        if (one.method.ends_with("/list"))
            return json_scan::member(one.params, "cursor") == json_scan::member(on.params(), "cursor");
        return options_.match != tape_match::params || is_repeated(one.method) ||
               difference(compared_[index], params, {}).empty();
    }

    // Returns whether the order permits no request of the tape after one that was not replayed, and does not match.
    bool ends_search(tape_request const& one, std::string_view method) const
    {
        if (is_repeated(one.method))
            return false;
        bool const is_ordered = options_.order == tape_order::all || options_.match == tape_match::order;
        return is_ordered || (options_.order == tape_order::per_method && one.method == method);
    }

    // Returns the request of the tape that is replayed, and marks it as used; null: there is none.
    tape_request const* find(exchange const& on)
    {
        tape_request const* last = nullptr;
        auto const params = compared_params(on.params(), options_.ignore);
        for (std::size_t i = 0; i != requests_.size(); ++i) {
            auto const& one = requests_[i];
            if (is_used_[i] && !is_repeated(one.method))
                continue;
            bool const fits = matches(i, on, params);
            if (fits && is_repeated(one.method))
                last = &one;
            if (is_used_[i])
                continue;
            if (fits) {
                is_used_[i] = true;
                return &one;
            }
            if (!is_repeated(on.method()) && ends_search(one, on.method()))
                break;
        }
        return last;
    }

    // The nearest request is the last equal one that was replayed, else the first one that was not replayed, else the
    // last one; of those for the same tool, prompt or resource if there are any.
    std::string report(exchange const& on) const
    {
        auto out = "the tape has no further request like this " + std::string(on.method());
        auto const params = compared_params(on.params(), options_.ignore);
        auto const has_method = [&on](tape_request const& one) { return one.method == on.method(); };
        auto const has_subject = [&on, has_method](tape_request const& one) {
            return has_method(one) && subject_of(one.params) == subject_of(on.params());
        };
        bool const is_known = std::ranges::any_of(requests_, has_subject);
        std::optional<std::size_t> replayed, next, last;
        for (std::size_t i = 0; i != requests_.size(); ++i) {
            if (is_known ? !has_subject(requests_[i]) : !has_method(requests_[i]))
                continue;
            last = i;
            if (!is_used_[i])
                next = next ? next : i;
            else if (difference(compared_[i], params, {}).empty())
                replayed = i;
        }
        auto const nearest = replayed ? replayed : next ? next : last;
        if (!nearest)
            return out;
        auto const request = "request " + std::to_string(*nearest + 1) + " of the tape";
        if (replayed)
            return out + "; all equal requests, up to " + request + ", were already replayed";
        out += "; " + request;
        auto const where = difference(compared_[*nearest], params, {});
        return out + (where.empty() ? " is equal, and other requests precede it" : ": " + where);
    }

    // Sends what was recorded from the message `index` on, and then the response. `sent`: recorded time of the last
    // message that was sent.
    void proceed(exchange& on, tape_request const& from, std::size_t index, duration sent, std::function<void()> next)
    {
        for (; index != from.before_response.size(); ++index) {
            auto const& message = from.before_response[index];
            auto const continue_at = [self = shared_from_this(), &on, &from, time = message.time,
                                      next](std::size_t at) { self->proceed(on, from, at, time, next); };
            if (options_.is_paced && message.time > sent)
                return on.wait(message.time - sent, [continue_at, index] { continue_at(index); });
            auto const method = json_scan::string(json_scan::member(message.text, "method")).value_or("");
            auto const params = json_scan::member(message.text, "params");
            if (!json_scan::member(message.text, "id").empty())
                return on.send_request(method, params, [continue_at, index] { continue_at(index + 1); });
            notify(on, method, params);
        }
        finish(on, from, sent, std::move(next));
    }

    // Sends a notification, in which the progress token is that of the client. Without a token, the client does not
    // expect progress.
    static void notify(exchange& on, std::string const& method, std::string_view params)
    {
        if (method != "notifications/progress")
            return on.notify(method, params);
        auto const token = json_scan::member(json_scan::member(on.params(), "_meta"), "progressToken");
        auto sent = parse_params(params);
        if (token.empty() || !sent.is_object())
            return;
        sent.get_object()["progressToken"] = parse_params(token);
        on.notify(method, json_text(sent));
    }

    // A request without a recorded response stays pending.
    void finish(exchange& on, tape_request const& from, duration sent, std::function<void()> next) const
    {
        if (!from.response)
            return;
        auto const respond = [&on, &from, next = std::move(next)] {
            auto const& text = from.response->text;
            auto const result = json_scan::member(text, "result");
            auto const error = json_scan::member(text, "error");
            if (result.starts_with('{'))
                on.reply(result.substr(1, result.size() - 2));
            else if (!result.empty())
                on.refuse(-32603, "the result of the tape is not an object");
            else
                on.refuse(static_cast<int>(json_scan::integer(json_scan::member(error, "code")).value_or(-32603)),
                          json_scan::string(json_scan::member(error, "message")).value_or(""),
                          json_scan::member(error, "data"));
            next();
        };
        if (options_.is_paced && from.response->time > sent)
            on.wait(from.response->time - sent, respond);
        else
            respond();
    }

    std::vector<tape_request> requests_;       // set by the constructor
    replay_options options_;                   // set by the constructor
    std::vector<boost::json::value> compared_; // parameters of the requests; set by the constructor
    std::vector<bool> is_used_;                // one for each request; set by find()
};

} // namespace detail

LINKSPAN_DECL void tape::add_to(scripted_server& server, replay_options options) const
{
    auto const priority = options.priority;
    auto const replay = std::make_shared<detail::tape_replay>(detail::requests_of(*entries_), std::move(options));
    if (auto versions = detail::versions_of(replay->requests()); !versions.empty())
        server.dialogue().protocol_versions = std::move(versions);
    std::set<std::string> methods;
    for (auto const& one : replay->requests())
        methods.insert(one.method);
    for (auto const& method : methods) {
        auto& added = server.on(request(method)).named("tape: " + method);
        added.conditions().priority = priority;
        added.then([replay](exchange& on, std::function<void()> next) { replay->respond(on, std::move(next)); });
    }
}

} // namespace linkspan::test

#endif
