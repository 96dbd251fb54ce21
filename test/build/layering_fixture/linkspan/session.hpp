#include <linkspan/core/error.hpp>
#include <linkspan/session/includes_detail.hpp>
#include <linkspan/transport/stdio.hpp>
