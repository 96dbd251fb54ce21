#include <linkspan/protocol/posts.hpp>
#include <linkspan/wait_store.hpp>
