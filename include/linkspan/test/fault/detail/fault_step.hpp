#ifndef LINKSPAN_TEST_FAULT_DETAIL_FAULT_STEP_HPP
#define LINKSPAN_TEST_FAULT_DETAIL_FAULT_STEP_HPP

#include <linkspan/core/time.hpp>

#include <string>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// One step. Over HTTP, a step refers to the exchange of the message.
struct fault_step {
    enum class kind {
        message,      // sends `text` as a message
        bytes,        // sends `text` without a line end; over HTTP, as a part of the body of a response of type JSON
        event_bytes,  // over HTTP, sends `text` as a part of an event stream, which begins if necessary
        http_bytes,   // sends `text` in place of an HTTP response, or of a part of one
        end_response, // ends the HTTP response
        resumable,    // sends a part of an event stream, whose event with the response `text` the client can request
        reset_next,   // resets the next HTTP connection when it is accepted
        reject,       // rejects the tokens of all HTTP requests for `span`
        end_output,   // closes the sending side of the connection
        cut,          // ends the HTTP connection after the bytes before
        pause,        // waits for `span` before the next step
        freeze,       // lets all messages from now on wait for `span`
        hold,         // the message `text` waits for the next one, at most for `span`
        mute,         // discards all later messages of the connection
        drop,         // ends the connection
        process       // has the effect of the kind of fault on the process
    };

    kind what = kind::message;
    std::string text{};
    duration span{};
    bool adds_fields = true; // over HTTP, a response of status 200 has the additional header fields of the regular one
};

using fault_steps = std::vector<fault_step>;

} // namespace linkspan::test::detail

#endif
