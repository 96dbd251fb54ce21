#include <boost/asio/post.hpp>
#include <vector>
#include <linkspan/protocol/impl/includes_asio.ipp>
