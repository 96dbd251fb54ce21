#include "content.hpp"

#include <linkspan/core/detail/base64.hpp>

#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <fcntl.h>
#include <optional>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>

#include "clean_text.hpp"
#include "json_text.hpp"
#include "standard_streams.hpp"

namespace cli {
namespace {

namespace json = boost::json;

std::string_view extension_of(std::string_view mime_type)
{
    constexpr std::pair<std::string_view, std::string_view> known[] = {
        {"image/png", ".png"},  {"image/jpeg", ".jpg"},      {"image/gif", ".gif"},         {"image/webp", ".webp"},
        {"audio/wav", ".wav"},  {"audio/mpeg", ".mp3"},      {"audio/ogg", ".ogg"},         {"image/svg+xml", ".svg"},
        {"text/plain", ".txt"}, {"text/html", ".html"},      {"application/json", ".json"}, {"text/markdown", ".md"},
        {"text/csv", ".csv"},   {"application/pdf", ".pdf"},
    };
    auto const bare = mime_type.substr(0, mime_type.find(';'));
    for (auto const& [type, extension] : known)
        if (type == bare)
            return extension;
    return ".bin";
}

std::error_code write_new_file(std::string const& path, std::string_view bytes)
{
    constexpr ::mode_t for_owner = 0600;
    int const file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, for_owner);
    if (file < 0)
        return {errno, std::generic_category()};
    auto failure = write_all(file, bytes);
    if (::close(file) != 0 && !failure)
        failure = {errno, std::generic_category()};
    if (failure)
        ::unlink(path.c_str());
    return failure;
}

// Converts content blocks to text.
class content_printer {
public:
    content_printer(std::string_view name, file_saver& files) : name_(name), files_(files) {}

    std::string take() && { return std::move(out_); }

    void show_block(json::value const& block)
    {
        if (!block.is_object())
            return add_line("[content is not an object]");
        auto const& object = block.get_object();
        auto const type = text_at(object, "type");
        if (type == "text")
            add_text(text_at(object, "text"));
        else if (type == "image" || type == "audio")
            show_bytes(type, object, "data", name_);
        else if (type == "resource_link")
            show_link(object);
        else if (auto const* const resource = object.if_contains("resource"); type == "resource" && resource)
            show_resource(*resource);
        else
            add_line("[" + type + "] " + json::serialize(block));
    }

    // A resource of `resources/read`, or of a content block.
    void show_resource(json::value const& resource)
    {
        if (!resource.is_object())
            return add_line("[resource is not an object]");
        auto const& object = resource.get_object();
        auto const uri = text_at(object, "uri");
        if (object.contains("blob"))
            return show_bytes("resource " + uri, object, "blob", last_part(uri));
        auto const text = text_at(object, "text");
        if (files_.is_wanted())
            save("resource " + uri, object, last_part(uri), text);
        else
            add_text(text);
    }

    void add_line(std::string const& text) { out_ += terminal_line(text) + "\n"; }

    void add_text(std::string_view text)
    {
        out_ += terminal_text(text);
        out_ += '\n';
    }

private:
    static std::string last_part(std::string_view uri)
    {
        uri = uri.substr(0, uri.find_first_of("?#"));
        while (uri.ends_with('/'))
            uri.remove_suffix(1);
        return std::string(uri.substr(uri.find_last_of("/:") + 1)); // npos + 1 is 0
    }

    void show_link(json::object const& block)
    {
        auto const type = text_at(block, "mimeType"), about = text_at(block, "description");
        add_line("[resource_link " + text_at(block, "uri") + "] " + text_at(block, "name") +
                 (type.empty() ? "" : " (" + type + ")") + (about.empty() ? "" : ": " + about));
    }

    void show_bytes(std::string const& what, json::object const& block, std::string_view key, std::string const& wanted)
    {
        auto const bytes = linkspan::detail::from_base64(text_at(block, key));
        if (!bytes)
            return add_line("[" + what + " " + text_at(block, "mimeType") + ": data is not valid Base64]");
        save(what, block, wanted, *bytes);
    }

