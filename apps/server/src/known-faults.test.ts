import { expect, it } from 'vitest';
import { faultsOf } from './known-faults.ts';

it.each([
  ['Node.js', '24.21.0', 1],
  ['Node.js', '24.22.0', 1],
  ['Node.js', '24.22.1', 0],
  ['Node.js', '26.10.0', 1],
  ['Node.js', '26.11.0', 0],
  ['Node.js', '23.1.0', 0],
  ['PostgreSQL', '18.3', 2],
  ['PostgreSQL', '18.4 (Debian 18.4-1)', 1],
  ['PostgreSQL', '18.7', 0],
  ['PostgreSQL', '18.10', 0],
  ['PostgreSQL', '15.18', 0],
  ['PostgreSQL', '19beta1', 0],
] as const)('knows of the serious faults of a release: %s %s has %i', (program, version, count) => {
  expect(faultsOf(program, version)).toHaveLength(count);
});

it('names the fault, and the release that is mended', () => {
  expect(faultsOf('Node.js', '24.21.0')).toEqual([
    'Node.js 24.21.0 has CVE-2026-111497: the Brotli decoder writes beyond its memory; 24.22.1 is mended',
  ]);
});
