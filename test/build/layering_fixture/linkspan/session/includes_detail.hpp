#include <linkspan/core/detail/config.hpp>
#include <linkspan/session/detail/queue.hpp>
#include <linkspan/transport/detail/queue.hpp>
