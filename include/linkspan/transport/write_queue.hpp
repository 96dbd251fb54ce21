#ifndef LINKSPAN_TRANSPORT_WRITE_QUEUE_HPP
#define LINKSPAN_TRANSPORT_WRITE_QUEUE_HPP

#include <linkspan/core/fwd.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan {

/// Lines that wait to be written, and to which request each byte belongs.
///
/// Two buffers take turns: one is being written, the other collects. A message that is wholly in the second one can be
/// withdrawn. Positions count all bytes since the beginning of the stream.
class write_queue {
public:
    bool empty() const noexcept { return size() == 0; }

    /// Bytes that were added and not accepted yet.
    std::size_t size() const noexcept { return writing_.size() - written_ + collecting_.size(); }

    /// Adds a line; its end is ours. Line ends within it become blanks: JSON has them between its tokens only. `id` is
    /// 0 for what nobody waits for.
    void add(request_id id, std::string_view line)
    {
        collecting_.append(line);
        for (char const end : {'\n', '\r'})
            if (line.find(end) != line.npos)
                std::replace(collecting_.end() - static_cast<std::ptrdiff_t>(line.size()), collecting_.end(), end, ' ');
        collecting_ += '\n';
        added_ += line.size() + 1;
        if (id != 0)
            marks_.push_back({id, line.size() + 1, added_});
    }

    /// The bytes to write next; valid until `accepted`. Not to be asked of an empty queue.
    std::string_view front()
    {
        if (written_ == writing_.size()) {
            writing_.clear();
            written_ = 0;
            writing_.swap(collecting_);
        }
        return std::string_view(writing_).substr(written_);
    }

    /// The stream took `size` of the bytes that `front` gave.
    void accepted(std::size_t size)
    {
        written_ += size;
        accepted_ += size;
        while (first_ != marks_.size() && marks_[first_].end <= accepted_)
            ++first_;
        if (first_ == marks_.size()) {
            marks_.clear();
            first_ = 0;
        }
    }

    /// Takes a message out that has not begun to be written. False when it has, or is not here.
    bool withdraw(request_id id)
    {
        auto const mark = std::find_if(marks_.begin() + static_cast<std::ptrdiff_t>(first_), marks_.end(),
                                       [id](entry const& e) { return e.id == id; });
        auto const collected = added_ - collecting_.size();
        if (mark == marks_.end() || mark->end - mark->size < collected)
            return false;
        collecting_.erase(static_cast<std::size_t>(mark->end - mark->size - collected), mark->size);
        added_ -= mark->size;
        for (auto later = mark + 1; later != marks_.end(); ++later)
            later->end -= mark->size;
        marks_.erase(mark);
        return true;
    }

    /// The stream takes no more: drops everything, and adds to `unsent` each request whose line end was not accepted.
    void fail(std::vector<request_id>& unsent)
    {
        for (; first_ != marks_.size(); ++first_)
            unsent.push_back(marks_[first_].id);
        marks_.clear();
        first_ = 0;
        writing_.clear();
        written_ = 0;
        added_ -= collecting_.size();
        collecting_.clear();
    }

private:
    struct entry {
        request_id id;
        std::size_t size;  // with the line end
        std::uint64_t end; // the position behind the line end
    };

    std::string writing_, collecting_;
    std::size_t written_ = 0; // of `writing_`
    std::uint64_t added_ = 0; // the position behind the last byte of `collecting_`
    std::uint64_t accepted_ = 0;
    std::vector<entry> marks_;
    std::size_t first_ = 0; // of the marks that are not accepted yet
};

} // namespace linkspan

#endif
