#include <random>

inline auto seed() { return std::random_device()(); }
