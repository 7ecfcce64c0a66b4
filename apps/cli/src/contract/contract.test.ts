import { readFileSync } from 'node:fs';
import { operations, streams } from '@roster/api';
import { expect, it } from 'vitest';
import { contractText, schemasText } from '../../scripts/contract.ts';
import type { starting } from '../context/command-context.ts';
import { buildProgram } from '../program.ts';

const surroundings = {
  io: {} as never,
  env: {},
  cwd: '/',
  signal: AbortSignal.abort(),
  version: '',
  openUrl: async () => false,
} satisfies Parameters<typeof starting>[0];

it('knows every field of the API (`pnpm --filter @roster/cli contract` brings it up to date)', () => {
  expect(readFileSync(new URL('contract.json', import.meta.url), 'utf8')).toBe(contractText());
});

it('knows the schema of every change', () => {
  expect(readFileSync(new URL('schemas.json', import.meta.url), 'utf8')).toBe(schemasText());
});

/** The procedure that is called by a command of another name: the last one it calls, where it calls several. */
const called: Record<string, string> = {
  'events.tail': 'events.stream',
  'offices.export': 'offices.list',
  'offices.import': 'imports.offices',
  'offices.history': 'events.list',
  'offices.revert': 'offices.update',
  'agents.export': 'agents.list',
  'agents.import': 'imports.agents',
  'agents.history': 'events.list',
  'agents.revert': 'agents.update',
  'webhooks.listen': 'events.list',
};

it('has a command for every operation, under the same name', () => {
  const program = buildProgram(surroundings);
  const names = program.commands.flatMap((noun) =>
    noun.commands.map((verb) => `${noun.name()}.${verb.name()}`),
  );
  const operationsAndStreams = [...operations, ...streams].map(({ procedure }) => procedure);
  const sameName = operations
    .map(({ procedure }) => procedure)
    .filter((name) => !name.startsWith('imports.'));
  expect(names.filter((name) => called[name] === undefined).sort()).toEqual(sameName.sort());
  for (const [name, procedure] of Object.entries(called)) {
    expect(names).toContain(name);
    expect(operationsAndStreams).toContain(procedure);
  }
  const reached = new Set(names.map((name) => called[name] ?? name));
  expect([...reached].sort()).toEqual(operationsAndStreams.sort());
});

it('takes --if-version wherever a version can be in conflict, and --idempotency-key wherever one counts', () => {
  for (const noun of buildProgram(surroundings).commands) {
    for (const verb of noun.commands) {
      const name = `${noun.name()}.${verb.name()}`;
      const operation = operations.find(({ procedure }) => procedure === (called[name] ?? name));
      const options = verb.options.map(({ long }) => long);
      // A read knows conditions in its headers alone.
      const canConflict = operation?.type === 'mutation' && operation.refusals.includes('version_conflict');
      expect(options.includes('--if-version')).toBe(canConflict);
      expect(options.includes('--idempotency-key')).toBe(operation?.isRepeatable === true);
    }
  }
});

it('never uses an option twice, nor one that every command has', () => {
  const program = buildProgram(surroundings);
  for (const verb of program.commands.flatMap((noun) => noun.commands)) {
    const options = [...program.options, ...verb.options].map(({ long }) => long);
    expect(options).toHaveLength(new Set(options).size);
  }
});

it('says of every option what it is for', () => {
  for (const verb of buildProgram(surroundings).commands.flatMap((noun) => noun.commands)) {
    for (const { description } of verb.options) expect(description).not.toBe('');
  }
});
