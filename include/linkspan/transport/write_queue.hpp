#ifndef LINKSPAN_TRANSPORT_WRITE_QUEUE_HPP
#define LINKSPAN_TRANSPORT_WRITE_QUEUE_HPP

#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI {

/// Queue of lines to be written to a stream, which records the request that each line belongs to.
///
/// The class has two buffers: one is being written while the other collects new lines. A line can be removed until
/// `front` moves the buffer that contains it into the writing position. A request is `unsent` as long as the stream has
/// not accepted its line end. Positions count bytes from the beginning of the stream.
///
/// \par Thread safety
/// Distinct objects: safe. Shared objects: unsafe.
class write_queue {
public:
    /// Returns whether all bytes were accepted.
    bool empty() const noexcept { return size() == 0; }

    /// Returns the number of bytes that were added and not accepted.
    std::size_t size() const noexcept { return writing_.size() - written_ + collecting_.size(); }

    /// Adds a line and appends its line end. CR and LF within the line are replaced by spaces, which is valid because
    /// JSON contains them between tokens only.
    ///
    /// \param id Id of the request; 0 for messages whose delivery is not reported.
    /// \param line Text of one JSON-RPC message, which is copied.
    /// \throws std::bad_alloc
    void add(request_id id, std::string_view line)
    {
        collecting_.append(line);
        for (char const end : {'\n', '\r'})
            if (line.find(end) != line.npos)
                std::replace(collecting_.end() - static_cast<std::ptrdiff_t>(line.size()), collecting_.end(), end, ' ');
        collecting_ += '\n';
        added_ += line.size() + 1;
        if (id != 0)
            requests_.push_back({id, line.size() + 1, added_});
    }

    /// Returns the next bytes to write; valid until the next call of `accepted` or `fail`. Precondition: the queue is
    /// not empty.
    std::string_view front()
    {
        if (written_ == writing_.size()) {
            writing_.clear();
            written_ = 0;
            writing_.swap(collecting_);
        }
        return std::string_view(writing_).substr(written_);
    }

    /// Removes the first `size` of the bytes that `front` returned, because the stream has accepted them.
    void accepted(std::size_t size)
    {
        written_ += size;
        accepted_ += size;
        while (first_ != requests_.size() && requests_[first_].end <= accepted_)
            ++first_;
        if (first_ == requests_.size()) {
            requests_.clear();
            first_ = 0;
        }
    }

    /// Removes the line of the request `id`. Returns false, without an effect, if the line is in the buffer that is
    /// being written, or is not in the queue.
    bool withdraw(request_id id)
    {
        auto const mark = std::find_if(requests_.begin() + static_cast<std::ptrdiff_t>(first_), requests_.end(),
                                       [id](entry const& e) { return e.id == id; });
        auto const collected = added_ - collecting_.size();
        if (mark == requests_.end() || mark->end - mark->size < collected)
            return false;
        collecting_.erase(static_cast<std::size_t>(mark->end - mark->size - collected), mark->size);
        added_ -= mark->size;
        for (auto later = mark + 1; later != requests_.end(); ++later)
            later->end -= mark->size;
        requests_.erase(mark);
        return true;
    }

    /// Discards all lines and appends to `unsent` the id of each request whose line end was not accepted. Called when
    /// the stream has failed or is closed; no line is added afterwards.
    void fail(std::vector<request_id>& unsent)
    {
        for (; first_ != requests_.size(); ++first_)
            unsent.push_back(requests_[first_].id);
        requests_.clear();
        first_ = 0;
        writing_.clear();
        written_ = 0;
        added_ -= collecting_.size();
        collecting_.clear();
    }

private:
    // A request whose line end was not accepted.
    struct entry {
        // id of the request; never 0
        request_id id;
        std::size_t size;  // in bytes, including the line end
        std::uint64_t end; // position after the line end
    };

    // writing_: buffer that `front` returns; collecting_: buffer that `add` appends to
    std::string writing_, collecting_;
    // number of bytes at the front of `writing_` that were accepted
    std::size_t written_ = 0;
    // position after the last byte of `collecting_`
    std::uint64_t added_ = 0;
    // number of bytes accepted since the construction
    std::uint64_t accepted_ = 0;
    // one entry per request, in the order of the lines; cleared when all are accepted, and by fail()
    std::vector<entry> requests_;
    // index of the first entry in `requests_` that is not accepted
    std::size_t first_ = 0;
};

} // namespace linkspan

#endif
