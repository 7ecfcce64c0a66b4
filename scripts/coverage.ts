// Adds up the lines that the tests of all packages reached (coverage/*/coverage-final.json) and fails below the bound.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { createCoverageMap, createCoverageSummary } from 'istanbul-lib-coverage';

const LINES_MIN_PERCENT = 95;
const root = dirname(import.meta.dirname);
const folder = join(root, 'coverage');

const map = createCoverageMap();
for (const name of readdirSync(folder)) {
  map.merge(JSON.parse(readFileSync(join(folder, name, 'coverage-final.json'), 'utf8')));
}

const packages = Map.groupBy(map.files(), (file) => relative(root, file).split('/').slice(0, 2).join('/'));
for (const [name, files] of [...packages].sort()) {
  const summary = createCoverageSummary();
  for (const file of files) summary.merge(map.fileCoverageFor(file).toSummary());
  const { pct, covered, total } = summary.lines;
  process.stdout.write(`${name}: ${pct} % of its lines (${covered} of ${total})\n`);
  if (pct < LINES_MIN_PERCENT) {
    process.stderr.write(`The tests reach fewer than ${LINES_MIN_PERCENT} % of the lines of ${name}.\n`);
    process.exitCode = 1;
  }
}
