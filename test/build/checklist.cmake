# Checks that every test that doc/checklist.md names exists.
# Usage: cmake -D ROOT=<the project> -P checklist.cmake

cmake_minimum_required(VERSION 3.21)

set(path "doc/checklist.md")
set(min_cases 100)
include("${CMAKE_CURRENT_LIST_DIR}/test_references.cmake")

if(violations)
    message(FATAL_ERROR "${path} names ${violations} tests that do not exist")
endif()
