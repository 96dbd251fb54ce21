#include <linkspan/json/impl/json_scan.ipp>
#include <linkspan/protocol/impl/includes_asio.ipp>
