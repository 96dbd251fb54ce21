#include <linkspan/protocol/impl/includes_asio.ipp>
#include <linkspan/json/impl/json_scan.ipp>
