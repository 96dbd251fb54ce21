#include <linkspan/bindgen/src.hpp>
