#include <linkspan/protocol/impl/includes_asio.ipp>
