#include <linkspan/session/detail/session_diagnostics.hpp>

#include <boost/test/unit_test.hpp>

#include <string>

BOOST_AUTO_TEST_SUITE(session_diagnostics_test)

using linkspan::error;
using linkspan::error_code;
using linkspan::detail::session_diagnostics;

BOOST_AUTO_TEST_CASE(new_object_has_no_observations)
{
    session_diagnostics const diagnostics;
    BOOST_TEST(diagnostics.reason().empty());
    BOOST_TEST(diagnostics.first_line().empty());
    BOOST_TEST(diagnostics.challenge().empty());
    BOOST_TEST(diagnostics.counters().late_responses == 0U);
    BOOST_TEST(diagnostics.counters().malformed == 0U);
    BOOST_TEST(diagnostics.counters().unexpected_output == 0U);
    BOOST_TEST(diagnostics.counters().first_unexpected_output.empty());
}

BOOST_AUTO_TEST_CASE(input_that_belongs_to_no_request_is_counted)
{
    session_diagnostics diagnostics;
    diagnostics.on_late_response();
    diagnostics.on_malformed();
    diagnostics.on_malformed();
    BOOST_TEST(diagnostics.counters().late_responses == 1U);
    BOOST_TEST(diagnostics.counters().malformed == 2U);
}

BOOST_AUTO_TEST_CASE(beginning_of_the_first_unexpected_line_is_kept)
{
    session_diagnostics diagnostics;
    diagnostics.on_unexpected_output(std::string(201, 'a'));
    diagnostics.on_unexpected_output("second");
    BOOST_TEST(diagnostics.counters().unexpected_output == 2U);
    BOOST_TEST(diagnostics.counters().first_unexpected_output == std::string(200, 'a'));
}

BOOST_AUTO_TEST_CASE(reason_contains_first_unexpected_line_of_opening)
{
    session_diagnostics diagnostics;
    diagnostics.add_output_to_reason();
    BOOST_TEST(diagnostics.reason().empty());
    diagnostics.on_unexpected_output("usage: \"x\" \xff\x1b[m");
    diagnostics.on_unexpected_output("second");
    diagnostics.add_output_to_reason();
    diagnostics.add_to_reason("pid 1 exited");
    BOOST_TEST(diagnostics.reason() == "unexpected output: \"usage: \\\"x\\\" \xef\xbf\xbd\\u001b[m\"\npid 1 exited");
    diagnostics.begin_opening();
    BOOST_TEST(diagnostics.reason().empty());
    diagnostics.on_unexpected_output(std::string(199, 'a') + "\xe2\x82\xac");
    diagnostics.add_output_to_reason();
    BOOST_TEST(diagnostics.reason() == "unexpected output: \"" + std::string(199, 'a') + "\"...");
}

BOOST_AUTO_TEST_CASE(excerpt_has_at_most_200_bytes)
{
    BOOST_TEST(session_diagnostics::excerpt("").empty());
    BOOST_TEST(session_diagnostics::excerpt("short") == "short");
    BOOST_TEST(session_diagnostics::excerpt(std::string(300, 'a')).size() == 200U);
}

BOOST_AUTO_TEST_CASE(excerpt_and_first_line_end_between_two_characters)
{
    std::string const text = std::string(198, 'a') + "\xe2\x82\xac\xe2\x82\xac"; // "\u20ac" at byte 198
    BOOST_TEST(session_diagnostics::excerpt(text) == std::string(198, 'a'));
    BOOST_TEST(session_diagnostics::excerpt(text.substr(1)) == text.substr(1, 200));
    session_diagnostics diagnostics;
    diagnostics.set_reason(text);
    BOOST_TEST(diagnostics.first_line() == std::string(198, 'a'));
}

BOOST_AUTO_TEST_CASE(challenge_is_kept_until_the_next_one)
{
    session_diagnostics diagnostics;
    diagnostics.on_challenge("Bearer");
    diagnostics.on_challenge("");
    BOOST_TEST(diagnostics.challenge() == "Bearer");
    diagnostics.on_challenge("Basic");
    BOOST_TEST(diagnostics.challenge() == "Basic");
}

BOOST_AUTO_TEST_CASE(text_of_the_transport_is_added_as_a_line)
{
    session_diagnostics diagnostics;
    diagnostics.add_to_reason("exited with status 1");
    BOOST_TEST(diagnostics.reason() == "exited with status 1");
    diagnostics.add_to_reason("");
    diagnostics.add_to_reason("stderr: text");
    BOOST_TEST(diagnostics.reason() == "exited with status 1\nstderr: text");
    BOOST_TEST(diagnostics.first_line() == "exited with status 1");
    diagnostics.set_reason("other");
    BOOST_TEST(diagnostics.reason() == "other");
    diagnostics.clear_reason();
    BOOST_TEST(diagnostics.reason().empty());
}

BOOST_AUTO_TEST_CASE(first_line_has_at_most_200_bytes)
{
    session_diagnostics diagnostics;
    diagnostics.set_reason(std::string(300, 'a') + "\nb");
    BOOST_TEST(diagnostics.first_line() == std::string(200, 'a'));
}

BOOST_AUTO_TEST_CASE(failed_renewal_has_the_error_and_the_reason_of_the_handshake)
{
    error_code const ec = error::attempt_timed_out;
    auto const prefix = "server discarded the session, and a new handshake failed: " + ec.message();
    session_diagnostics diagnostics;
    diagnostics.on_renewal_failed(ec);
    BOOST_TEST(diagnostics.reason() == prefix);
    diagnostics.set_reason("refused");
    diagnostics.on_renewal_failed(ec);
    BOOST_TEST(diagnostics.reason() == prefix + ": refused");
}

BOOST_AUTO_TEST_SUITE_END()
