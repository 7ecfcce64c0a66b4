import { readFileSync } from 'node:fs';
import { operations } from '@roster/api';
import { expect, it } from 'vitest';
import { contractText } from '../scripts/contract.ts';
import { buildProgram } from './program.ts';
import type { starting } from './session.ts';

const surroundings = {
  io: {} as never,
  env: {},
  signal: AbortSignal.abort(),
  version: '',
} satisfies Parameters<typeof starting>[0];

it('knows every field of the API (`pnpm --filter @roster/cli contract` brings it up to date)', () => {
  expect(readFileSync(new URL('contract.json', import.meta.url), 'utf8')).toBe(contractText());
});

it('has a command for every operation on offices and agents, under the same name', () => {
  const program = buildProgram(surroundings);
  const names = program.commands.flatMap((noun) =>
    noun.commands.map((verb) => `${noun.name()}.${verb.name()}`),
  );
  const procedures = operations
    .map(({ procedure }) => procedure)
    .filter((name) => /^(offices|agents)\./.test(name));
  expect(names.sort()).toEqual(procedures.sort());
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
