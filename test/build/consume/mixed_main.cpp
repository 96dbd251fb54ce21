#include <linkspan/connector/connector_state.hpp>

std::size_t failures_of(linkspan::open_report const& report);

int main() { return static_cast<int>(failures_of({})); }
