#ifndef LINKSPAN_TEST_SUPPORT_PROMPT_TEXT_HPP
#define LINKSPAN_TEST_SUPPORT_PROMPT_TEXT_HPP

#include <linkspan/model/content.hpp>
#include <linkspan/model/prompt.hpp>

#include <string>
#include <variant>

namespace linkspan::inline LINKSPAN_ABI::test {

// Returns the text of the first message of a prompt.
inline std::string text_of(prompt_result const& prompt)
{
    return std::get<text_content>(prompt.messages.at(0).content).text;
}

} // namespace linkspan::test

#endif
