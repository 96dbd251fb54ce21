#include <linkspan/transport/detail/queue.hpp>
#include <linkspan/session/detail/queue.hpp>
#include <linkspan/core/detail/config.hpp>
