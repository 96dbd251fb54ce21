// Compiled without LINKSPAN_SEPARATE_COMPILATION, in a program that is otherwise compiled with it.
#include <linkspan/connector/connector_state.hpp>

std::size_t failures_of(linkspan::open_report const& report);

std::size_t failures_of(linkspan::open_report const& report) { return report.failures(); }
