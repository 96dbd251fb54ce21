#ifndef LINKSPAN_IMPL_COMPILE_SCHEMA_IPP
#define LINKSPAN_IMPL_COMPILE_SCHEMA_IPP

#include <linkspan/detail/json_pointer.hpp>
#include <linkspan/schema/compile_schema.hpp>
#include <linkspan/schema/json_number.hpp>
#include <linkspan/schema/keywords.hpp>
#include <linkspan/schema/uri_reference.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_map>

namespace linkspan::detail {

// How the keywords of a resource are read.
struct dialect_rules {
    schema_dialect dialect = schema_dialect::draft_2020_12;
    std::uint8_t in_use = vocabularies::all;
};

// Walks through schemas from a list of what is left to do, so that its stack does not depend on them. References wait
// until all names are known; one may lead to what no walk came by, or into a document that was not read yet.
class schema_compiler {
public:
    schema_compiler(schema_options const& options, std::vector<schema_problem>& problems)
        : options_(options), problems_(problems)
    {}

    void compile(boost::json::value const& schema)
    {
        add_document(schema, {});
        for (;;) {
            if (!work_.empty()) {
                auto const next = work_.back();
                work_.pop_back();
                compile_node(next);
            } else if (!references_.empty()) {
                auto const next = std::move(references_.back());
                references_.pop_back();
                if (!resolve(next))
                    open_.push_back(next);
            } else if (!open_.empty() && out_.nodes.size() != nodes_before_ && rounds_left_ != 0) {
                --rounds_left_;
                nodes_before_ = out_.nodes.size();
                references_.swap(open_);
            } else {
                break;
            }
        }
        for (auto const& lost : open_)
            refuse(lost.node, out_.logic[lost.logic].references[lost.position].keyword,
                   "refers to '" + lost.uri + "', which is no schema here; nothing is fetched");
        resolve_dynamic();
    }

    // Null when something was refused.
    std::shared_ptr<compiled_schema const> take()
    {
        return failed_ ? nullptr : std::make_shared<compiled_schema const>(std::move(out_));
    }

private:
    using value = boost::json::value;
    using members = std::array<value const*, keyword_count>;

    struct resource {
        std::string base;
        value const* root;
        dialect_rules rules;
    };

    struct work {
        value const* schema;
        schema_index node;
        std::size_t depth;
    };

    struct reference {
        schema_index node, logic;
        std::size_t position; // among the references of the node
        std::string uri;
    };

    struct dynamic_reference {
        schema_index logic;
        std::size_t position;
        std::string name;
    };

    // The node whose keywords are read now.
    struct reading {
        value const* schema;
        schema_index node;
        std::size_t depth;
        members at;

        value const* operator[](keyword k) const noexcept { return at[static_cast<std::size_t>(k)]; }
    };

    // ---- problems

    void report(schema_problem::severity how, schema_index node, std::string_view keyword, std::string message)
    {
        constexpr std::size_t most = 100;
        if (how == schema_problem::severity::error)
            failed_ = true;
        if (problems_.size() < most)
            problems_.push_back({how, locate_schema(out_.nodes, node, keyword), std::move(message)});
    }

    void refuse(schema_index node, std::string_view keyword, std::string message)
    {
        report(schema_problem::severity::error, node, keyword, std::move(message));
    }

    // ---- nodes and resources

    schema_index add_resource(std::string base, value const& root, dialect_rules rules)
    {
        auto const index = static_cast<schema_index>(resources_.size());
        by_uri_.emplace(base, index);
        resources_.push_back({std::move(base), &root, rules});
        return index;
    }

    schema_index add_node(value const& schema, schema_index in, schema_node node, std::size_t depth)
    {
        auto const index = static_cast<schema_index>(out_.nodes.size());
        node.resource = in;
        out_.nodes.push_back(std::move(node));
        by_value_.emplace(&schema, index);
        work_.push_back({&schema, index, depth});
        return index;
    }