    void save(std::string const& what, json::object const& block, std::string wanted, std::string_view bytes)
    {
        auto const type = text_at(block, "mimeType");
        auto line = "[" + what + (type.empty() ? "" : " " + type) + ", " + std::to_string(bytes.size()) + " bytes";
        if (files_.is_wanted()) {
            if (wanted.find('.') == wanted.npos)
                wanted += extension_of(type);
            line += ", " + files_.save(wanted, bytes);
        }
        add_line(line + "]");
    }

    std::string out_, name_;
    file_saver& files_;
};

} // namespace

std::string safe_file_name(std::string_view wanted)
{
    constexpr std::string_view legal = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-";
    constexpr std::size_t longest = 100;
    std::string out;
    for (char const c : wanted.substr(wanted.size() - std::min(wanted.size(), longest)))
        out += legal.find(c) == legal.npos ? '_' : c;
    out.erase(0, std::min(out.find_first_not_of(".-"), out.size()));
    return out.empty() ? "content" : out;
}

file_saver::file_saver(std::string folder) : folder_(std::move(folder))
{
    if (folder_.empty())
        return;
    constexpr ::mode_t for_owner = 0700;
    struct stat about {};
    bool const is_there = ::mkdir(folder_.c_str(), for_owner) == 0 ||
                          (errno == EEXIST && ::stat(folder_.c_str(), &about) == 0 && S_ISDIR(about.st_mode));
    if (!is_there)
        throw usage_error("option '--save': '" + folder_ + "' is not a folder and cannot be created");
}

std::string file_saver::save(std::string_view wanted, std::string_view bytes)
{
    auto const name = safe_file_name(wanted);
    auto const dot = std::min(name.rfind('.'), name.size());
    constexpr unsigned max_number = 10'000;
    for (unsigned number = 1;; ++number) {
        auto const infix = number == 1 ? std::string() : "-" + std::to_string(number);
        auto path = folder_ + "/" + name.substr(0, dot) + infix + name.substr(dot);
        auto const failure = write_new_file(path, bytes);
        bool const is_over = failure != std::errc::file_exists || number == max_number;
        failed_ = failed_ || (failure && is_over);
        if (!failure)
            return notes_.emplace_back("saved as " + path);
        if (is_over)
            return notes_.emplace_back("not saved as " + path + ": " + failure.message());
    }
}

std::string show_result(json::value const& result, std::string_view name, file_saver& files)
{
    content_printer out(name, files);
    if (!result.is_object())
        return {};
    auto const& object = result.get_object();
    auto const list = [&](std::string_view key) {
        auto const* const found = object.if_contains(key);
        return found && found->is_array() ? &found->get_array() : nullptr;
    };
    bool is_empty = true;
    if (auto const* const blocks = list("content"))
        for (auto const& block : *blocks) {
            out.show_block(block);
            is_empty = false;
        }
    if (auto const* const resources = list("contents"))
        for (auto const& resource : *resources)
            out.show_resource(resource);
    if (auto const* const messages = list("messages"))
        for (auto const& message : *messages)
            if (message.is_object()) {
                out.add_line(text_at(message.get_object(), "role") + ":");
                if (auto const* const content = message.get_object().if_contains("content"))
                    out.show_block(*content);
            }
    if (auto const* const structured = object.if_contains("structuredContent"); structured && is_empty)
        out.add_line(json::serialize(*structured));
    if (auto const raw = text_at(object, malformed_key); !raw.empty() && object.size() == 1)
        out.add_line("[unreadable result] " + raw);
    return std::move(out).take();
}

finished show_response(std::string_view raw, std::string_view name, file_saver& files, bool json, int status)
{
    auto const document = clean_json(raw);
    auto const shown = show_result(parse_json(document), name, files);
    if (files.failed() || json)
        for (auto const& line : files.notes())
            note(line);
    return {files.failed() ? not_written : status, json ? document + "\n" : shown};
}

} // namespace cli
