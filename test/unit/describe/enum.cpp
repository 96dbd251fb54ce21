#include <linkspan/describe/enum.hpp>

#include <boost/test/unit_test.hpp>

#include <string>
#include <string_view>

BOOST_AUTO_TEST_SUITE(enum_test)

using linkspan::enum_names;
using linkspan::name_of;

namespace app_enum {

enum class unit { celsius, fahrenheit };
BOOST_DESCRIBE_ENUM(unit, celsius, fahrenheit)

enum class language { en, zh_hans, none, quoted };
LINKSPAN_ENUM(language, (en), (zh_hans, "zh-hans"), (none, ""), (quoted, "a\"b"))

enum old_style { old_a = 7, old_b = -1 };
LINKSPAN_ENUM(old_style, (old_a, "a"), (old_b, "b"))

enum class by_hand : unsigned char { one, two };
constexpr auto linkspan_names(by_hand) { return std::array{linkspan::enum_name<by_hand>{by_hand::two, "2"}}; }

// A described enumeration with different names in JSON.
enum class both { x };
BOOST_DESCRIBE_ENUM(both, x)
LINKSPAN_ENUM(both, (x, "ex"))

// The maximum number of enumerators of LINKSPAN_ENUM.
// clang-format off
enum class many {
    n000, n001, n002, n003, n004, n005, n006, n007, n008, n009, n010, n011, n012, n013, n014, n015, n016, n017, n018,
    n019, n020, n021, n022, n023, n024, n025, n026, n027, n028, n029, n030, n031, n032, n033, n034, n035, n036, n037,
    n038, n039, n040, n041, n042, n043, n044, n045, n046, n047, n048, n049, n050, n051, n052, n053, n054, n055, n056,
    n057, n058, n059, n060, n061, n062, n063, n064, n065, n066, n067, n068, n069, n070, n071, n072, n073, n074, n075,
    n076, n077, n078, n079, n080, n081, n082, n083, n084, n085, n086, n087, n088, n089, n090, n091, n092, n093, n094,
    n095, n096, n097, n098, n099, n100, n101, n102, n103, n104, n105, n106, n107, n108, n109, n110, n111, n112, n113,
    n114, n115, n116, n117, n118, n119, n120, n121, n122, n123, n124, n125, n126, n127, n128, n129, n130, n131, n132,
    n133, n134, n135, n136, n137, n138, n139, n140, n141, n142, n143, n144, n145, n146, n147, n148, n149, n150, n151,
    n152, n153, n154, n155, n156, n157, n158, n159, n160, n161, n162, n163, n164, n165, n166, n167, n168, n169, n170,
    n171, n172, n173, n174, n175, n176, n177, n178, n179, n180, n181, n182, n183, n184, n185, n186, n187, n188, n189,
    n190, n191, n192, n193, n194, n195, n196, n197, n198, n199, n200, n201, n202, n203, n204, n205, n206, n207, n208,
    n209, n210, n211, n212, n213, n214, n215, n216, n217, n218, n219, n220, n221, n222, n223, n224, n225, n226, n227,
    n228, n229, n230, n231, n232, n233, n234, n235, n236, n237, n238, n239, n240, n241, n242, n243, n244, n245, n246,
    n247, n248, n249, n250, n251, n252, n253, n254, n255, n256, n257, n258, n259, n260, n261, n262, n263, n264, n265,
    n266, n267, n268, n269, n270, n271, n272, n273, n274, n275, n276, n277, n278, n279, n280, n281, n282, n283, n284,
    n285, n286, n287, n288, n289, n290, n291, n292, n293, n294, n295, n296, n297, n298, n299, n300, n301, n302, n303,
    n304, n305, n306, n307, n308, n309, n310, n311, n312, n313, n314, n315, n316, n317, n318, n319, n320, n321, n322,
    n323, n324, n325, n326, n327, n328, n329, n330, n331, n332, n333, n334, n335, n336, n337, n338, n339, n340
};
LINKSPAN_ENUM(many,
    (n000), (n001), (n002), (n003), (n004), (n005), (n006), (n007), (n008), (n009), (n010), (n011), (n012), (n013),
    (n014), (n015), (n016), (n017), (n018), (n019), (n020), (n021), (n022), (n023), (n024), (n025), (n026), (n027),
    (n028), (n029), (n030), (n031), (n032), (n033), (n034), (n035), (n036), (n037), (n038), (n039), (n040), (n041),
    (n042), (n043), (n044), (n045), (n046), (n047), (n048), (n049), (n050), (n051), (n052), (n053), (n054), (n055),
    (n056), (n057), (n058), (n059), (n060), (n061), (n062), (n063), (n064), (n065), (n066), (n067), (n068), (n069),
    (n070), (n071), (n072), (n073), (n074), (n075), (n076), (n077), (n078), (n079), (n080), (n081), (n082), (n083),
    (n084), (n085), (n086), (n087), (n088), (n089), (n090), (n091), (n092), (n093), (n094), (n095), (n096), (n097),
    (n098), (n099), (n100), (n101), (n102), (n103), (n104), (n105), (n106), (n107), (n108), (n109), (n110), (n111),
    (n112), (n113), (n114), (n115), (n116), (n117), (n118), (n119), (n120), (n121), (n122), (n123), (n124), (n125),
    (n126), (n127), (n128), (n129), (n130), (n131), (n132), (n133), (n134), (n135), (n136), (n137), (n138), (n139),
    (n140), (n141), (n142), (n143), (n144), (n145), (n146), (n147), (n148), (n149), (n150), (n151), (n152), (n153),
    (n154), (n155), (n156), (n157), (n158), (n159), (n160), (n161), (n162), (n163), (n164), (n165), (n166), (n167),
    (n168), (n169), (n170), (n171), (n172), (n173), (n174), (n175), (n176), (n177), (n178), (n179), (n180), (n181),
    (n182), (n183), (n184), (n185), (n186), (n187), (n188), (n189), (n190), (n191), (n192), (n193), (n194), (n195),
    (n196), (n197), (n198), (n199), (n200), (n201), (n202), (n203), (n204), (n205), (n206), (n207), (n208), (n209),
    (n210), (n211), (n212), (n213), (n214), (n215), (n216), (n217), (n218), (n219), (n220), (n221), (n222), (n223),
    (n224), (n225), (n226), (n227), (n228), (n229), (n230), (n231), (n232), (n233), (n234), (n235), (n236), (n237),
    (n238), (n239), (n240), (n241), (n242), (n243), (n244), (n245), (n246), (n247), (n248), (n249), (n250), (n251),
    (n252), (n253), (n254), (n255), (n256), (n257), (n258), (n259), (n260), (n261), (n262), (n263), (n264), (n265),
    (n266), (n267), (n268), (n269), (n270), (n271), (n272), (n273), (n274), (n275), (n276), (n277), (n278), (n279),
    (n280), (n281), (n282), (n283), (n284), (n285), (n286), (n287), (n288), (n289), (n290), (n291), (n292), (n293),
    (n294), (n295), (n296), (n297), (n298), (n299), (n300), (n301), (n302), (n303), (n304), (n305), (n306), (n307),
    (n308), (n309), (n310), (n311), (n312), (n313), (n314), (n315), (n316), (n317), (n318), (n319), (n320), (n321),
    (n322), (n323), (n324), (n325), (n326), (n327), (n328), (n329), (n330), (n331), (n332), (n333), (n334), (n335),
    (n336), (n337), (n338), (n339), (n340))
// clang-format on

struct outer {
    enum class inner { a, b };
    BOOST_DESCRIBE_NESTED_ENUM(inner, a, b)
};

} // namespace app_enum

