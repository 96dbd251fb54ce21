#include <linkspan/describe/codec.hpp>
