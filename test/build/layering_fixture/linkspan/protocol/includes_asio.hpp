#include <linkspan/protocol/impl/includes_asio.ipp>

#include <boost/asio/post.hpp>

#include <vector>
