#include <linkspan/protocol/impl/includes_mutex.ipp>
#include <linkspan/protocol/includes_asio.hpp>
