#include <linkspan/protocol/impl/posts.ipp>
