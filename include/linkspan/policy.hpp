#ifndef LINKSPAN_POLICY_HPP
#define LINKSPAN_POLICY_HPP

// All policies of a connector, and their concepts.

#include <linkspan/policy/concepts.hpp>
#include <linkspan/policy/set.hpp>
#include <linkspan/policy/views.hpp>
#include <linkspan/policy/admission/unlimited.hpp>
#include <linkspan/policy/fallback/fallback.hpp>
#include <linkspan/policy/health/breaker.hpp>
#include <linkspan/policy/health/health.hpp>
#include <linkspan/policy/health/probed_breaker.hpp>
#include <linkspan/policy/naming/naming.hpp>
#include <linkspan/policy/routing/routing.hpp>

#endif
