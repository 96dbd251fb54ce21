#include <chrono>

using duration = std::chrono::steady_clock::duration;
inline auto now() { return std::chrono::steady_clock::now(); }
