#ifndef LINKSPAN_CONFIG_DETAIL_HTTP_CHOICE_HPP
#define LINKSPAN_CONFIG_DETAIL_HTTP_CHOICE_HPP

#include <linkspan/connector/connector.hpp>
#include <linkspan/http/http_config.hpp>

#include <concepts>
#include <string_view>
#include <type_traits>

namespace linkspan::inline LINKSPAN_ABI::detail {

// Calls `use` with the first transport of a list that takes an `http_config` and whose `T::kind` is `kind`. Returns
// whether the list has such a transport.
template<class Use, class... Ts>
bool with_http_transport(transports<Ts...>, std::string_view kind, Use use)
{
    bool found = false;
    auto const use_if = [&]<class T>(std::type_identity<T> which) {
        if constexpr (std::same_as<typename T::config_type, http_config>)
            if (!found && T::kind == kind) {
                found = true;
                use(which);
            }
    };
    (use_if(std::type_identity<Ts>()), ...);
    return found;
}

} // namespace linkspan::detail

#endif
