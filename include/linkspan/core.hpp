#ifndef LINKSPAN_CORE_HPP
#define LINKSPAN_CORE_HPP

// Includes the public headers of the module `core`: errors and configuration problems, attempts, time and timers,
// random waits, redaction, suggestions for unknown names, `run`, and the version.

#include <linkspan/core/attempt.hpp>
#include <linkspan/core/back_off.hpp>
#include <linkspan/core/config_problem.hpp>
#include <linkspan/core/diagnostic.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/core/fwd.hpp>
#include <linkspan/core/redact.hpp>
#include <linkspan/core/run.hpp>
#include <linkspan/core/similar_names.hpp>
#include <linkspan/core/time.hpp>
#include <linkspan/core/version.hpp>
#include <linkspan/core/wait_store.hpp>

#endif
