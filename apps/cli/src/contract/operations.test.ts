import { operations, resourceNames, streams } from '@roster/api';
import { expect, it } from 'vitest';
import type { contextFactory } from '../commands/context.ts';
import { buildProgram } from '../program.ts';
import { camelCase } from './fields.ts';

const runtime = {
  io: {} as never,
  env: {},
  cwd: '/',
  signal: AbortSignal.abort(),
  version: '',
  openUrl: async () => false,
} satisfies Parameters<typeof contextFactory>[0];

/** The procedures of commands with another name; the last one if a command calls several. */
const called: Record<string, string> = {
  'events.tail': 'events.stream',
  ...Object.fromEntries(
    resourceNames.flatMap((name) => [
      [`${name}.export`, `${name}.list`],
      [`${name}.import`, 'imports.upload'],
    ]),
  ),
  'webhooks.listen': 'events.list',
};

/** Operations that have no command of their own: `roster api` calls them, an import and `--dry-run` of a command the previews. */
const byApi = [
  ...resourceNames.map((name) => `imports.${name}`),
  'imports.preview',
  'jobs.previewUndo',
  'offices.previewReactivate',
];

it('there is a command with the same name for every operation', () => {
  const program = buildProgram(runtime);
  const names = program.commands.flatMap((resource) =>
    resource.commands.map((command) => camelCase(`${resource.name()}.${command.name()}`)),
  );
  const operationsAndStreams = [...operations, ...streams].map(({ procedure }) => procedure);
  const byImport = Object.entries(called).flatMap(([name, one]) => (name.endsWith('.import') ? [one] : []));
  const sameName = operations
    .map(({ procedure }) => procedure)
    .filter((name) => ![...byImport, ...byApi].includes(name));
  expect(names.filter((name) => called[name] === undefined).sort()).toEqual(sameName.sort());
  for (const [name, procedure] of Object.entries(called)) {
    expect(names).toContain(name);
    expect(operationsAndStreams).toContain(procedure);
  }
  const reached = new Set(names.map((name) => called[name] ?? name));
  expect([...reached, ...byApi].sort()).toEqual(operationsAndStreams.sort());
});

it('commands have --if-version if the operation can have a version conflict, and --idempotency-key if it accepts one', () => {
  for (const resource of buildProgram(runtime).commands) {
    for (const command of resource.commands) {
      const name = camelCase(`${resource.name()}.${command.name()}`);
      const operation = operations.find(({ procedure }) => procedure === (called[name] ?? name));
      const options = command.options.map(({ long }) => long);
      // Reads have preconditions only in headers.
      const canConflict = operation?.type === 'mutation' && operation.errors.includes('version_conflict');
      expect(options.includes('--if-version')).toBe(canConflict);
      expect(options.includes('--idempotency-key')).toBe(operation?.isRepeatable === true);
    }
  }
});

it('no command has an option twice, or one with the name of a global option', () => {
  const program = buildProgram(runtime);
  for (const command of program.commands.flatMap((resource) => resource.commands)) {
    const options = [...program.options, ...command.options].map(({ long }) => long);
    expect(options).toHaveLength(new Set(options).size);
  }
});

it('every option has a description', () => {
  for (const operation of buildProgram(runtime).commands.flatMap((resource) => resource.commands)) {
    for (const { description } of operation.options) expect(description).not.toBe('');
  }
});
