#include <linkspan/tls_src.hpp>
