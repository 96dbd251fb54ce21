# Filter of Doxyfile: replaces lines of a header by empty lines if they declare nothing public, and documents members
# that have the same meaning in every class. The number of lines does not change.
#   - namespace detail
#   - class definitions with a qualified name: private nested classes and specializations of templates of Boost, with
#     their comments
#   - declarations of friend classes
# A member with a comment of its own keeps it.

BEGIN {
    same["= default;$"] = "Defaulted."
    same["= delete;$"] = "Deleted."
    same["^ *using executor_type = "] = "Type of the executor."
    same["^ *using role = "] = "Role of this class in a connector."
    same["^ *constexpr void apply[(]member_notes& to[)] const"] = "Adds the note to `to`."
}

function print_held() {
    for (line = 0; line < held; ++line)
        print lines[line]
    held = 0
}

# Prints empty lines instead of `lines`.
function drop_held() {
    for (line = 0; line < held; ++line)
        print ""
    held = 0
}

# The inline namespace is not part of the names.
{ sub(/^namespace linkspan::inline LINKSPAN_ABI/, "namespace linkspan") }

hiding {
    print ""
    if ($0 ~ hidden_until)
        hiding = 0
    next
}

/^namespace (linkspan::)?detail \{/ {
    drop_held()
    print ""
    hiding = $0 !~ /\}/
    hidden_until = "^} // namespace (linkspan::)?detail$"
    next
}

/^(struct|class) [a-z_:]+(<.*>)?::[^ ]/ {
    drop_held()
    print ""
    hiding = $0 !~ /;$/
    hidden_until = "^};"
    next
}

# Comments and template heads are held until the declaration is known.
/^(\/\/|template<|requires |    requires )/ {
    lines[held++] = $0
    next
}

/^ *friend [^(]*;/ {
    print_held()
    print ""
    next
}

{
    print_held()
    text = $0
    if (!documented)
        for (pattern in same)
            if (text ~ pattern) {
                text = text " ///< " same[pattern]
                break
            }
    documented = $0 ~ /^ *\/\/\//
    print text
}

END { print_held() }