BOOST_AUTO_TEST_CASE(described_enumeration_has_names_without_further_declarations)
{
    static_assert(enum_names<app_enum::unit>.size() == 2);
    static_assert(enum_names<app_enum::unit>[1].value == app_enum::unit::fahrenheit);
    static_assert(name_of(app_enum::unit::fahrenheit) == "fahrenheit");
    static_assert(name_of(app_enum::outer::inner::b) == "b");
}

BOOST_AUTO_TEST_CASE(json_names_of_enumerators_can_differ)
{
    static_assert(name_of(app_enum::language::en) == "en");
    static_assert(name_of(app_enum::language::zh_hans) == "zh-hans");
    static_assert(name_of(app_enum::language::quoted) == "a\"b");
    static_assert(name_of(app_enum::both::x) == "ex");
    static_assert(name_of(app_enum::old_b) == "b");
    static_assert(name_of(app_enum::by_hand::two) == "2");
}

BOOST_AUTO_TEST_CASE(enumerator_name_can_be_empty)
{
    BOOST_TEST((name_of(app_enum::language::none).data() != nullptr));
    BOOST_TEST(name_of(app_enum::language::none).empty());
}

BOOST_AUTO_TEST_CASE(undescribed_value_has_no_name)
{
    BOOST_TEST((name_of(static_cast<app_enum::unit>(2)).data() == nullptr));
    BOOST_TEST((name_of(app_enum::by_hand::one).data() == nullptr));
}

BOOST_AUTO_TEST_CASE(enumeration_can_have_341_values)
{
    static_assert(enum_names<app_enum::many>.size() == 341);
    static_assert(name_of(app_enum::many::n340) == "n340");
    for (std::size_t i = 0; i != 341; ++i) {
        auto const digits = std::to_string(i);
        BOOST_TEST(enum_names<app_enum::many>[i].name == "n" + std::string(3 - digits.size(), '0') + digits);
        BOOST_TEST(static_cast<std::size_t>(enum_names<app_enum::many>[i].value) == i);
    }
}

BOOST_AUTO_TEST_SUITE_END()
