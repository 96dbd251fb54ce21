#include <linkspan/message.hpp>
#include <linkspan/session.hpp>
