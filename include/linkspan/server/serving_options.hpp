#ifndef LINKSPAN_SERVER_SERVING_OPTIONS_HPP
#define LINKSPAN_SERVER_SERVING_OPTIONS_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/model/protocol_version.hpp>
#include <linkspan/server/server_task_limits.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Defect of a function that the program has passed to a server: an exception, an invalid or missing result, or an
/// invalid JSON text in a message or schema. The texts are valid during the call of `serving_options::on_defect`.
struct server_defect {
    /// Method of the request or notification; empty: the function `http_endpoint_options::authenticate` has thrown or
    /// has passed no result in time, or `claim_state` has thrown after the call of `done`.
    std::string_view method{};
    std::string_view name{};       ///< name of the tool or prompt, or URI of the resource; empty: none
    std::string_view request_id{}; ///< id of the request as JSON text; empty: no request
    std::string_view what{};       ///< text of the exception, or description of the invalid or missing result
};

/// Options of a `server`.
///
/// A limit per principal also applies to the anonymous clients of one remote IP address over HTTP, which share it; IPv6
/// networks of 64 bits count as one address. Behind a proxy, all clients have the address of the proxy. Such a limit,
/// except those of `server_task_limits`, does not apply to other anonymous clients, such as those of Unix domain
/// sockets and of standard streams.
struct serving_options : server_task_limits {
    /// Supported protocol versions; not empty. Default: all five.
    std::vector<protocol_version> protocol_versions{protocol_version::v2024_11_05, protocol_version::v2025_03_26,
                                                    protocol_version::v2025_06_18, protocol_version::v2025_11_25,
                                                    protocol_version::v2026_07_28};

    /// Instructions for the model, sent to each client. Default: empty, which means none.
    std::string instructions;

    /// Maximum number of entries per page of a list. Default: 0, all entries are on one page.
    std::size_t page_size = 0;

    /// Time for which clients may use a list or the contents of a resource without reading it again (`ttlMs`, since
    /// 2026-07-28). Default: 0.
    duration list_ttl = duration::zero();

    /// Whether lists and resources are the same for all principals, so that shared caches may store them
    /// (`cacheScope`). Default: false.
    bool is_public = false;

    /// Whether the arguments of a tool are validated against the input schema, if its handler has no described struct
    /// as parameter. The arguments of other tools are always decoded to their struct. Default: true.
    bool validate_arguments = true;

    /// Whether `structuredContent` is validated against the output schema. A result that does not match is a defect of
    /// the server: the client receives the error -32603. Default: true.
    bool validate_results = true;

    /// Whether the content of an accepted form is validated against the schema of its request
    /// (`elicit_request::requested_schema`) before a handler receives it. `async_ask` completes with
    /// `malformed_message` if the content does not match; a request with an invalid schema is not sent. Inputs of
    /// `require_input` are validated by `input(key, request)` only, and not by `input(key)`. Default: true.
    bool validate_input = true;

    /// Secret of at least 32 bytes that seals the state of requests that wait for input (`requestState`). All instances
    /// of a server that serve the same clients need the same key. Default: empty, a random key.
    std::string state_key;

    /// Maximum time for which a request waits for input of the client, or, if a task of the client provides the input,
    /// for each response to `tasks/get`. `ask_options::timeout` replaces this value for one request; in the era
    /// `stateless`, a longer value has no effect, unless the request is a task. Range: more than 0. Default: 10
    /// minutes.
    duration input_timeout = std::chrono::minutes(10);

    /// Records that a state of `server_request::require_input` was used, for a server with several instances. Each
    /// instance accepts a state once. With this function, all instances together accept a state once, by a store that
    /// they share. The function is called before the handler runs again; the request waits until the function has
    /// called `done`.
    ///
    /// `id` is a text that no other state has, valid during the call. `stored_for` is the time for which the store must
    /// keep `id`: `input_timeout` plus one second. The store adds the maximum difference between the clocks of the
    /// instances. The function calls `done` once, on the executor of the server, during the call or later, with true if
    /// `id` was not in the store. After `false`, the request is refused with -32602. If the function throws before it
    /// calls `done`, or does not call `done` within `claim_timeout`, the request is refused with -32603 and `on_defect`
    /// is called; the same instance does not accept the state again. An exception after `done` is only reported to
    /// `on_defect`. Default: empty, each instance has its own record.
    std::function<void(std::string_view id, duration stored_for, std::function<void(bool is_first)> done)> claim_state;

