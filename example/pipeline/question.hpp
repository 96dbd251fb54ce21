#ifndef LINKSPAN_EXAMPLE_PIPELINE_QUESTION_HPP
#define LINKSPAN_EXAMPLE_PIPELINE_QUESTION_HPP

#include <stdexcept>
#include <string>

namespace pipeline {

/// A question that no rule translates. The text has examples of other questions.
class unknown_question : public std::runtime_error {
public:
    using runtime_error::runtime_error;
};

/// The SQL statements for a question about the table `sales`.
struct queries {
    std::string group; ///< name of the first column of `rows`
    std::string rows;  ///< two columns: a group and its `value`
    std::string total; ///< one row with the column `total`
};

/// Translates a question to SQL by rules: a group (city, product or day), a value (the sum of the amounts, or the
/// number of sales), "top N", and "in CITY". In place of these rules, a program would ask a language model.
///
/// \throws unknown_question
queries translate(std::string const& question);

} // namespace pipeline

#endif
