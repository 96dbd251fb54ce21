#include <linkspan/stranger/stranger.hpp>
