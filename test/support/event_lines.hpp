#ifndef LINKSPAN_TEST_SUPPORT_EVENT_LINES_HPP
#define LINKSPAN_TEST_SUPPORT_EVENT_LINES_HPP

#include <linkspan/policy/concepts.hpp>

#include <algorithm>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace linkspan::inline LINKSPAN_ABI::test {

// Observer that collects the events with the given names, as "server: detail". Copies share the lines.
class event_lines {
public:
    using role = observer_role;

    event_lines(std::initializer_list<std::string_view> names) : names_(names) {}

    void on_event(event_view const& event) const
    {
        if (std::ranges::find(names_, event.name) != names_.end())
            all_->push_back(std::string(event.server).append(": ").append(event.detail));
    }

    std::vector<std::string> const& all() const noexcept { return *all_; }

private:
    std::vector<std::string_view> names_; // set by the constructor
    std::shared_ptr<std::vector<std::string>> all_ = std::make_shared<std::vector<std::string>>();
};

} // namespace linkspan::test

#endif
