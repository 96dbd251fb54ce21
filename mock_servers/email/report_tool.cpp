#include "report_tool.hpp"

#include <linkspan/describe.hpp>
#include <linkspan/json/json_writer.hpp>

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <exception>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "../reply_text.hpp"
#include "address.hpp"
#include "message.hpp"
#include "sent_log.hpp"

namespace mock_email {

struct report_arguments {
    std::vector<std::string> to{};
    std::string subject{};
    std::string body{};
    std::optional<std::vector<std::string>> attachments{};
    std::optional<std::string> key{};
};
LINKSPAN_STRUCT(report_arguments, (to, "Addresses of the recipients", linkspan::note::min_items{1}),
                (subject, "The subject", linkspan::note::min_length{1}), (body, "The text"),
                (attachments, "Paths of files below the artifacts folder"),
                (key, "Distinguishes messages with equal content; a repeated call has the same key"))

namespace {

namespace asio = boost::asio;

// The tool, which is shared by its calls.
class report_sender {
public:
    explicit report_sender(report_options options)
        : options_(std::move(options)), folder_(options_.artifacts), log_(options_.log)
    {
        if (!is_address(options_.from))
            throw email_error("the address of the sender '" + options_.from + "' is invalid");
    }

    // Returns the text of the result. Throws the reason of a failure.
    asio::awaitable<std::string> send_report(report_arguments what)
    {
        if (options_.server.password.empty())
            throw email_error("The API key is missing: set MOCK_EMAIL_API_KEY.");
        auto const mail = make_message(std::move(what));
        auto const text = compose(mail, std::chrono::system_clock::now());
        auto const id = message_id(mail);
        auto const known = log_.find(id);
        if (known == delivery::begun)
            throw email_error("The message " + id + " is being sent, or its outcome is unknown; it is not sent again.");
        if (known == delivery::none) {
            log_.record(id, delivery::begun);
            co_await submit(mail, text, id);
        }
        std::string out = R"({"status":"success","via":"mcp","message_id":)";
        linkspan::append_quoted(out, id);
        co_return out += known == delivery::sent ? R"(,"repeated":true})" : "}";
    }

private:
    message make_message(report_arguments what) const
    {
        message out;
        out.from = options_.from;
        for (auto const& address : what.to)
            if (!is_address(address))
                throw email_error("The address '" + address + "' is invalid.");
        auto rest = options_.max_bytes;
        for (auto const& path : what.attachments.value_or(std::vector<std::string>())) {
            out.attachments.push_back(folder_.read(path, rest));
            rest -= out.attachments.back().bytes.size();
        }
        out.to = std::move(what.to);
        out.subject = std::move(what.subject);
        out.body = std::move(what.body);
        out.key = what.key.value_or("");
        return out;
    }

    asio::awaitable<void> submit(message const& mail, std::string const& text, std::string const& id)
    {
        std::exception_ptr failure;
        bool is_unknown = false, is_accepted = false;
        auto const on_accepted = [&] {
            is_accepted = true;
            log_.record(id, delivery::sent);
        };
        try {
            co_await send(options_.server, mail.from, mail.to, text, on_accepted);
        } catch (smtp_error const& failed) {
            is_unknown = failed.is_unknown();
            failure = std::current_exception();
        } catch (...) {
            failure = std::current_exception();
        }
        if (!is_unknown && !is_accepted)
            log_.record(id, delivery::none);
        if (failure)
            std::rethrow_exception(failure);
    }

    report_options options_;
    artifacts_folder folder_;
    sent_log log_;
};

asio::awaitable<void> handle(std::shared_ptr<report_sender> sender, report_arguments what,
                             linkspan::server_request request)
{
    std::string text;
    try {
        text = co_await sender->send_report(std::move(what));
    } catch (std::exception const& failed) {
        text = mock_servers::failure_text(failed.what());
    }
    request.complete(mock_servers::reply_with(text));
}

} // namespace

void add_report_tool(linkspan::server& server, report_options options)
{
    linkspan::tool definition{.name = "email.send_report", .description = "Sends one message with attachments"};
    // Without a file, the outcomes of the messages are lost with the process, so that a call that a client repeats
    // after a restart would send a second message.
    bool const is_idempotent = !options.log.empty();
    definition.annotations = {
        .read_only = false, .destructive = false, .idempotent = is_idempotent, .open_world = true};
    definition.has_hints = true;
    auto const sender = std::make_shared<report_sender>(std::move(options));
    server.add(std::move(definition), [sender](report_arguments const& what, linkspan::server_request request) {
        return handle(sender, what, std::move(request));
    });
}

} // namespace mock_email
