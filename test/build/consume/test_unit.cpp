// The test kit in a header-only unit.
#include <linkspan/test.hpp>

#include <string>

std::string plan_of_test_unit();

std::string plan_of_test_unit()
{
    return linkspan::test::to_json(linkspan::test::parse_chaos_plan(R"({"faults":[]})"));
}
