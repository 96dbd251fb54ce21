#ifndef LINKSPAN_HTTP_SERVER_STREAM_LAYER_HPP
#define LINKSPAN_HTTP_SERVER_STREAM_LAYER_HPP

#include <linkspan/core/fwd.hpp>
#include <linkspan/transport/byte_stream.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <memory>

namespace linkspan::inline LINKSPAN_ABI {

/// Factory of streams that add a layer to accepted connections.
///
/// `linkspan::server_tls()` of <linkspan/http/tls/server_tls.hpp> returns the layer for TLS. One layer may be shared by
/// several listeners.
///
/// \par Thread safety
/// `over` is called on the executor of the listener that uses the layer.
class stream_layer {
public:
    stream_layer() = default;
    stream_layer(stream_layer const&) = delete;
    stream_layer& operator=(stream_layer const&) = delete;
    virtual ~stream_layer() = default;

    /// Returns a stream with the layer over an accepted stream. A handshake of the layer is a part of the first read,
    /// so that the timeout of this read applies to the handshake.
    ///
    /// \param executor Executor of the streams and of all steps.
    /// \param below Accepted stream; not null.
    /// \par Exception safety
    /// Basic. Throws `std::bad_alloc`.
    virtual std::unique_ptr<byte_stream> over(asio::any_io_executor const& executor,
                                              std::unique_ptr<byte_stream> below) const = 0;
};

} // namespace linkspan

#endif
