#include <linkspan/core/detail/seed.hpp>

#include <nlohmann/json.hpp>
