#include <linkspan/protocol/posts.hpp>
#include <linkspan/protocol/impl/locks.ipp>