    /// Timeout of `claim_state`. Range: more than 0. Default: 10 s.
    duration claim_timeout = std::chrono::seconds(10);

    /// Maximum number of clients that `server::async_serve` serves at the same time. A further one is disconnected, and
    /// its operation completes with `too_many_clients`. Does not apply to the clients of an `http_endpoint`, which has
    /// `http_session_limits` and limits of connections. 0: no limit. Default: 10,000.
    std::size_t max_clients = 10'000;

    /// Maximum number of requests of one client without a response; further requests are refused with -32603. Default:
    /// 1,000.
    std::size_t max_requests = 1'000;

    /// Maximum number of bytes that were sent to a client and that it has not read. If there are more, the connection
    /// is closed. Default: 64 MiB. Over HTTP, `http_server_limits::max_queued` applies instead.
    std::size_t max_queued_bytes = std::size_t{64} << 20;

    /// Maximum time for which `server_request::async_wait_read` waits for a client that reads nothing. Default: 30 s.
    duration read_timeout = std::chrono::seconds(30);

    /// Maximum number of resources to which one client of the era `handshake`, or one stream of `subscriptions/listen`,
    /// subscribes. Further ones are refused with -32603; a resource to which the client subscribes already is accepted
    /// again. Default: 1,000.
    std::size_t max_subscribed_resources = 1'000;

    /// Maximum number of resources to which all clients of the era `handshake` and all streams of
    /// `subscriptions/listen` subscribe, where a resource of two subscribers counts twice. Further ones are refused
    /// with -32603. Default: 100,000; 0: no limit.
    std::size_t max_all_subscribed_resources = 100'000;

    /// Maximum number of resources to which the clients and streams of one principal, or of the anonymous clients of
    /// one address, subscribe, where a resource of two subscribers counts twice. Further ones are refused with -32603.
    /// Default: 10,000.
    std::size_t max_subscribed_resources_per_principal = 10'000;

    /// Maximum number of stateless requests that wait for input, over all clients, including those that their handlers
    /// have completed before the client has sent the request again. Further ones are refused with -32603. Default:
    /// 10,000.
    std::size_t max_suspended = 10'000;

    /// Maximum number of stateless requests that wait for input, counted as for `max_suspended`, of one principal, or
    /// of the anonymous clients of one address. Default: 1,000.
    std::size_t max_suspended_per_principal = 1'000;

    /// Maximum number of bytes that the server keeps for tasks, and for stateless requests that wait for input: their
    /// params, the params of their requests to clients until the result, and the outcomes of stateless requests that
    /// were completed before the client has sent the request again. Beyond the limit, a stateless request that requires
    /// input, or a further task of 2025-11-25, fails with -32603; in 2026-07-28, `become_task` returns false. A task
    /// whose request to its client exceeds the limit fails with -32603; an outcome that exceeds the limit is replaced
    /// by the error -32603. Default: 256 MiB.
    std::size_t max_kept_params = std::size_t{256} << 20;

    /// Maximum number of streams of `subscriptions/listen`, over all clients. Further ones are refused with -32603.
    /// Default: 1,024.
    std::size_t max_subscriptions = 1'024;

    /// Maximum number of streams of `subscriptions/listen` of one principal, or of the anonymous clients of one
    /// address. Further ones are refused with -32603. Default: 256.
    std::size_t max_subscriptions_per_principal = 256;

    /// Receives each exception that a handler has thrown, each result that does not match its schema, and each invalid
    /// JSON text that a handler has passed for a part of a message. The client only receives the error -32603; log
    /// messages and notifications with invalid texts are not sent, and `async_ask` with an invalid text or schema
    /// completes with `invalid_argument`. Also receives the exceptions of `http_endpoint_options::authenticate`, and is
    /// called if that function passes no result within `authentication_timeout`. Default: empty.
    std::function<void(server_defect const& defect)> on_defect;
};

} // namespace linkspan

#endif
