#include "client_files.hpp"

#include <linkspan/config/client_config.hpp>

#include <algorithm>
#include <filesystem>

#include "exit_status.hpp"
#include "standard_streams.hpp"

namespace cli {

std::string current_folder()
{
    std::error_code ec;
    auto const path = std::filesystem::current_path(ec);
    return ec ? std::string() : path.string();
}

linkspan::connector_config read_client_file(std::string const& path, std::string_view text)
{
    auto const of = linkspan::client_of(path);
    return of ? linkspan::read_client_config(*of, text, path, current_folder())
              : linkspan::connector_config::from_json(text, path);
}

void find_client_files(server_book& to)
{
    auto const folder = current_folder();
    if (folder.empty())
        note("the current folder cannot be determined; configuration files in it are not read");
    for (auto const& [of, path] : linkspan::client_files(linkspan::process_environment(), folder)) {
        std::error_code ignored;
        if (!std::filesystem::exists(path, ignored) || std::ranges::find(to.files, path) != to.files.end())
            continue;
        try {
            auto found = linkspan::read_client_config(of, read_file(path), path, folder);
            found |= std::move(to.config); // earlier files take precedence
            to.config = std::move(found);
            to.files.push_back(path);
        } catch (usage_error const& wrong) {
            note(wrong.what());
        }
    }
}

} // namespace cli
