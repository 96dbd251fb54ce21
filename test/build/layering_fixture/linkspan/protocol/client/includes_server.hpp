#include <linkspan/protocol/server/server_dialogue.hpp>
#include <linkspan/protocol/includes_mutex.hpp>
