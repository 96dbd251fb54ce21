#include <linkspan/protocol/impl/posts.ipp>
#include <linkspan/json/impl/json_scan.ipp>
