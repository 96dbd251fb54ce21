#ifndef LINKSPAN_SESSION_DETAIL_MESSAGE_WRITER_HPP
#define LINKSPAN_SESSION_DETAIL_MESSAGE_WRITER_HPP

#include <linkspan/core/detail/config.hpp>
#include <linkspan/core/text_buffer.hpp>
#include <linkspan/protocol/client/request_op.hpp>
#include <linkspan/protocol/compose.hpp>
#include <linkspan/protocol/message_kind.hpp>
#include <linkspan/transport/concept.hpp>

#include <optional>
#include <string_view>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Writer of the messages of one session. A request is written to the output memory of the transport, if it has one. All
// other messages are written into the same memory. A message is valid until the next one is written. The class performs
// no I/O.
class message_writer {
public:
    using version_type = std::optional<protocol_version>;

    // Sets the protocol version and the identity that the following requests contain.
    void set_protocol_version(protocol_version id, client_identity const& self)
    {
        composer_.set_protocol_version(id, self);
    }

    // Returns the message of a request that has an id. `more`: further members of `params`. `version`: protocol version
    // in which the message is written; empty: none was negotiated. `output`: that of the transport, to which the
    // message is passed next; null: none.
    outbound request(request_op const& op, std::string_view more, version_type version, text_buffer* output = nullptr)
    {
        outbound out;
        out.bytes =
            composer_.write_after(output ? *output : cleared_text(), {op.id(), op.method, op.params, more, op.meta,
                                                                      op.requests_progress, op.declares_tasks});
        out.id = op.id();
        out.kind = op.request_kind;
        out.method = op.method;
        out.name = op.name;
        out.version = version;
        return out;
    }

    // Returns a notification. `params`: members of `params`, without braces.
    LINKSPAN_DECL outbound notification(std::string_view method, std::string_view params, message_kind kind,
                                        version_type version);

    // Return a response to a request of the server. `raw_id`: id of the request as JSON text.
    LINKSPAN_DECL outbound result(std::string_view raw_id, std::string_view result, version_type version);
    LINKSPAN_DECL outbound failure(std::string_view raw_id, int code, std::string_view message, version_type version);

private:
    outbound response(version_type version) const noexcept;

    text_buffer& cleared_text() noexcept
    {
        text_.clear();
        return text_;
    }

    composer composer_; // set by `set_protocol_version`
    text_buffer text_;  // memory of the last message that was not written to the output of the transport
};

} // namespace linkspan::detail

#if !defined(LINKSPAN_SEPARATE_COMPILATION)
#include <linkspan/session/impl/message_writer.ipp>
#endif

#endif
