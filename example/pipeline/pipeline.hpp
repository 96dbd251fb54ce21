#ifndef LINKSPAN_EXAMPLE_PIPELINE_PIPELINE_HPP
#define LINKSPAN_EXAMPLE_PIPELINE_PIPELINE_HPP

#include <linkspan/connector.hpp>
#include <linkspan/describe.hpp>

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <string>
#include <vector>

#include "conversations.hpp"

namespace pipeline {

/// The outcome of a question, and the files that were written.
struct answer {
    std::string status{};                 ///< "success", or "error"
    std::string text{};                   ///< a sentence for the user, or the reason of the error
    std::string sql{};                    ///< statement of the rows
    std::size_t rows = 0;                 ///< number of rows in the CSV file
    std::string email{};                  ///< "sent", "not requested", or the reason of a failure
    std::vector<std::string> artifacts{}; ///< paths of the written files
    std::string failed_step{};            ///< step that failed: "question", "database" or "artifacts"; empty: none
    std::string conversation{};           ///< reason why the conversation was not stored; empty: it was stored
    long long conversation_id = 0;        ///< number of the stored conversation; 0: it was not stored
};
LINKSPAN_STRUCT(answer, status, text, sql, rows, email, artifacts, failed_step, conversation, conversation_id)

/// Options of the pipeline.
struct options {
    std::string artifacts = "artifacts"; ///< existing folder of the written files
    std::string recipient{};             ///< address that receives the report; empty: no message
};

/// Answers a question in the steps of the architecture: SQL, database tool, CSV, report, email tool, conversation, and
/// the answer with its artifacts. Each step writes a line to stderr.
///
/// \param servers A connector with the servers `db` and `email`, whose results have the classifier `find_status_error`.
/// Must outlive the operation.
/// \param store The store of the conversation. Must outlive the operation.
/// \par Cancellation
/// The operation is cancelled with its outstanding calls.
boost::asio::awaitable<answer> ask(linkspan::connector_base& servers, conversations& store, options with,
                                   std::string question);

} // namespace pipeline

#endif
