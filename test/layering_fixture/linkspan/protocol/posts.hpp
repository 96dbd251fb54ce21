#include <boost/asio/post.hpp>
#include <vector>
#include <linkspan/impl/posts.ipp>
