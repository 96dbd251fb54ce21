#include <linkspan/http_src.hpp>
