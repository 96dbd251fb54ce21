#include <linkspan/unlisted/unlisted.hpp>
