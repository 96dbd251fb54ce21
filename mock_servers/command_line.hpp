#ifndef LINKSPAN_MOCK_SERVERS_COMMAND_LINE_HPP
#define LINKSPAN_MOCK_SERVERS_COMMAND_LINE_HPP

#include <charconv>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

namespace mock_servers {

/// Reads a number from `min` to `max`. `source`: what has the text, for the message, such as "option '--seed'".
///
/// \throws std::invalid_argument The text is not such a number.
template<class Number>
Number number_of(std::string const& digits, std::string const& source, Number min = 0,
                 Number max = std::numeric_limits<Number>::max())
{
    Number out = 0;
    auto const* const end = digits.data() + digits.size();
    auto const read = std::from_chars(digits.data(), end, out);
    if (read.ec != std::errc() || read.ptr != end || out < min || out > max)
        throw std::invalid_argument(source + ": expected a number from " + std::to_string(min) + " to " +
                                    std::to_string(max) + ", found '" + digits + "'");
    return out;
}

/// The words of a command line, which are read one after the other.
///
///     for (option_reader words(argc, argv); words.next();)
///         if (words.option() == "--seed")
///             seed = words.number<std::uint64_t>();
class option_reader {
public:
    /// Reads the words after the name of the program.
    option_reader(int argc, char** argv) : words_(argv + 1, argv + argc) {}

    /// Reads the next option. Returns whether there is one.
    bool next()
    {
        if (at_ == words_.size())
            return false;
        option_ = words_[at_++];
        return true;
    }

    /// Returns the current option.
    std::string const& option() const noexcept { return option_; }

    /// Reads the value of the current option.
    ///
    /// \throws std::invalid_argument There is no further word.
    std::string const& value()
    {
        if (at_ == words_.size())
            throw std::invalid_argument("option '" + option_ + "': expected a value");
        return words_[at_++];
    }

    /// Reads the value of the current option as a number from `min` to `max`.
    ///
    /// \throws std::invalid_argument There is no further word, or it is not such a number.
    template<class Number>
    Number number(Number min = 0, Number max = std::numeric_limits<Number>::max())
    {
        auto const& digits = value();
        return number_of(digits, "option '" + option_ + "'", min, max);
    }

    /// Returns the exception for an option that the program does not have.
    std::invalid_argument unknown() const
    {
        auto const* const kind = option_.starts_with('-') ? "unknown option '" : "unexpected argument '";
        return std::invalid_argument(kind + option_ + "'");
    }

private:
    std::vector<std::string> words_; // set by the constructor
    std::size_t at_ = 0;             // of the next word
    std::string option_;             // set by next()
};

} // namespace mock_servers

#endif
