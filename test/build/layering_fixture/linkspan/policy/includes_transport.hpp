#include <linkspan/transport/inproc.hpp>
