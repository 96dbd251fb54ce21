#ifndef LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_FORMAT_HPP
#define LINKSPAN_TEST_SCRIPT_DETAIL_SCRIPT_FORMAT_HPP

#include <linkspan/describe/enum.hpp>
#include <linkspan/describe/literal.hpp>
#include <linkspan/describe/struct.hpp>
#include <linkspan/test/fault/fault_kind.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

// The format `linkspan-mock/1` of scripts, as structs: the reader and the JSON Schema of the format are made from them.
namespace linkspan::inline LINKSPAN_ABI::test::script_format {

/// A delay that is drawn for each request.
struct distribution {
    std::optional<std::pair<std::string, std::string>> uniform, normal;
    std::optional<std::pair<std::string, double>> lognormal;
    std::optional<std::string> exp;
    std::optional<std::tuple<std::string, std::string, std::string>> ramp;
};
LINKSPAN_STRUCT((distribution, "A delay that is drawn for each request, or grows. Exactly one member.", closed),
                (uniform, "Lowest and highest delay."), (normal, "Mean and standard deviation."),
                (lognormal, "Median, and standard deviation of the logarithm."), (exp, "Mean."),
                (ramp, "First delay, last delay, and the time since the first connection at which it is reached."))

struct rpc_error {
    std::int32_t code = 0;
    std::string message;
    std::optional<boost::json::value> data{};
};
LINKSPAN_STRUCT((rpc_error, "A JSON-RPC error.", closed), (code), (message),
                (data, "Further information, such as the `elicitations` of the code -32042."))

struct progress {
    std::uint32_t count = 1;
    std::string every = "0ms";
    double from = 1;
    std::optional<double> total;
};
LINKSPAN_STRUCT((progress, "Progress notifications, each with a value that is 1 above the one before.", closed),
                (count, "Number of notifications.", min{1}, max{100000}),
                (every, "Time before each notification.", default_value{"0ms"}),
                (from, "Value of the first notification.", default_value{1}),
                (total, "Value of `total`; default: `count`."))

enum class log_level { debug, info, notice, warning, error, critical, alert, emergency };
LINKSPAN_ENUM(log_level, (debug), (info), (notice), (warning), (error), (critical), (alert), (emergency))

struct log {
    log_level level = log_level::info;
    boost::json::value data;
};
LINKSPAN_STRUCT((log, "A log message.", closed), (level, default_value{"info"}), (data))

struct message {
    std::string method;
    std::optional<boost::json::object> params;
};
LINKSPAN_STRUCT((message, "A notification to the client.", closed), (method), (params))

struct request {
    std::string method;
    std::optional<boost::json::object> params;
    std::optional<std::string> save_as, timeout;
};
LINKSPAN_STRUCT((request, "A request to the client.", closed), (method), (params),
                (save_as, named{"saveAs"}, "Variable that becomes the response.", min_length{1}),
                (timeout, "Maximum time until the response."))

struct request_params {
    std::optional<boost::json::object> params;
    std::optional<std::string> save_as, timeout;
};
LINKSPAN_STRUCT((request_params, "A request to the client, whose method the action determines.", closed), (params),
                (save_as, named{"saveAs"}, "Variable that becomes the response.", min_length{1}),
                (timeout, "Maximum time until the response."))

struct http_response {
    std::int32_t status = 200;
    std::map<std::string, std::string> headers;
    std::string body;
};
LINKSPAN_STRUCT((http_response, "An HTTP response.", closed), (status, min{200}, max{599}),
                (headers, default_value{raw_json("{}")}), (body, default_value{""}))

struct input_required {
    std::optional<boost::json::object> requests;
    std::optional<std::string> state;
};
LINKSPAN_STRUCT((input_required, "A result of type `input_required`.", closed),
                (requests, "`inputRequests` of the result."), (state, "`requestState` of the result."))

struct fault {
    fault_kind kind = fault_kind::delay;
    std::string delay = "0ms";
    std::uint64_t amount = 0;
};
LINKSPAN_STRUCT(
    (fault, "A fault of the response.", closed), (kind),
    (delay, "Delay, of kinds with a delay; 0: the default of the kind.", default_value{"0ms"}),
    (amount, "Number of bytes, parts, messages or seconds, or exit status, by the kind; 0: the default of the kind.",
     max{100'000'000}, default_value{0}))

struct declared_tool {
    std::string name;
    std::optional<std::string> title, description;
    boost::json::object input_schema;
    std::optional<boost::json::object> output_schema, annotations, execution;
    std::optional<boost::json::array> icons;
    std::optional<boost::json::object> meta;
};
LINKSPAN_STRUCT((declared_tool, "A tool that is added to the server.", closed), (name, min_length{1}), (title),
                (description), (input_schema, named{"inputSchema"}, default_value{raw_json("{\"type\":\"object\"}")}),
                (output_schema, named{"outputSchema"}), (annotations), (execution), (icons), (meta, named{"_meta"}))

struct tool_change {
    std::vector<declared_tool> add;
    std::vector<std::string> remove;
    bool notify = true;
};
LINKSPAN_STRUCT((tool_change, "A change of the list of tools.", closed),
                (add, "Tools that are added, or replace those of the same name.", default_value{raw_json("[]")}),
                (remove, "Names of tools that are removed before.", default_value{raw_json("[]")}),
                (notify, "Whether `notifications/tools/list_changed` is sent.", default_value{true}))

struct resource {
    std::string uri;
    std::optional<std::string> name, description, mime_type, text, blob;
};
LINKSPAN_STRUCT((resource, "A resource of the server: exactly one of `text` and `blob`.", closed), (uri, min_length{1}),
                (name, "Default: the URI."), (description), (mime_type, named{"mimeType"}),
                (text, "Contents, which may have expressions."), (blob, "Contents in base64."))

struct resource_list_change {
    std::vector<resource> add;
    std::vector<std::string> remove;
    bool notify = true;
};
LINKSPAN_STRUCT((resource_list_change, "A change of the list of resources.", closed),
                (add, "Resources that are added, or replace those of the same URI.", default_value{raw_json("[]")}),
                (remove, "URIs of resources that are removed before.", default_value{raw_json("[]")}),
                (notify, "Whether `notifications/resources/list_changed` is sent.", default_value{true}))

/// The members of a step that send a response.
struct responding_action {
    std::optional<std::string> text;
    std::optional<boost::json::object> structured;
    std::optional<boost::json::array> content;
    std::optional<std::string> tool_error;
    std::optional<script_format::rpc_error> rpc_error;
    std::optional<boost::json::object> result;
    std::optional<script_format::input_required> input_required;
    std::optional<constant<true>> default_response;
    std::optional<script_format::http_response> http;
};

struct resource_change {
    std::string uri;
    std::optional<std::string> text, blob;
    bool notify = true;
};
LINKSPAN_STRUCT((resource_change, "New contents of a resource: exactly one of `text` and `blob`.", closed),
                (uri, "URI of an element of the member `resources` of the script, or of an action `resources`."),
                (text, "Contents, which may have expressions."), (blob, "Contents in base64."),
                (notify, "Whether `notifications/resources/updated` is sent.", default_value{true}))

/// One step of the handling of a request: exactly one member.
struct action : responding_action {
    std::optional<script_format::progress> progress;
    std::optional<script_format::log> log;
    std::optional<message> notify;
    std::optional<script_format::request> request;
    std::optional<request_params> sample, elicit;
    std::optional<script_format::tool_change> tools;
    std::optional<resource_change> resource;
    std::optional<resource_list_change> resources;
    std::optional<std::variant<std::string, distribution>> delay;
    std::optional<std::string> gate, open_gate;
    std::optional<boost::json::object> set;
    std::optional<std::string> emit, standard_error;
    std::optional<constant<true>> reset, hang, close;
    std::optional<std::int32_t> exit;
    std::optional<std::variant<fault_kind, script_format::fault>> fault;
};
LINKSPAN_STRUCT(
    (action, "One step of the handling of a request: exactly one member.", closed),
    (text, "Sends a tool result with this text."), (structured, "Sends a tool result with this `structuredContent`."),
    (content, "Sends a tool result with these content blocks."),
    (tool_error, named{"toolError"}, "Sends a tool result with `isError` and this text."),
    (rpc_error, named{"rpcError"}, "Sends a JSON-RPC error."), (result, "Sends a result with these members."),
    (input_required, named{"inputRequired"}), (progress), (log), (notify, "Sends a notification."),
    (request, "Sends a request, and waits for the response."),
    (sample, "Sends the request `sampling/createMessage`, and waits for the response."),
    (elicit, "Sends the request `elicitation/create`, and waits for the response."),
    (http, "Sends an HTTP response in place of the response."), (tools, "Changes the list of tools."),
    (resource, "Changes the contents of a resource of the script."), (resources, "Changes the list of resources."),
    (delay, "Waits before the next step, for a time such as \"250ms\" or \"2s\"."),
    (gate, "Waits until this gate is opened."), (open_gate, named{"openGate"}, "Opens this gate, which stays open."),
    (set, "States of scenarios and variables, as in the member `set` of a rule."),
    (reset, "Gives all scenarios and variables their values at the start."),
    (emit, "Sends this text, which has no line break, and a line end, unchecked."),
    (standard_error, named{"stderr"}, "Writes a line to the standard error stream."),
    (hang, "Sends nothing more. The request stays pending until it is cancelled."), (close, "Ends the connection."),
    (default_response, named{"default"}, "Sends the response of a server without this rule."),
    (exit, "Ends the process with this status, or the connection of a server within a test.", min{0}, max{255}),
    (fault, "The response, which a later step sends, has this fault."))

struct http_trigger {
    std::optional<std::string> method, path;
};
LINKSPAN_STRUCT((http_trigger, "HTTP requests with this method and path.", closed),
                (method, "HTTP method, such as \"POST\". Default: any.", min_length{1}),
                (path, "Path without a query, such as \"/mcp\". Default: any.", min_length{1}))

enum class signal_name { interrupt, terminate, any };
LINKSPAN_ENUM(signal_name, (interrupt, "SIGINT"), (terminate, "SIGTERM"), (any))

struct trigger {
    std::optional<std::string> call, request, notification, response;
    std::optional<constant<true>> connect, stdin_eof, disconnect, start;
    std::optional<std::string> at, gate;
    std::optional<http_trigger> http;
    std::optional<signal_name> signal;
};
LINKSPAN_STRUCT((trigger, "The requests or other events that a rule applies to. Exactly one member.", closed),
                (call, "Calls of this tool."), (request, "Requests of this method.", min_length{1}),
                (notification, "Notifications of this method from the client.", min_length{1}),
                (response, "Responses of the client to requests of the server with this method.", min_length{1}),
                (connect, "The opening of each connection."),
                (stdin_eof, named{"stdin-eof"}, "The end of stdin of the server over standard streams."),
                (disconnect, "The end of each connection."), (start, "The opening of the first connection."),
                (at, "A time since the first connection, such as \"2s\"; once."), (gate, "The opening of this gate."),
                (http, "HTTP requests, before their message is read."),
                (signal, "The first signal that the program receives. A second one ends the program."))

struct occurrence {
    std::optional<std::uint64_t> nth, from, to, every;
};
LINKSPAN_STRUCT((occurrence, "Numbers of the matching requests, from 1.", closed), (nth, "Only this request.", min{1}),
                (from, "From this request on.", min{1}), (to, "Up to this request.", min{1}),
                (every, "Each request whose number is a multiple.", min{1}))

struct window {
    std::optional<std::string> from, to;
};
LINKSPAN_STRUCT((window, "Time since the first connection.", closed), (from, "Start, such as \"5s\"."),
                (to, "End; the rule does not apply at this time."))

enum class after { repeat_last, cycle, unmatched, fail };
LINKSPAN_ENUM(after, (repeat_last, "repeat-last"), (cycle), (unmatched), (fail))

struct rule {
    std::optional<std::string> id;
    trigger on;
    std::map<std::string, boost::json::value> where;
    std::map<std::string, std::string> state;
    std::optional<std::variant<std::uint64_t, occurrence>> times;
    std::optional<window> during;
    double chance = 1;
    std::int32_t priority = 0;
    boost::json::object set;
    std::optional<std::vector<action>> steps;
    std::optional<std::vector<std::vector<action>>> sequence;
    std::optional<script_format::after> after;
};
LINKSPAN_STRUCT(
    (rule, "The behaviour for the requests that a trigger and conditions match.", closed),
    (id, "Name in reports. Default: `#` and the number of the rule."), (on),
    (where,
     "Matchers of values, by their JSON Pointers in `params`, or, after `#`, in the whole message, or of header "
     "fields of the HTTP request, by their names after `#/http/headers/`.",
     default_value{raw_json("{}")}),
    (state, "Required states of scenarios.", default_value{raw_json("{}")}),
    (times, "Number of requests, or their numbers. Default: all."), (during),
    (chance, "Probability of each request.", min{0}, max{1}, default_value{1}),
    (priority, "Rules with a higher priority come first, others in their order.", default_value{0}),
    (set,
     "States of scenarios, and variables with `$` before their name, which are set when the rule is "
     "selected.",
     default_value{raw_json("{}")}),
    (steps, named{"do"}, "Steps for each request."),
    (sequence, "Steps for the first request, the second one, and so on, in place of `do`.", min_items{1}),
    (after, "Handling of requests after the last element of `sequence`. Default: repeat-last."))

struct pattern {
    std::optional<std::string> call, request;
    std::map<std::string, boost::json::value> where;
};
LINKSPAN_STRUCT((pattern, "Requests: exactly one of `call` and `request`.", closed), (call, "Calls of this tool."),
                (request, "Requests of this method."),
                (where, "Matchers of values, as in the member `where` of a rule.", default_value{raw_json("{}")}))

struct count {
    std::uint64_t min = 0;
    std::optional<std::uint64_t> max;
};
LINKSPAN_STRUCT((count, "Number of requests.", closed), (min, default_value{0}), (max, "Default: no limit."))

struct expectation {
    std::optional<std::string> call, request;
    std::map<std::string, boost::json::value> where;
    std::optional<std::variant<std::uint64_t, script_format::count>> count;
    std::optional<pattern> never, cancelled;
    std::optional<std::vector<std::string>> order;
    std::optional<constant<true>> stdin_closed;
};
LINKSPAN_STRUCT((expectation,
                 "Expectation that is verified at the end: exactly one of `call`, `request`, `never`, "
                 "`cancelled`, `order` and `stdinClosed`.",
                 closed),
                (call, "Calls of this tool."), (request, "Requests of this method."),
                (where, "Matchers, as in the member `where` of a rule, beside `call` or `request`.",
                 default_value{raw_json("{}")}),
                (count, "Number, beside `call` or `request`. Default: at least one."),
                (never, "Requests that the client must not send."),
                (cancelled, "Requests of which the client must cancel at least one."),
                (order, "Rules that are selected in this order, possibly with others between them.", min_items{1}),
                (stdin_closed, named{"stdinClosed"},
                 "The client must close all connections: over standard streams, the stdin of the server."))

enum class unmatched { respond, error, hang, fail_fast };
LINKSPAN_ENUM(unmatched, (respond), (error), (hang), (fail_fast, "fail-fast"))

struct passthrough_target {
    std::optional<std::vector<std::string>> command;
    std::optional<std::string> url;
};
LINKSPAN_STRUCT((passthrough_target, "A server: exactly one of `command` and `url`.", closed),
                (command, "Program and arguments of a server over standard streams.", min_items{1}),
                (url, "URL of a server over HTTP.", min_length{1}))

struct passthrough {
    passthrough_target target;
};
LINKSPAN_STRUCT((passthrough, "Requests are passed on to another server.", closed),
                (target, named{"passthrough"}, "The server, to which `linkspan-mock` connects once for each client."))

struct tool {
    std::string name;
    std::optional<std::string> title, description;
    boost::json::object input_schema;
    std::optional<boost::json::object> output_schema, annotations, execution;
    std::optional<boost::json::array> icons;
    std::optional<boost::json::object> meta;
    std::optional<action> reply;
};
LINKSPAN_STRUCT((tool, "A tool of the server.", closed), (name, min_length{1}), (title), (description),
                (input_schema, named{"inputSchema"}, default_value{raw_json("{\"type\":\"object\"}")}),
                (output_schema, named{"outputSchema"}), (annotations),
                (execution, "Whether clients may call the tool as a task: `{\"taskSupport\": \"optional\"}`."), (icons),
                (meta, named{"_meta"}),
                (reply, "Response to calls without a rule. Default: a value for `outputSchema`; without one, the "
                        "response that `unmatched` specifies."))

struct prompt_argument {
    std::string name;
    std::optional<std::string> description;
    bool required = false;
};
LINKSPAN_STRUCT((prompt_argument, "An argument of a prompt.", closed), (name, min_length{1}), (description),
                (required, default_value{false}))

struct prompt {
    std::string name;
    std::optional<std::string> description;
    std::vector<prompt_argument> arguments;
    boost::json::array messages;
};
LINKSPAN_STRUCT((prompt, "A prompt of the server.", closed), (name, min_length{1}), (description),
                (arguments, default_value{raw_json("[]")}),
                (messages, "Messages, whose texts may have expressions such as `${params.arguments.topic}`.",
                 min_items{1}))

struct info {
    std::string name, version = "1";
};
LINKSPAN_STRUCT((info, "Name and version.", closed), (name), (version, default_value{"1"}))

struct server {
    std::optional<script_format::info> info;
    std::optional<std::string> instructions;
    std::optional<boost::json::object> capabilities;
};
LINKSPAN_STRUCT((server, "Name, version, instructions and capabilities of the server.", closed), (info), (instructions),
                (capabilities))

struct chaos {
    std::uint32_t percent = 10;
    std::vector<fault_kind> kinds;
    std::optional<std::string> max_delay;
    std::optional<std::variant<std::string, distribution>> delay;
    std::optional<std::uint64_t> max_faults;
};
LINKSPAN_STRUCT((chaos, "Faults of messages that the server sends, which the seed selects.", closed),
                (percent, "Probability of a fault per message, in percent.", max{100}, default_value{10}),
                (kinds,
                 "Kinds of faults. Default: `delay`, `drop`, `duplicate`, `reorder`, `cut`, `rpc-error`, `disconnect`.",
                 default_value{raw_json("[]")}),
                (max_delay, named{"maxDelay"},
                 "Maximum delay of kinds with a delay, which is then uniform. Default: 2s."),
                (delay, "Delay of kinds with a delay, in place of `maxDelay`: a time or a distribution."),
                (max_faults, named{"maxFaults"}, "Number of faults, after which there are no more. Default: no limit."))

enum class session_form { stateful, stateless };
LINKSPAN_ENUM(session_form, (stateful), (stateless))

enum class response_form { json, sse };
LINKSPAN_ENUM(response_form, (json), (sse))

struct http_auth {
    std::vector<std::string> bearer;
};
LINKSPAN_STRUCT((http_auth, "Clients that are admitted.", closed),
                (bearer, "Tokens, of which each request has one in `Authorization: Bearer`.", min_items{1}))

struct http {
    session_form session = session_form::stateful;
    response_form respond = response_form::json;
    bool resumable = false;
    std::optional<http_auth> auth;
};
LINKSPAN_STRUCT((http, "The server over HTTP.", closed),
                (session, "Whether a handshake begins a session with an `Mcp-Session-Id`.", default_value{"stateful"}),
                (respond, "Form of responses: a JSON body, or a stream of events.", default_value{"json"}),
                (resumable, "Whether streams of protocol versions with a handshake can be resumed.",
                 default_value{false}),
                (auth, "Default: all clients are admitted."))

enum class tape_form { params, method, order };
LINKSPAN_ENUM(tape_form, (params), (method), (order))

enum class tape_order { any, per_method, all };
LINKSPAN_ENUM(tape_order, (any), (per_method, "per-method"), (all))

enum class tape_pace { instant, recorded };
LINKSPAN_ENUM(tape_pace, (instant), (recorded))

struct replayed_tape {
    std::string file;
    tape_form match = tape_form::params;
    tape_order order = tape_order::any;
    std::vector<std::string> ignore;
    tape_pace pace = tape_pace::instant;
};
LINKSPAN_STRUCT((replayed_tape, "A tape with the responses to requests that no rule handles.", closed),
                (file, "File of the tape, relative to the script.", min_length{1}),
                (match,
                 "Comparison of requests with those of the tape: by method and parameters, by method, or in "
                 "the order of the tape.",
                 default_value{"params"}),
                (order,
                 "Order of the requests: any, that of the tape among the requests of each method, or that of all "
                 "requests of the tape.",
                 default_value{"any"}),
                (ignore, "JSON Pointers of parameters that are not compared, beside `/_meta`.",
                 default_value{raw_json("[]")}),
                (pace, "Whether messages are sent at once, or at their recorded times.", default_value{"instant"}))

struct script {
    std::optional<std::string> schema;
    constant<1> mock;
    std::optional<std::string> name;
    std::uint64_t seed = 0;
    std::optional<std::vector<std::string>> protocol_versions;
    script_format::server server;
    script_format::http http;
    std::uint32_t page_size = 0;
    std::vector<tool> tools;
    std::optional<std::string> tools_from;
    std::optional<replayed_tape> tape;
    std::vector<resource> resources;
    std::vector<prompt> prompts;
    std::map<std::string, std::string> scenarios;
    boost::json::object vars;
    std::vector<rule> rules;
    std::optional<script_format::chaos> chaos;
    std::variant<script_format::unmatched, passthrough> unmatched = script_format::unmatched::error;
    std::vector<expectation> expect;
};
LINKSPAN_STRUCT(
    (script, "Script of a mock server for MCP.", title{"linkspan-mock/1"}, closed),
    (schema, named{"$schema"}, "Location of the JSON Schema of the format, for editors; without an effect."),
    (mock, "Version of the format."),
    (name, "Name of the server, unless `server` has `info`. Default: linkspan-server."),
    (seed, "Seed of all draws.", default_value{0}),
    (protocol_versions, named{"protocolVersions"}, "Protocol versions. Default: 2025-11-25 and 2026-07-28.",
     min_items{1}),
    (server, default_value{raw_json("{}")}), (http, default_value{raw_json("{}")}),
    (page_size, named{"pageSize"}, "Tools per page of `tools/list`; 0: one page.", default_value{0}),
    (tools, default_value{raw_json("[]")}),
    (tools_from, named{"toolsFrom"},
     "File with a result of `tools/list`, whose tools the server also has; relative to the script."),
    (tape), (resources, "Resources, which are read without a rule.", default_value{raw_json("[]")}),
    (prompts, "Prompts, which are returned without a rule.", default_value{raw_json("[]")}),
    (scenarios, "States of scenarios at the start.", default_value{raw_json("{}")}),
    (vars, "Variables at the start.", default_value{raw_json("{}")}),
    (rules, "The first rule that matches a request is used.", default_value{raw_json("[]")}), (chaos),
    (unmatched,
     "Response to calls that no rule matches, of a tool without `reply` and `outputSchema`: a result without "
     "content, an error, none, or the end of the program with a report, which also requests for other tools and "
     "methods cause. An object: another server, to which all messages without a rule are passed on.",
     default_value{"error"}),
    (expect, "Expectations at the end.", default_value{raw_json("[]")}))

} // namespace linkspan::test::script_format

#endif
