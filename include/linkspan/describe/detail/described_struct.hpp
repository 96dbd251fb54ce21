#ifndef LINKSPAN_DESCRIBE_DETAIL_DESCRIBED_STRUCT_HPP
#define LINKSPAN_DESCRIBE_DETAIL_DESCRIBED_STRUCT_HPP

#include <linkspan/core/detail/config.hpp>

#include <boost/describe/members.hpp>

#include <type_traits>

namespace linkspan::inline LINKSPAN_ABI::detail {

template<class T>
concept described_struct = std::is_class_v<T> && boost::describe::has_describe_members<T>::value;

} // namespace linkspan::detail

#endif
