// Uses a header that linkspan-bindgen generated from weather.tools.lock.json.

#include <linkspan/describe/encode.hpp>

#include <iostream>

#include "weather_tools.hpp"

int main()
{
    weather::get_forecast arguments("Oslo");
    arguments.units = weather::get_forecast_units::celsius;
    auto const text = linkspan::encode(arguments);
    std::cout << weather::get_forecast::tool << ' ' << text << '\n';
    return text == R"({"city":"Oslo","units":"celsius"})" && weather::pins.size() == 1 ? 0 : 1;
}
