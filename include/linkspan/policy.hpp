#ifndef LINKSPAN_POLICY_HPP
#define LINKSPAN_POLICY_HPP

// All policies of a connector, and their concepts.

#include <linkspan/policy/concepts.hpp>
#include <linkspan/policy/fallback.hpp>
#include <linkspan/policy/health/breaker.hpp>
#include <linkspan/policy/health/health.hpp>
#include <linkspan/policy/health/probed_breaker.hpp>
#include <linkspan/policy/naming.hpp>
#include <linkspan/policy/routing.hpp>
#include <linkspan/policy/set.hpp>
#include <linkspan/policy/unlimited.hpp>
#include <linkspan/policy/views.hpp>

#endif
