#include <linkspan/session/looks_inside.hpp>
#include <linkspan/core/error.hpp>
#include <linkspan/transport/stdio.hpp>
