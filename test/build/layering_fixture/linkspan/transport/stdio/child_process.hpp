#include <linkspan/core/time.hpp>

#include <boost/asio/post.hpp>
#include <boost/process/v2/process.hpp>

#include <memory>
#include <sys/wait.h>
