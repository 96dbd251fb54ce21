#ifndef LINKSPAN_CONNECTOR_IMPL_CATALOG_PUBLISHER_IPP
#define LINKSPAN_CONNECTOR_IMPL_CATALOG_PUBLISHER_IPP

#include <linkspan/connector/detail/catalog_publisher.hpp>

#include <utility>

namespace linkspan::inline LINKSPAN_ABI::detail {

LINKSPAN_DECL std::shared_ptr<catalog const> catalog_publisher::copy() const
{
    std::lock_guard const lock(mutex_);
    return shared_catalog_;
}

LINKSPAN_DECL catalog::match const& catalog_publisher::find(std::string_view name)
{
    if (!last_match_ || last_name_ != name) {
        last_match_.reset(); // in case the copy of the name throws
        last_name_ = name;
        last_match_ = catalog_->find(name);
    }
    return *last_match_;
}

LINKSPAN_DECL void catalog_publisher::publish(std::vector<catalog_entry> entries, std::size_t servers,
                                              bool is_only_server)
{
    catalog_ = std::make_shared<catalog const>(std::move(entries), is_only_server);
    last_match_.reset();
    unpublished_changes_ = 0;
    servers_in_catalog_ = servers;
    std::lock_guard const lock(mutex_);
    shared_catalog_ = catalog_;
}

} // namespace linkspan::detail

#endif
