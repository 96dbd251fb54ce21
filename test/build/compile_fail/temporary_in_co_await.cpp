// error: linkspan: g++ before 13 destroys a temporary aggregate in a co_await expression twice
#include <linkspan/connector.hpp>
#include <linkspan/describe/struct.hpp>

struct get_forecast {
    static constexpr std::string_view tool = "get_forecast";
    using result_type = std::string;
    std::string city;
};

LINKSPAN_STRUCT(get_forecast, (city))

void misuse(linkspan::connector_base& hub)
{
    hub.async_call(get_forecast{"Oslo"}, [](linkspan::error_code, linkspan::typed_result<std::string> const&) {});
}
