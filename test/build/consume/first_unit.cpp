#include "umbrella.hpp"

linkspan::error_code from_second_unit();

int main() { return from_second_unit() == linkspan::condition::outcome_unknown ? 0 : 1; }
