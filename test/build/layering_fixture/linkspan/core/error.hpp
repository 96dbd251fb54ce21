#include <linkspan/json/json_scan.hpp>