    schema_index add_child(reading const& from, value const& schema, keyword k,
                           std::optional<std::string> token = std::nullopt)
    {
        schema_node node;
        node.up = from.node;
        node.keyword = name_of(k);
        node.has_token = token.has_value();
        node.token = std::move(token).value_or("");
        return add_node(schema, out_.nodes[from.node].resource, std::move(node), from.depth + 1);
    }

    schema_index add_optional(reading const& from, keyword k)
    {
        return from[k] ? add_child(from, *from[k], k) : no_schema;
    }

    std::vector<schema_index> add_list(reading const& from, keyword k)
    {
        std::vector<schema_index> out;
        auto const* const list = from[k] ? from[k]->if_array() : nullptr;
        if (from[k] && (!list || list->empty()))
            refuse(from.node, name_of(k), "must be an array of schemas that is not empty");
        else if (list)
            for (auto const& each : *list)
                out.push_back(add_child(from, each, k, std::to_string(out.size())));
        return out;
    }

    // `visit(name, value)` for each member of an object.
    template<class Visit>
    void for_members(reading const& from, keyword k, Visit visit)
    {
        if (!from[k])
            return;
        if (auto const* const object = from[k]->if_object())
            for (auto const& [name, each] : *object)
                visit(std::string_view(name), each);
        else
            refuse(from.node, name_of(k), "must be an object");
    }

    schema_index add_document(value const& schema, std::string uri)
    {
        auto const in = add_resource(uri, schema, {options_.dialect});
        schema_node node;
        node.token = uri.empty() ? uri : uri + '#';
        return add_node(schema, in, std::move(node), 0);
    }

    // ---- dialects

    // Of a `$schema`; nothing for one that is not known, after it was refused.
    std::optional<dialect_rules> find_dialect(schema_index node, std::string_view uri)
    {
        auto name = uri;
        if (name.ends_with('#'))
            name.remove_suffix(1);
        auto path = name;
        for (std::string_view const scheme : {"https://", "http://"})
            if (path.starts_with(scheme))
                path.remove_prefix(scheme.size());
        if (path == "json-schema.org/draft/2020-12/schema")
            return dialect_rules{schema_dialect::draft_2020_12};
        if (path == "json-schema.org/draft-07/schema")
            return dialect_rules{schema_dialect::draft_7};
        auto const* const meta = find_document(name);
        auto const* const used = meta && meta->is_object() ? meta->get_object().if_contains("$vocabulary") : nullptr;
        if (used && used->is_object())
            return read_vocabularies(node, used->get_object());
        refuse(node, "$schema", "the dialect '" + std::string(uri) + "' is not supported");
        return std::nullopt;
    }

    std::optional<dialect_rules> read_vocabularies(schema_index node, boost::json::object const& used)
    {
        constexpr std::string_view prefix = "https://json-schema.org/draft/2020-12/vocab/";
        dialect_rules rules{schema_dialect::draft_2020_12, vocabularies::core};
        for (auto const& [uri, is_required] : used) {
            std::string_view name = uri;
            name.remove_prefix(name.starts_with(prefix) ? prefix.size() : 0);
            if (name == "applicator")
                rules.in_use |= vocabularies::applicator;
            else if (name == "unevaluated")
                rules.in_use |= vocabularies::unevaluated;
            else if (name == "validation")
                rules.in_use |= vocabularies::validation;
            else if (name != "core" && name != "meta-data" && name != "format-annotation" && name != "content" &&
                     is_required == true) {
                refuse(node, "$schema", "the vocabulary '" + std::string(uri) + "' is not supported");
                return std::nullopt;
            }
        }
        return rules;
    }

    // ---- one schema

