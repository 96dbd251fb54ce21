#ifndef LINKSPAN_OBSERVE_HPP
#define LINKSPAN_OBSERVE_HPP

// All observers: text log, metrics, and their combination; and the delay of handlers.

#include <linkspan/observe/handler_delay.hpp>
#include <linkspan/observe/metrics.hpp>
#include <linkspan/observe/observe_all.hpp>
#include <linkspan/observe/text_log.hpp>

#endif
