#include <linkspan/session/session.hpp>