    void compile_node(work const& next)
    {
        if (next.schema->is_bool()) {
            out_.nodes[next.node].is_never = !next.schema->get_bool();
            return;
        }
        if (!next.schema->is_object())
            return refuse(next.node, {}, "a schema must be an object or a boolean");
        if (next.depth > options_.max_depth)
            return refuse(next.node, {}, "schemas are nested too deeply");
        auto const& object = next.schema->get_object();
        enter_resource(next, object);
        reading from{next.schema, next.node, next.depth, {}};
        auto const& rules = resources_[out_.nodes[next.node].resource].rules;
        bool const is_draft_7 = rules.dialect == schema_dialect::draft_7;
        bool const is_reference = is_draft_7 && object.contains("$ref");
        for (auto const& [name, each] : object)
            if (auto const k = find_keyword(name); k && (row_of(*k).vocabulary & rules.in_use) &&
                                                   (is_draft_7 ? row_of(*k).draft_7 : row_of(*k).draft_2020_12) &&
                                                   (!is_reference || *k == keyword::ref || *k == keyword::definitions))
                from.at[static_cast<std::size_t>(*k)] = &each;
        for (auto const k : {keyword::defs, keyword::definitions})
            for_members(from, k, [&](std::string_view name, value const& each) {
                if (k == keyword::defs || each.is_object() || each.is_bool())
                    add_child(from, each, k, std::string(name));
            });
        read_anchors(from);
        read_kinds(from);
        read_values(from);
        read_number(from);
        read_string(from);
        read_array(from);
        read_object(from);
        read_logic(from);
        read_unevaluated(from);
    }

    // `$schema` and `$id`.
    void enter_resource(work const& next, boost::json::object const& object)
    {
        auto& node = out_.nodes[next.node];
        auto const in = node.resource;
        auto rules = resources_[in].rules;
        auto const* id = object.if_contains("$id");
        if (id && !id->is_string())
            return refuse(next.node, "$id", "must be a string");
        bool const is_root = resources_[in].root == next.schema;
        if (auto const* const schema = object.if_contains("$schema"); schema && (id || is_root)) {
            if (!schema->is_string())
                return refuse(next.node, "$schema", "must be a string");
            auto const found = find_dialect(next.node, schema->get_string());
            if (!found)
                return;
            rules = *found;
        }
        if (is_root)
            resources_[in].rules = rules;
        bool const is_draft_7 = rules.dialect == schema_dialect::draft_7;
        if (!id || (is_draft_7 && object.contains("$ref")))
            return;
        auto uri = resolve_uri(resources_[in].base, id->get_string());
        auto const hash = std::min(uri.find('#'), uri.size());
        if (hash + 1 < uri.size() && !is_draft_7)
            return refuse(next.node, "$id", "must not have a fragment");
        if (hash + 1 < uri.size())
            anchors_.emplace(uri, next.node);
        uri.resize(hash);
        if (std::string_view(id->get_string()).starts_with('#') && is_draft_7)
            return;
        if (is_root) {
            by_uri_.emplace(uri, in);
            resources_[in].base = std::move(uri);
        } else {
            node.resource = add_resource(std::move(uri), *next.schema, rules);
        }
    }

    void read_anchors(reading const& from)
    {
        auto const in = out_.nodes[from.node].resource;
        for (auto const k : {keyword::anchor, keyword::dynamic_anchor}) {
            if (!from[k])
                continue;
            if (!from[k]->is_string()) {
                refuse(from.node, name_of(k), "must be a string");
                continue;
            }
            std::string const name(from[k]->get_string());
            anchors_.emplace(resources_[in].base + '#' + name, from.node);
            if (k == keyword::dynamic_anchor)
                dynamic_anchors_[name].emplace_back(in, from.node);
        }
    }

    void read_kinds(reading const& from)
    {
        auto const* const type = from[keyword::type];
        if (!type)
            return;
        std::uint8_t kinds = 0;
        auto const add = [&](value const& name) {
            constexpr std::pair<std::string_view, std::uint8_t> names[] = {
                {"null", value_kinds::null},       {"boolean", value_kinds::boolean},
                {"integer", value_kinds::integer}, {"number", value_kinds::integer | value_kinds::number},
                {"string", value_kinds::string},   {"array", value_kinds::array},
                {"object", value_kinds::object},
            };
            for (auto const& [known, bits] : names)
                if (name.is_string() && std::string_view(name.get_string()) == known) {
                    kinds |= bits;
                    return;
                }
            refuse(from.node, name_of(keyword::type), "must be the name of a type, or an array of them");
        };
        if (auto const* const list = type->if_array(); list && !list->empty())
            std::ranges::for_each(*list, add);
        else
            add(*type);
        out_.nodes[from.node].kinds = kinds;
    }

