// The effect of trust in the annotations of a server. A tool has the annotation `readOnlyHint`, and the response of a
// call is lost. With `trust_annotations`, the call is retried on another server; otherwise it fails with
// `outcome_unknown`.
//
// Trust only servers of known operators: a payment tool with a false `readOnlyHint` could be executed twice.

#include <linkspan.hpp>
#include <linkspan/test/case.hpp>
#include <linkspan/test/scripted_server.hpp>
#include <linkspan/transport/inproc.hpp>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <iostream>
#include <string>

namespace asio = boost::asio;
using linkspan::inproc;
using namespace linkspan::test;
using hub_type = linkspan::connector<linkspan::transports<inproc>>;

int failures = 0;

template<bool Trusts>
struct trust_case : world {
    asio::awaitable<void> body()
    {
        std::string const schema = R"({"type":"object"})", hints = R"({"readOnlyHint":true})";
        scripted_server a, b;
        a.tool("balance", schema, nullptr, hints).on(call("balance")).then(drop_connection());
        b.tool("balance", schema, nullptr, hints).on(call("balance")).then(text("42"));
        //[ trust
        linkspan::server_options options;
        options.trust_annotations = Trusts; // the default is false
        //]
        hub_type hub(executor);
        hub.add<inproc>("a", a, options).add<inproc>("b", b, options);
        co_await hub.async_open();
        auto const [ec, result] = co_await hub.async_call("balance", {}, asio::as_tuple(asio::use_awaitable));
        std::cout << (Trusts ? "trusted:     " : "not trusted: ") << (ec ? ec.message() : result.text()) << '\n';
        bool const is_expected = Trusts ? !ec : ec == linkspan::error::outcome_unknown;
        failures += is_expected ? 0 : 1;
    }
};

int main()
{
    run_case<trust_case<false>>();
    run_case<trust_case<true>>();
    return failures;
}
