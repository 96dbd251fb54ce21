# Sourced by test/run.sh and by test/build/test_names.sh.

# test_pattern NAME...: prints the regular expression of CTest for the tests with these names, and for the tests whose
# names begin with one of them and a separator.
test_pattern() {
    echo "^($(IFS='|' && echo "${*//./\\.}"))([._]|$)"
}

# require_tests FOLDER NAME...: fails if the configured build folder has no test for one of the names. The programs of
# the tests need not be built.
require_tests() {
    local folder=$1 name known status=0
    shift
    for name in "$@"; do
        known=$(ctest --test-dir "$folder" --show-only --tests-regex "$(test_pattern "$name")" \
            --fixture-exclude-any messages)
        if [[ $known == *"Total Tests: 0"* ]]; then
            echo "no test or group of tests is named '$name'; 'ctest --test-dir $folder --show-only' lists all" >&2
            status=2
        fi
    done
    return $status
}
