#ifndef LINKSPAN_TEST_IMPL_SCRIPTED_BACKEND_IPP
#define LINKSPAN_TEST_IMPL_SCRIPTED_BACKEND_IPP

#include <linkspan/core/time.hpp>
#include <linkspan/test/detail/exchange_access.hpp>
#include <linkspan/test/detail/scripted_backend.hpp>

#include <algorithm>
#include <charconv>

namespace linkspan::inline LINKSPAN_ABI::test::detail {

// Beginning of the ids of the events before kept messages.
inline constexpr std::string_view kept_id = "fault-";

// Adds session ids that the time source of the test determines.
inline http_server_options with_drawn_ids(http_server_options options, asio::any_io_executor const& executor)
{
    if (!options.make_session_id)
        options.make_session_id = [executor] {
            std::string id;
            auto& chance = time_source::of(executor);
            while (id.size() < 32)
                for (auto bits = chance.draw(); bits != 0 && id.size() < 32; bits >>= 4)
                    id += "0123456789abcdef"[bits & 15];
            return id;
        };
    return options;
}

LINKSPAN_DECL scripted_backend::scripted_backend(asio::any_io_executor executor, scripted_server& server,
                                                 http_server_options options)
    : executor_(std::move(executor)),
      server_(server),
      behind_(server.script_->behind ? std::optional<http_backend>(*server.script_->behind) : std::nullopt),
      service_(executor_, *this, with_drawn_ids(std::move(options), executor_))
{}

LINKSPAN_DECL std::vector<protocol_version> const& scripted_backend::protocol_versions() const
{
    return behind_ ? behind_->protocol_versions() : server_.script_->dialogue.protocol_versions;
}

LINKSPAN_DECL mirrored_arguments const* scripted_backend::mirrored(std::string_view tool)
{
    if (behind_)
        return behind_->mirrored(tool);
    auto const* const declared = server_.script_->responses.find(tool);
    mirrored_ = read_mirrored_arguments(declared ? declared->input_schema : "{}");
    return &mirrored_;
}

LINKSPAN_DECL bool scripted_backend::on_client(http_client client)
{
    auto const connection = server_.connect(executor_, std::move(client.transport));
    connection->http = std::make_unique<exchange_access>(exchange_access::functions{
        std::move(client.exchange_of), std::move(client.fields_of),
        [this](http_exchange const& which) { return request_of(which); },
        [this](std::string_view message) { return keep(message); }, [this] { service_.listener().reset_next(); }});
    if (client.version)
        connection->set_protocol_versions({*client.version});
    if (behind_) {
        client.transport = connection->to_server_behind();
        if (!behind_->on_client(std::move(client)))
            return false;
    } else if (auto const& pass_on = server_.script_->pass_on) {
        pass_on(executor_, connection->to_server_behind());
    }
    connection->run();
    return true;
}

LINKSPAN_DECL bool scripted_backend::intercept(http_server_request const& request, http_exchange with)
{
    std::erase_if(served_, [](served_exchange const& one) { return one.exchange.is_over(); });
    served_.push_back({with, requests_.size()});
    requests_.push_back(request);
    auto const matches = [&](fixed_response const& one) {
        return one.method == request.method() && request.body.find(one.part) != one.part.npos;
    };
    auto const found = std::ranges::find_if(fixed_responses, matches);
    if (found == fixed_responses.end())
        return (first && first(request, with)) || resume(request.head.find("Last-Event-ID"), with) ||
               apply_rule(request, with);
    auto const instead = std::move(*found);
    fixed_responses.erase(found);
    with.respond(instead.status, instead.fields, instead.body);
    return true;
}

inline bool scripted_backend::apply_rule(http_server_request const& request, http_exchange with)
{
    auto& events = server_.script_->events;
    auto const alive = std::weak_ptr(alive_);
    auto const handle = std::make_shared<http_exchange>(with);
    // Faults apply to messages, and there is none.
    auto access = std::make_shared<exchange_access>(exchange_access::functions{
        .exchange_of =
            [handle](std::uint64_t stream) { return stream != 0 || handle->is_over() ? nullptr : handle.get(); },
        .fields_of = [](std::uint64_t) { return http_exchange::fields_type(); },
        .request_of = [this, alive](http_exchange const& which) -> http_server_request const* {
            return alive.expired() ? nullptr : request_of(which);
        },
        .keep = {},
        .reset_next = {}});
    auto const target = request.target();
    auto const left =
        events.on_http_request(executor_, request.method(), target.substr(0, target.find('?')), std::move(access));
    if (!left)
        return with.is_over() || with.has_begun();
    with.on_disconnect([weak = std::weak_ptr(left), script = std::weak_ptr(server_.script_)] {
        auto const running = weak.lock();
        auto const owner = script.lock();
        if (running && owner)
            owner->events.end(static_cast<event_exchange&>(*running));
    });
    left->on_complete = [this, alive, handle, request] {
        if (alive.expired() || handle->is_over() || handle->has_begun())
            return;
        handle->on_disconnect({});
        service_.handle(request, *handle);
    };
    return true;
}

inline http_server_request const* scripted_backend::request_of(http_exchange const& which) const
{
    auto const found = std::ranges::find(served_, which, &served_exchange::exchange);
    return found == served_.end() ? nullptr : &requests_[found->request];
}

inline std::string scripted_backend::keep(std::string_view message)
{
    constexpr std::size_t max_kept = 64;
    if (kept_.size() == max_kept) {
        kept_.pop_front();
        ++first_kept_;
    }
    kept_.emplace_back(message);
    return std::string(kept_id) + std::to_string(first_kept_ + kept_.size() - 1);
}

inline bool scripted_backend::resume(std::optional<std::string_view> last_event, http_exchange& with)
{
    if (!last_event || !last_event->starts_with(kept_id))
        return false;
    std::size_t number = 0;
    auto const digits = last_event->substr(kept_id.size());
    std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (number < first_kept_ || number - first_kept_ >= kept_.size())
        return false;
    with.begin_stream();
    with.event({.data = kept_[number - first_kept_], .type = "message"});
    with.end();
    return true;
}

LINKSPAN_DECL void scripted_backend::on_authentication_defect(std::string_view what)
{
    if (behind_)
        behind_->on_authentication_defect(what);
}

} // namespace linkspan::test::detail

#endif
