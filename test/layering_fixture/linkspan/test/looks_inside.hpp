#include <linkspan/detail/config.hpp>
#include <linkspan/detail/queue.hpp>
