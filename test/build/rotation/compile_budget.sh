#!/usr/bin/env bash
# Compares the costs of compiling the units of an application with their bounds (test/bench/compile_budget.sh).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../../.."
source test/support/prerequisites.sh
install_missing "${build_packages[@]}"
bash test/bench/compile_budget.sh
