import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { pageText, type Report, withSection } from './report.ts';
import type { Sample } from './turns.ts';
import { works } from './works.ts';

const page = readFileSync(new URL('../../../docs/benchmark.md', import.meta.url), 'utf8');

const sampleOf = (contestant: string, ratePerS: number): Sample => ({
  contestant,
  work: 'get',
  turn: 0,
  ratePerS,
  serverUs: 50,
  databaseUs: 20,
  failures: 0,
  failed: undefined,
  p50Ms: 1,
  p99Ms: 2,
});

const reportWith = (ratePerS: number): Report => ({
  settings: { rounds: 1, turns: 1, seconds: 1, connections: 64, agents: 1_000, pin: 'none' },
  contestants: [
    { name: 'ours', title: 'Roster', hasRpc: true },
    { name: 'node-http-pg', title: 'Reference', hasRpc: false },
  ],
  works: works.slice(0, 2),
  where: '2026-01-01: a machine',
  database: 'PostgreSQL 18.4',
  samples: [sampleOf('ours', ratePerS), sampleOf('node-http-pg', 1_000)],
  memory: [
    { name: 'ours', title: 'Roster', megabytes: 190.4, requests: 500_000 },
    { name: 'node-http-pg', title: 'Reference', megabytes: 250, requests: 10 },
  ],
  notes: [],
});

test('a run is published as one table, with the bounds that it meets', () => {
  const lines = pageText(reportWith(1_500)).split('\n');
  expect(lines.filter((line) => line.startsWith('|'))).toEqual([
    '| contestant | get | list | MB |',
    '| --- | ---: | ---: | ---: |',
    '| Roster | 1.50; 50 | – | 190 |',
    '| Reference | 1.00; 50 | – | 250 |',
    '| Roster at least | 1.2 |  |  |',
  ]);
});

test('a run that breaks a bound is not published', () => {
  expect(() => pageText(reportWith(1_100))).toThrow('below its bound is get');
});

test.each(['Roster and its peers', 'Growth'])(
  'a run replaces its section of the page, and no other: %s',
  (heading) => {
    const text = `## ${heading}\n\nNew.\n`;
    const sections = (markdown: string) => markdown.split(/^(?=## )/m);
    const [before, after] = [sections(page), sections(withSection(page, text))];
    expect(after).toHaveLength(before.length);
    expect(after.filter((section) => !before.includes(section)).map((section) => section.trim())).toEqual([
      text.trim(),
    ]);
  },
);

test('a page without the section is not overwritten', () => {
  expect(() => withSection('# Another page\n', pageText(reportWith(1_500)))).toThrow('has no section');
});
