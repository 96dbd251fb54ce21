#ifndef LINKSPAN_TEST_SCRIPT_HPP
#define LINKSPAN_TEST_SCRIPT_HPP

// The rules of scripted servers: requests, triggers, conditions, and actions. Rules in a file are read by
// <linkspan/test/script/mock_script.hpp>.

#include <linkspan/test/script/actions.hpp>
#include <linkspan/test/script/any_expectation.hpp>
#include <linkspan/test/script/exchange.hpp>
#include <linkspan/test/script/expectation.hpp>
#include <linkspan/test/script/journal.hpp>
#include <linkspan/test/script/matcher.hpp>
#include <linkspan/test/script/rule.hpp>
#include <linkspan/test/script/rule_conditions.hpp>
#include <linkspan/test/script/rule_order.hpp>
#include <linkspan/test/script/trigger.hpp>

#endif
