#include <linkspan/stranger.hpp>
