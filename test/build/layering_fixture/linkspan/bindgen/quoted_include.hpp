#include "lock.hpp"
