// error: linkspan: arg: the condition cannot apply to the type of the member

#include <linkspan/describe/struct.hpp>
#include <linkspan/test/script/value_conditions.hpp>

#include <string_view>

struct forecast_of {
    static constexpr std::string_view tool = "forecast";
    using result_type = int;
    int days = 1;
};
LINKSPAN_STRUCT(forecast_of, (days))

void misuse() { linkspan::test::arg<&forecast_of::days>(linkspan::test::prefix("1")); }
