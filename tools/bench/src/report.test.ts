import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Report, reportText, withReport } from './report.ts';
import { works } from './works.ts';

const page = readFileSync(new URL('../../../docs/benchmark.md', import.meta.url), 'utf8');

const report: Report = {
  settings: { rounds: 1, turns: 1, seconds: 1, connections: 64, agents: 1_000, pin: 'none' },
  contestants: [],
  works: works.slice(0, 2),
  where: '2026-01-01: a machine',
  database: 'PostgreSQL 18.4',
  samples: [],
  memory: [],
  notes: [],
};

test('a run replaces its section of the page, and no other', () => {
  const text = reportText(report);
  const sections = (markdown: string) => markdown.split(/^(?=## )/m);
  const [before, after] = [sections(page), sections(withReport(page, text))];
  expect(after).toHaveLength(before.length);
  expect(after.filter((section) => !before.includes(section)).map((section) => section.trim())).toEqual([
    text.trim(),
  ]);
});

test('the published section has the tables that a run writes', () => {
  const headings = (markdown: string) => markdown.match(/^### .*/gm);
  const [section] = page.match(/^## Roster and its peers$[\s\S]*?(?=^## )/m) ?? [];
  expect(headings(section ?? '')).toEqual(headings(reportText(report)));
});

test('a page without the section is not overwritten', () => {
  expect(() => withReport('# Another page\n', reportText(report))).toThrow('has no section');
});
