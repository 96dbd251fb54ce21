// Data members in each form of a declaration: 26 in `too_large`, 25 in `large`, and 27 in `too_deep`.
struct too_large {
    too_large() : m1(0), m2{1} {}
    explicit too_large(int value = {}) : m1{value}, m2{value}
    {
        int const local = value;
        m3 = local;
    }

    struct inner {
        int own1, own2; // of the inner struct
    };
    enum class kind { first, second };
    using type = int;
    friend struct other;
    static int const counter = 0;
    static constexpr char text[] = "{ int in_text; ";
    template<class T, class U>
    void function(T first, U second = {}) const;
    bool operator==(too_large const&) const = default;
    bool operator<(too_large const& right) const { return m1 < right.m1; }

    int m1, m2;
    int m3 = 1, m4 = 2;
    std::map<std::string, std::vector<int>> m5; // int in_comment;
    std::function<void(int, int)> m6 = [](int, int) { int in_function; };
    std::function<void()>
        m7;
    char m8[16] = {'{', ';', '"'};
    std::size_t m9{1}, m10{2};
    std::size_t m11 = std::size_t{1} << 10;
    void (*m12)(int, int) = nullptr;
    [[no_unique_address]] int m13;
    alignas(64) int m14;
    unsigned m15 : 1, m16 : 1;
    int m17 = function(1, 2), m18 = 1 < 2;
    kind m19 = kind::first;
    inner m20{}, m21;
    std::string m22 = R"({"a":")";
    int const& m23 = m1;
    mutable int m24;
    decltype(m1) m25;

private:
    int m26_;
};

namespace {

template<class T>
class large final : public std::vector<T> {
public:
    void function() { struct too_large {} value; }

private:
    class too_deep {
        int m1, m2, m3, m4, m5, m6, m7, m8, m9, m10, m11, m12, m13, m14, m15, m16, m17, m18, m19, m20, m21, m22, m23,
            m24, m25, m26, m27;
    };

    int m1_, m2_, m3_, m4_, m5_, m6_, m7_, m8_, m9_, m10_, m11_, m12_, m13_, m14_, m15_, m16_, m17_, m18_, m19_, m20_,
        m21_, m22_, m23_, m24_, m25_;
    void last(int, int);
};

} // namespace
