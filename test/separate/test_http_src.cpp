#include <linkspan/test/http_src.hpp>
