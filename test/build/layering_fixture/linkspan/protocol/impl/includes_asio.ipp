#include <linkspan/protocol/includes_asio.hpp>
#include <linkspan/protocol/impl/includes_mutex.ipp>