    void read_values(reading const& from)
    {
        auto const add = [&](keyword k, auto const& values) {
            value_rules rules{name_of(k), {}, {}};
            for (value const& each : values)
                if (auto const* const string = each.if_string())
                    rules.strings.emplace_back(*string);
                else
                    rules.others.push_back(each);
            std::ranges::sort(rules.strings);
            out_.values.push_back(std::move(rules));
            return static_cast<schema_index>(out_.values.size() - 1);
        };
        if (auto const* const list = from[keyword::enum_]; list && !list->is_array())
            refuse(from.node, name_of(keyword::enum_), "must be an array");
        else if (list)
            out_.nodes[from.node].enumerated = add(keyword::enum_, list->get_array());
        if (auto const* const constant = from[keyword::const_])
            out_.nodes[from.node].constant = add(keyword::const_, std::initializer_list<value>{*constant});
    }

    // Adds a part to the node if `read` says that there is something in it.
    template<class Rules, class Read>
    void add_part(schema_index node, std::vector<Rules>& parts, schema_index schema_node::*part, Read read)
    {
        Rules rules;
        if (!read(rules))
            return;
        out_.nodes[node].*part = static_cast<schema_index>(parts.size());
        parts.push_back(std::move(rules));
    }

    bool read_bound(reading const& from, keyword k, std::optional<value>& out)
    {
        if (!from[k])
            return false;
        if (from[k]->is_number())
            out = *from[k];
        else
            refuse(from.node, name_of(k), "must be a number");
        return true;
    }

    void read_number(reading const& from)
    {
        add_part(from.node, out_.numbers, &schema_node::number, [&](number_rules& rules) {
            bool some = read_bound(from, keyword::minimum, rules.minimum);
            some |= read_bound(from, keyword::maximum, rules.maximum);
            some |= read_bound(from, keyword::exclusive_minimum, rules.above);
            some |= read_bound(from, keyword::exclusive_maximum, rules.below);
            some |= read_bound(from, keyword::multiple_of, rules.multiple_of);
            if (rules.multiple_of && compare_numbers(*rules.multiple_of, value(0)) <= 0) {
                refuse(from.node, name_of(keyword::multiple_of), "must be greater than 0");
                rules.multiple_of.reset();
            }
            return some;
        });
    }

    bool read_size(reading const& from, keyword k, std::size_t& out)
    {
        if (!from[k])
            return false;
        if (auto const count = read_count(*from[k]))
            out = *count;
        else
            refuse(from.node, name_of(k), "must be an integer that is not negative");
        return true;
    }

    void read_string(reading const& from)
    {
        add_part(from.node, out_.strings, &schema_node::string, [&](string_rules& rules) {
            bool some = read_size(from, keyword::min_length, rules.length.min);
            some |= read_size(from, keyword::max_length, rules.length.max);
            if (auto const* const pattern = from[keyword::pattern]; pattern && !pattern->is_string())
                refuse(from.node, name_of(keyword::pattern), "must be a string");
            else if (pattern)
                rules.pattern = add_pattern(from, keyword::pattern, pattern->get_string());
            return some || rules.pattern != no_schema;
        });
    }

    // Nothing for one that cannot be matched.
    schema_index add_pattern(reading const& from, keyword k, std::string_view text)
    {
        if (auto const known = by_pattern_.find(std::string(text)); known != by_pattern_.end())
            return known->second;
        schema_pattern pattern(text);
        auto const is_too_much = pattern.size() > pattern_size_left_;
        if (pattern.why() != schema_pattern::fault::none || is_too_much) {
            auto const reason = is_too_much ? "the patterns are too large together" : pattern.reason();
            bool const is_wrong = pattern.why() == schema_pattern::fault::malformed;
            report(is_wrong || options_.refuses_unsupported_patterns ? schema_problem::severity::error
                                                                     : schema_problem::severity::warning,
                   from.node, name_of(k),
                   (is_wrong ? "a pattern cannot be read: " : "a pattern is not checked: ") + std::string(reason));
            return no_schema;
        }
        pattern_size_left_ -= pattern.size();
        auto const index = static_cast<schema_index>(out_.patterns.size());
        out_.patterns.push_back(std::move(pattern));
        by_pattern_.emplace(text, index);
        return index;
    }

