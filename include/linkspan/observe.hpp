#ifndef LINKSPAN_OBSERVE_HPP
#define LINKSPAN_OBSERVE_HPP

// Observers: logs and metrics.

#include <linkspan/observe/metrics.hpp>
#include <linkspan/observe/observe_all.hpp>
#include <linkspan/observe/text_log.hpp>

#endif
