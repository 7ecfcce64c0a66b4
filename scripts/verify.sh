# Run by `npm run verify`, before you submit: everything that a change must pass, `npm test` and then what takes long. It needs Chromium, and minutes without other work on the machine.
# What takes longer still is in verify-long.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
export ROSTER_TEST_BROWSER=required
npm test
# Not from turbo's cache: these tests start programs of packages that theirs does not depend on.
turbo run verify --force --output-logs=errors-only --concurrency=2 --continue
# What is known against the dependencies that are shipped; if the registry cannot be asked, it says so and passes.
pnpm --silent --filter @roster/scripts run audit
# A whole deployment, broken at random for some seconds; `npm run chaos` does it for ten minutes.
npm run chaos -- --short
# A server of 512 MB, attacked in many ways at once for ten seconds; `pnpm --filter @roster/chaos run abuse` does it for a minute. How long good callers
# wait is measured on a quiet machine: here they have to be served at all.
pnpm --filter @roster/chaos run abuse --seconds 10 --agents 10000 --p99 60000 --readiness 20
# The least rates of Roster relative to what an expert writes by hand (tools/bench/src/judge.ts), on this machine.
npm run bench -- --only ours --work get,list,search,create,patch,rpc-get --rounds 2 --turns 5 --seconds 0.4 --warm-up 2
