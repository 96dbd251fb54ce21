#include "connector.hpp"
