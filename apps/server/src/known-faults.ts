export type Program = 'Node.js' | 'PostgreSQL';

interface KnownFault {
  program: Program;
  id: string;
  what: string;
  /** For each major version, the newest release that is known to have the fault. */
  affected: Readonly<Record<string, string>>;
  /** The release of our major version that no longer has it. */
  mendedIn: string;
}

/** Raise it with the list: the day until which releases and advisories were read. */
export const LISTED_UNTIL = '2026-11-28';

/** Serious faults of what runs underneath, as they were reported. `pnpm audit` knows packages only. */
const knownFaults: readonly KnownFault[] = [
  {
    program: 'Node.js',
    id: 'CVE-2026-111497',
    what: 'the Brotli decoder writes beyond its memory',
    affected: { 22: '22.23.3', 24: '24.22.0', 26: '26.10.0' },
    mendedIn: '24.22.1',
  },
  {
    program: 'PostgreSQL',
    id: 'CVE-2026-6460',
    what: 'a user with SQL can confuse types',
    affected: { 18: '18.6' },
    mendedIn: '18.7',
  },
  {
    program: 'PostgreSQL',
    id: 'CVE-2026-6473',
    what: 'a user with SQL can write beyond allocated memory',
    affected: { 15: '15.17', 16: '16.13', 17: '17.9', 18: '18.3' },
    mendedIn: '18.4',
  },
];

function isAtMost(version: string, other: string): boolean {
  const [numbers, others] = [version, other].map((one) => one.split('.').map(Number));
  for (const [at, number] of (numbers ?? []).entries()) {
    const difference = number - (others?.[at] ?? 0);
    if (difference !== 0) return difference < 0;
  }
  return true;
}

/** Sentences about the faults that a version has; `version` may have more behind its numbers, as `18.4 (Debian)`. */
export function faultsOf(program: Program, version: string): string[] {
  const plain = /^\d+(\.\d+)*/.exec(version)?.[0] ?? '';
  const [major = ''] = plain.split('.');
  return knownFaults
    .filter((fault) => fault.program === program)
    .filter(({ affected }) => affected[major] !== undefined && isAtMost(plain, affected[major]))
    .map(({ id, what, mendedIn }) => `${program} ${plain} has ${id}: ${what}; ${mendedIn} is mended`);
}