    void read_array(reading const& from)
    {
        add_part(from.node, out_.arrays, &schema_node::array, [&](array_rules& rules) {
            bool some = read_size(from, keyword::min_items, rules.size.min);
            some |= read_size(from, keyword::max_items, rules.size.max);
            if (auto const* const unique = from[keyword::unique_items]; unique && !unique->is_bool())
                refuse(from.node, name_of(keyword::unique_items), "must be a boolean");
            else if (unique)
                rules.is_unique = unique->get_bool();
            read_items(from, rules);
            rules.contains = add_optional(from, keyword::contains);
            read_size(from, keyword::min_contains, rules.contained.min);
            read_size(from, keyword::max_contains, rules.contained.max);
            return some || rules.is_unique || !rules.first.empty() || rules.rest != no_schema ||
                   rules.contains != no_schema;
        });
    }

    // Draft 7 says with an array of `items` what later is `prefixItems`, and `items` then is `additionalItems`.
    void read_items(reading const& from, array_rules& rules)
    {
        auto const* const items = from[keyword::items];
        bool const is_draft_7 = resources_[out_.nodes[from.node].resource].rules.dialect == schema_dialect::draft_7;
        if (is_draft_7 && items && items->is_array()) {
            if (!items->get_array().empty())
                rules.first = add_list(from, keyword::items);
            rules.rest = add_optional(from, keyword::additional_items);
            return;
        }
        rules.first = add_list(from, keyword::prefix_items);
        rules.rest = add_optional(from, keyword::items);
    }

    std::vector<std::string> read_names(reading const& from, keyword k, value const& list)
    {
        std::vector<std::string> names;
        bool is_list = list.is_array();
        for (auto const& each : is_list ? list.get_array() : boost::json::array()) {
            is_list &= each.is_string();
            if (is_list)
                names.emplace_back(each.get_string());
        }
        if (!is_list)
            refuse(from.node, name_of(k), "must be an array of strings");
        return names;
    }

    void read_object(reading const& from)
    {
        add_part(from.node, out_.objects, &schema_node::object, [&](object_rules& rules) {
            bool some = read_size(from, keyword::min_properties, rules.size.min);
            some |= read_size(from, keyword::max_properties, rules.size.max);
            read_properties(from, rules);
            for_members(from, keyword::pattern_properties, [&](std::string_view text, value const& each) {
                auto const schema = add_child(from, each, keyword::pattern_properties, std::string(text));
                auto const pattern = add_pattern(from, keyword::pattern_properties, text);
                // The schema of one that is not known applies to nothing, and then nothing is known to be additional.
                rules.patterns.emplace_back(pattern, schema);
            });
            rules.additional = add_optional(from, keyword::additional_properties);
            rules.names = add_optional(from, keyword::property_names);
            read_dependencies(from, rules);
            return some || !rules.properties.empty() || !rules.patterns.empty() || rules.additional != no_schema ||
                   rules.names != no_schema || !rules.dependencies.empty();
        });
    }

    void read_properties(reading const& from, object_rules& rules)
    {
        for_members(from, keyword::properties, [&](std::string_view name, value const& each) {
            rules.properties.push_back(
                {std::string(name), add_child(from, each, keyword::properties, std::string(name))});
        });
        if (from[keyword::required])
            for (auto& name : read_names(from, keyword::required, *from[keyword::required]))
                rules.properties.push_back({std::move(name), no_schema, true});
        auto const order = [](property_rule const& a, property_rule const& b) {
            return property_order(a.name, b.name) < 0;
        };
        std::ranges::sort(rules.properties, order);
        std::vector<property_rule> merged;
        for (auto& next : rules.properties) {
            if (merged.empty() || merged.back().name != next.name) {
                merged.push_back(std::move(next));
                continue;
            }
            merged.back().schema = std::min(merged.back().schema, next.schema);
            merged.back().is_required |= next.is_required;
        }
        rules.properties = std::move(merged);
        rules.required =
            static_cast<std::size_t>(std::ranges::count(rules.properties, true, &property_rule::is_required));
    }

