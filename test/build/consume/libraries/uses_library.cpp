#include <cstddef>

std::size_t servers_of_empty_connector();

int main() { return static_cast<int>(servers_of_empty_connector()); }
