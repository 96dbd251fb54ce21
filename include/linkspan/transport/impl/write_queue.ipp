#ifndef LINKSPAN_TRANSPORT_IMPL_WRITE_QUEUE_IPP
#define LINKSPAN_TRANSPORT_IMPL_WRITE_QUEUE_IPP

#include <linkspan/core/detail/find_special.hpp>
#include <linkspan/core/detail/reused_text.hpp>
#include <linkspan/transport/write_queue.hpp>

#include <algorithm>
#include <cstring>
#include <utility>

namespace linkspan::inline LINKSPAN_ABI {

LINKSPAN_DECL void write_queue::add(request_id id, std::string_view line)
{
    auto* const at = collecting_.prepare(line.size() + 1);
    auto* const end = at + line.size();
    if (id != 0)
        requests_.push_back({id, line.size() + 1, added_ + line.size() + 1});
    // The rest of the function does not throw: a line without its entry would be sent, and not reported.
    if (!line.empty() && line.data() != at)
        std::memcpy(at, line.data(), line.size());
    if (detail::has_control(at, end))
        std::replace_if(
            at, end, [](char c) { return c == '\n' || c == '\r'; }, ' ');
    *end = '\n';
    collecting_.commit(end + 1);
    added_ += line.size() + 1;
}

LINKSPAN_DECL void write_queue::add_bytes(std::string_view bytes)
{
    auto* const at = collecting_.prepare(bytes.size());
    collecting_.commit(std::copy(bytes.begin(), bytes.end(), at));
    added_ += bytes.size();
}

LINKSPAN_DECL std::string_view write_queue::front()
{
    if (written_ == writing_.size()) {
        writing_.clear();
        written_ = 0;
        std::swap(writing_, collecting_);
    }
    return writing_.view().substr(written_);
}

LINKSPAN_DECL void write_queue::accepted(std::size_t size)
{
    written_ += size;
    accepted_ += size;
    while (first_ != requests_.size() && requests_[first_].end <= accepted_)
        ++first_;
    if (first_ == requests_.size()) {
        requests_.clear();
        first_ = 0;
    }
    if (written_ == writing_.size() && writing_.capacity() > detail::kept_text) {
        writing_.release_excess();
        written_ = 0;
    }
}

LINKSPAN_DECL bool write_queue::remove(request_id id)
{
    auto const mark = std::find_if(requests_.begin() + static_cast<std::ptrdiff_t>(first_), requests_.end(),
                                   [id](entry const& e) { return e.id == id; });
    auto const collected = added_ - collecting_.size();
    if (mark == requests_.end() || mark->end - mark->size < collected)
        return false;
    collecting_.erase(static_cast<std::size_t>(mark->end - mark->size - collected), mark->size);
    added_ -= mark->size;
    if (collecting_.size() == 0)
        collecting_.release_excess();
    for (auto later = mark + 1; later != requests_.end(); ++later)
        later->end -= mark->size;
    requests_.erase(mark);
    return true;
}

LINKSPAN_DECL void write_queue::fail(std::vector<request_id>& unsent)
{
    for (; first_ != requests_.size(); ++first_)
        unsent.push_back(requests_[first_].id);
    requests_.clear();
    first_ = 0;
    written_ = 0;
    added_ -= collecting_.size();
    writing_ = text_buffer(); // no further line is added
    collecting_ = text_buffer();
}

} // namespace linkspan

#endif
