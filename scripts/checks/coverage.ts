// Run by CI every night: adds up the lines that the tests of all packages reached (*/*/coverage/*/coverage-final.json) and fails below the bound.
import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import process from 'node:process';
import istanbul from 'istanbul-lib-coverage';

/** The bound of a package; of the others the lines are shown. */
const LINES_MIN_PERCENT = new Map([['packages/api', 95]]);
const root = join(import.meta.dirname, '../..');
const map = istanbul.createCoverageMap();
for (const file of globSync('{apps,packages,tools}/*/coverage/*/coverage-final.json', { cwd: root })) {
  map.merge(JSON.parse(readFileSync(join(root, file), 'utf8')));
}

const packages = Map.groupBy(map.files(), (file) => relative(root, file).split('/').slice(0, 2).join('/'));
for (const [name, files] of [...packages].sort()) {
  const summary = istanbul.createCoverageSummary();
  for (const file of files) summary.merge(map.fileCoverageFor(file).toSummary());
  const { pct, covered, total } = summary.lines;
  process.stdout.write(`${name}: ${pct} % of its lines (${covered} of ${total})\n`);
  const bound = LINES_MIN_PERCENT.get(name) ?? 0;
  if (pct < bound) {
    process.stderr.write(`The tests reach fewer than ${bound} % of the lines of ${name}.\n`);
    process.exitCode = 1;
  }
}