    void read_dependencies(reading const& from, object_rules& rules)
    {
        for (auto const k : {keyword::dependent_required, keyword::dependent_schemas, keyword::dependencies})
            for_members(from, k, [&](std::string_view name, value const& each) {
                dependency_rule rule{std::string(name), name_of(k), {}, no_schema};
                if (k == keyword::dependent_required || (k == keyword::dependencies && each.is_array()))
                    rule.required = read_names(from, k, each);
                else
                    rule.schema = add_child(from, each, k, std::string(name));
                rules.dependencies.push_back(std::move(rule));
            });
    }

    void read_logic(reading const& from)
    {
        add_part(from.node, out_.logic, &schema_node::logic, [&](logic_rules& rules) {
            for (auto const k : {keyword::ref, keyword::dynamic_ref})
                if (from[k])
                    add_reference(from, k, rules);
            rules.all = add_list(from, keyword::all_of);
            rules.any = add_list(from, keyword::any_of);
            rules.one = add_list(from, keyword::one_of);
            rules.no = add_optional(from, keyword::not_);
            rules.condition = add_optional(from, keyword::if_);
            rules.then = add_optional(from, keyword::then_);
            rules.otherwise = add_optional(from, keyword::else_);
            return !rules.references.empty() || !rules.all.empty() || !rules.any.empty() || !rules.one.empty() ||
                   rules.no != no_schema || rules.condition != no_schema;
        });
    }

    void add_reference(reading const& from, keyword k, logic_rules& rules)
    {
        if (!from[k]->is_string())
            return refuse(from.node, name_of(k), "must be a string");
        auto const& base = resources_[out_.nodes[from.node].resource].base;
        references_.push_back({from.node, static_cast<schema_index>(out_.logic.size()), rules.references.size(),
                               resolve_uri(base, from[k]->get_string())});
        rules.references.push_back({name_of(k)});
    }

    void read_unevaluated(reading const& from)
    {
        add_part(from.node, out_.unevaluated, &schema_node::unevaluated,
                 [&](compiled_schema::unevaluated_rules& rules) {
                     rules.items = add_optional(from, keyword::unevaluated_items);
                     rules.properties = add_optional(from, keyword::unevaluated_properties);
                     return rules.items != no_schema || rules.properties != no_schema;
                 });
    }

    // ---- references

    value const* find_document(std::string_view uri) const
    {
        auto found = options_.documents.find(uri);
        if (found == options_.documents.end())
            found = options_.documents.find(std::string(uri) + '#');
        return found == options_.documents.end() ? nullptr : &found->second;
    }

    // False when it leads nowhere, so far. A document that has to be read first goes on the list of work, and the
    // reference back on its own.
    bool resolve(reference const& from)
    {
        auto const hash = std::min(from.uri.find('#'), from.uri.size());
        auto const base = from.uri.substr(0, hash);
        auto const fragment = decode_percent(std::string_view(from.uri).substr(std::min(hash + 1, from.uri.size())));
        auto& rule = out_.logic[from.logic].references[from.position];
        auto const found = by_uri_.find(base);
        if (found == by_uri_.end()) {
            auto const* const document = find_document(base);
            if (!document)
                return false;
            add_document(*document, base);
            references_.push_back(from);
            return true;
        }
        auto const& in = resources_[found->second];
        if (fragment.empty()) {
            rule.schema = by_value_.at(in.root);
        } else if (fragment.starts_with('/')) {
            rule.schema = follow(found->second, fragment);
        } else if (auto const named = anchors_.find(in.base + '#' + fragment); named != anchors_.end()) {
            rule.schema = named->second;
            if (rule.keyword == name_of(keyword::dynamic_ref))
                dynamic_references_.push_back({from.logic, from.position, fragment});
        }
        return rule.schema != no_schema;
    }

