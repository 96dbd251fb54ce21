#include <linkspan/protocol/includes_mutex.hpp>
#include <linkspan/protocol/server/server_dialogue.hpp>
