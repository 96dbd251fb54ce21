#include <linkspan/transport/any_transport.hpp>
#include <linkspan/transport/stdio.hpp>
