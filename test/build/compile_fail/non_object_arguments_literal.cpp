// error: is not a constant expression
#include <linkspan/model/arguments.hpp>

using namespace linkspan::literals;

linkspan::arguments misuse() { return R"([1, 2])"_json; }