    // A pointer, from the root of a resource.
    schema_index follow(schema_index in, std::string_view pointer)
    {
        auto const whole = pointer;
        auto const* at = resources_[in].root;
        auto around = by_value_.at(at);
        while (!pointer.empty()) {
            pointer.remove_prefix(1);
            auto const end = std::min(pointer.find('/'), pointer.size());
            at = step(*at, pointer.substr(0, end));
            if (!at)
                return no_schema;
            pointer.remove_prefix(end);
            if (auto const known = by_value_.find(at); known != by_value_.end())
                around = known->second;
        }
        if (auto const known = by_value_.find(at); known != by_value_.end())
            return known->second;
        if (!at->is_object() && !at->is_bool())
            return no_schema;
        schema_node node;
        node.up = by_value_.at(resources_[in].root);
        node.token = whole;
        return add_node(*at, out_.nodes[around].resource, std::move(node), 0);
    }

    static value const* step(value const& from, std::string_view token)
    {
        if (auto const* const object = from.if_object()) {
            std::string key;
            for (std::size_t i = 0; i != token.size(); ++i)
                key += token[i] != '~' || i + 1 == token.size() ? token[i] : token[++i] == '1' ? '/' : '~';
            return object->if_contains(key);
        }
        auto const* const array = from.if_array();
        std::size_t index = 0;
        auto const* const end = token.data() + token.size();
        auto const [stop, failure] = std::from_chars(token.data(), end, index);
        bool const is_index = array && failure == std::errc() && stop == end && index < array->size();
        return is_index ? &(*array)[index] : nullptr;
    }

    // Only one that leads to a dynamic anchor of its name is dynamic.
    void resolve_dynamic()
    {
        for (auto const& [logic, position, name] : dynamic_references_) {
            auto& rule = out_.logic[logic].references[position];
            auto const& anchors = dynamic_anchors_[name];
            if (std::ranges::find(anchors, rule.schema, &std::pair<schema_index, schema_index>::second) ==
                anchors.end())
                continue;
            rule.overrides = anchors;
            out_.is_dynamic = true;
        }
    }

    schema_options const& options_;
    std::vector<schema_problem>& problems_;
    compiled_schema out_;
    bool failed_ = false;
    std::size_t pattern_size_left_ = std::size_t{1} << 18; // some megabytes of memory
    std::vector<resource> resources_;
    std::vector<work> work_;
    std::vector<reference> references_;
    std::vector<reference> open_;  // led nowhere when there were
    std::size_t nodes_before_ = 0; // so many nodes
    unsigned rounds_left_ = 32;    // through all of them, as each may find the way of but one
    std::vector<dynamic_reference> dynamic_references_;
    std::unordered_map<std::string, schema_index> by_uri_;  // resources
    std::unordered_map<std::string, schema_index> anchors_; // nodes, by URI with fragment
    std::unordered_map<value const*, schema_index> by_value_;
    std::unordered_map<std::string, schema_index> by_pattern_;
    std::unordered_map<std::string, std::vector<std::pair<schema_index, schema_index>>> dynamic_anchors_;
};

LINKSPAN_DECL std::shared_ptr<compiled_schema const>
compile_schema(boost::json::value const& schema, schema_options const& options, std::vector<schema_problem>& problems)
{
    schema_compiler compiler(options, problems);
    compiler.compile(schema);
    return compiler.take();
}

LINKSPAN_DECL std::string locate_schema(std::vector<schema_node> const& nodes, schema_index at,
                                        std::string_view keyword)
{
    std::vector<schema_node const*> path;
    auto const* node = &nodes[at];
    for (; node->up != no_schema; node = &nodes[node->up])
        path.push_back(node);
    auto out = node->token;
    for (; !path.empty(); path.pop_back()) {
        if (path.back()->keyword.empty()) {
            out.append(path.back()->token);
            continue;
        }
        out.append("/").append(path.back()->keyword);
        if (path.back()->has_token)
            out.append("/").append(pointer_token(path.back()->token));
    }
    if (!keyword.empty())
        out.append("/").append(keyword);
    return out;
}

} // namespace linkspan::detail

#endif
