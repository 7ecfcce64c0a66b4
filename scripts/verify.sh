#!/usr/bin/env bash
# Everything that a change must pass: `npm test`, then what takes long. It needs Chromium, and minutes without other work on the machine.
set -euo pipefail
cd "$(dirname "$0")/.."
# Nothing is answered from turbo's cache, which keeps no coverage.
export ROSTER_TEST_BROWSER=required ROSTER_TEST_COVERAGE=true TURBO_FORCE=true
npm test
turbo run verify --output-logs=errors-only --concurrency=2 --continue
pnpm --silent --filter @roster/scripts run coverage
# What is known against the dependencies that are shipped; if the registry cannot be asked, it says so and passes.
pnpm --silent --filter @roster/scripts run audit
# A whole deployment, broken at random for some seconds; `npm run chaos` does it for ten minutes.
npm run chaos -- --short
# A server of 512 MB, attacked in many ways at once for ten seconds; `pnpm --filter @roster/chaos run abuse` does it for a minute. How long good callers
# wait is measured on a quiet machine: here they have to be served at all.
pnpm --filter @roster/chaos run abuse --seconds 10 --agents 10000 --p99 10000 --readiness 20
