#ifndef LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_IPP
#define LINKSPAN_TEST_FAULT_IMPL_FAULT_STEPS_IPP

#include <linkspan/json/json_scan.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/test/fault/detail/edited_message.hpp>
#include <linkspan/test/fault/detail/fault_steps.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/string.hpp>

#include <chrono>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

LINKSPAN_DECL fault_steps steps_of(fault_setting const& fault, faulty_message const& on)
{
    constexpr std::uint64_t two_minutes_ms = 120'000;
    switch (description_of(fault.kind).layer) {
    case fault_layer::bytes: return byte_steps(fault, on);
    case fault_layer::json_rpc: return json_rpc_steps(fault.kind, on, delay_of(fault, two_minutes_ms));
    case fault_layer::mcp: return mcp_steps(fault, on);
    case fault_layer::http:
    case fault_layer::authorization: return http_steps(fault, on);
    case fault_layer::process:
        if (fault.kind == fault_kind::start_slow)
            return {{fault_step::kind::pause, {}, delay_of(fault)}, send_message(on.text)};
        break;
    case fault_layer::clock:
        if (fault.kind == fault_kind::skew)
            return http_steps(fault, on);
        return {{fault_step::kind::freeze, {}, delay_of(fault)}, send_message(on.text)};
    }
    fault_steps out{{fault_step::kind::process}};
    bool const responds = fault.kind == fault_kind::stderr_flood || fault.kind == fault_kind::stderr_binary ||
                          fault.kind == fault_kind::stdin_unread || fault.kind == fault_kind::ignore_stdin_eof ||
                          fault.kind == fault_kind::ignore_sigterm || fault.kind == fault_kind::zombie;
    if (responds)
        out.push_back(send_message(on.text));
    return out;
}

LINKSPAN_DECL fault_steps json_rpc_steps(fault_kind kind, faulty_message const& on, duration delay)
{
    using boost::json::object;
    auto const id = json_scan::member(on.text, "id");
    switch (kind) {
    case fault_kind::rpc_error: return {send_message(server_dialogue::failure(id, -32603, "fault of a chaos test"))};
    case fault_kind::not_json: return {send_message("{this is not JSON}")};
    case fault_kind::truncated_json: return {send_message(on.text.substr(0, on.text.size() / 2))};
    case fault_kind::wrong_id: return edited(on.text, [](object& to) { to["id"] = 987'654'321; });
    case fault_kind::string_id:
        return edited(on.text, [&](object& to) {
            if (to["id"].is_string())
                to["id"] = 1;
            else
                to["id"] = boost::json::string(id);
        });
    case fault_kind::unknown_id: return send_both(on, R"({"jsonrpc":"2.0","id":987654321,"result":{}})", on.text);
    case fault_kind::null_id: return edited(on.text, [](object& to) { to["id"] = nullptr; });
    case fault_kind::missing_jsonrpc: return edited(on.text, [](object& to) { to.erase("jsonrpc"); });
    case fault_kind::wrong_jsonrpc: return edited(on.text, [](object& to) { to["jsonrpc"] = "1.0"; });
    case fault_kind::late_response: return {{fault_step::kind::pause, {}, delay}, send_message(on.text)};
    case fault_kind::response_and_error:
        return edited(on.text, [](object& to) {
            to["result"].emplace_object();
            to["error"] = {{"code", -32603}, {"message", "beside a result"}};
        });
    case fault_kind::no_result:
        return edited(on.text, [](object& to) {
            to.erase("result");
            to.erase("error");
        });
    case fault_kind::batch: return {send_message('[' + std::string(on.text) + ']')};
    case fault_kind::text_error_code:
        return edited(on.text, [](object& to) {
            to.erase("result");
            to["error"] = {{"code", "E1"}, {"message", "with a text as code"}};
        });
    case fault_kind::huge_id: return {send_message(R"({"jsonrpc":"2.0","id":18446744073709551617,"result":{}})")};
    case fault_kind::unknown_request:
        return {send_message(R"({"jsonrpc":"2.0","id":"f1","method":"unknown/method"})"), send_message(on.text)};
    case fault_kind::response_to_notification:
        return send_both(on, R"({"jsonrpc":"2.0","id":null,"result":{}})", on.text);
    case fault_kind::id_reuse: {
        auto const request = send_message(R"({"jsonrpc":"2.0","id":"f1","method":"ping"})");
        return {request, request, send_message(on.text)};
    }
    default: return {send_message(on.text)}; // the kinds of other layers are not passed to this function
    }
}

} // namespace linkspan::test::detail

#endif
