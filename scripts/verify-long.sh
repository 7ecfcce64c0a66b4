# Run by CI every night: what takes longer than a change should wait for, the tests of `npm run verify` in their long forms and their
# coverage. Each line runs by itself too.
set -euo pipefail
cd "$(dirname "$0")/.."
export ROSTER_TEST_BROWSER=required
# Nothing comes from turbo's cache, which keeps no coverage.
ROSTER_TEST_COVERAGE=true turbo run test test:imports test:interfaces verify --force --output-logs=errors-only --concurrency=2 --continue
pnpm --silent --filter @roster/scripts run coverage
pnpm --filter @roster/scripts run recipes
pnpm --filter @roster/conformance run spectral
pnpm --filter @roster/cli run parity
for long in access durability feed fuzz; do pnpm --filter @roster/server run "$long"; done
pnpm --filter @roster/api run plans
npm run chaos
pnpm --filter @roster/chaos run abuse --p99 10000 --readiness 20
