#include <linkspan/src_tls.hpp>
