import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { records } from '@roster/contract/records';
import { neededFields } from '@roster/fields';
import { createSession } from '@roster/server/testing';
import { compareAll } from '@roster/server/testing/comparison';
import { storePasskey } from '@roster/server/testing/people';
import { beforeAll, describe, expect, it } from 'vitest';
import { exampleIds, examples, otherDuplicateId, otherId } from '../src/commands/examples.ts';
import { commandTree } from './support/command-tree.ts';
import { runCli } from './support/run-cli.ts';
import { logged, useTestService } from './support/test-service.ts';

const { url, key, client, database } = useTestService();
const home = mkdtempSync(join(tmpdir(), 'roster-examples-'));
const env = { XDG_CONFIG_HOME: join(home, 'config') };

/** The executable commands with their paths. */
function leaves(command: CommandUnknownOpts, path: readonly string[] = []): string[] {
  const below = command.commands.filter((one) => !one.name().startsWith('__'));
  if (below.length === 0) return [path.join(' ')];
  return below.flatMap((one) => leaves(one, [...path, one.name()]));
}

/** Splits a command line as a shell does; also returns the file that it redirects to stdin. */
function wordsOf(line: string): { argv: string[]; input: string | undefined } {
  const [command = '', input] = line.split(' < ');
  const words = command.matchAll(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g);
  const argv = Array.from(words, ([word]) => word.replace(/^(['"])(.*)\1$/, '$2'));
  return { argv: argv.slice(1), input };
}

/** JSON is in single quotes and contains double ones. */
function argvOf(line: string): { argv: string[]; input: string | undefined } {
  const json = /'(\{.*\})'/.exec(line)?.[1];
  const { argv, input } = wordsOf(json === undefined ? line : line.replace(`'${json}'`, 'JSON'));
  return { argv: argv.map((word) => (word === 'JSON' ? (json ?? word) : word)), input };
}

/** The id of an import whose check has ended. */
async function anImport(): Promise<string> {
  const { imports } = client();
  const { id } = await imports.upload.mutate({ resource: 'offices', content: 'Office\nBaixo\n' });
  while ((await imports.get.query({ id })).finishedAt === null) await pause(20);
  return id;
}

interface Calls {
  create: { mutate: (input: object) => Promise<{ id: string }> };
  [change: string]: { mutate: (input: object) => Promise<unknown> };
}

/**
 * Creates two records that may be the same, of the resource of an example, in the state that the operation requires: the ids in the
 * examples that have none of their own.
 */
async function twoAlike(operation: string, line: string): Promise<Record<string, string>> {
  const [, resource = ''] = line.split(' ');
  const services: Record<string, unknown> = client();
  if (!Object.hasOwn(records, resource)) return {};
  const calls = services[resource] as Calls;
  const needed = neededFields(records[resource as keyof typeof records]);
  const values = Object.fromEntries(needed.map(({ name, example }) => [name, example]));
  const make = () => calls.create.mutate(values);
  const [one, other] = [await make(), await make()];
  const { id } = one;
  const changes: Record<string, readonly [string, object]> = {
    unmerge: ['merge', { id, duplicateId: other.id }],
    reactivate: ['deactivate', { id }],
    revert: ['update', { id, phone: '+351210000001' }],
    restore: ['delete', { id }],
  };
  const [change, input] = changes[operation] ?? [];
  if (change !== undefined && input !== undefined) await calls[change]?.mutate(input);
  if (operation === 'history' || operation === 'revert') await logged(client(), id, 1);
  if (!operation.endsWith('-duplicate')) return { [otherId]: id, [otherDuplicateId]: other.id };
  // The service finds some of the pairs itself, and forgets those of records that are not alike when it compares them.
  const { db } = database();
  await compareAll(db);
  const [first, second] = [id, other.id].sort() as [string, string];
  const ofPair = { collection: resource, first_id: first, second_id: second };
  const pair = await db
    .insertInto('duplicate_pair')
    .values({ id: randomUUID(), ...ofPair, score: 0.9, kinds: ['name'], reasons: '[]', found_at: new Date() })
    .onConflict((conflict) =>
      conflict.columns(['collection', 'first_id', 'second_id']).doUpdateSet({ score: 0.9 }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return { [otherId]: pair.id };
}

type Example = keyof typeof exampleIds;

async function aPerson(): Promise<{ id: string }> {
  const email = `person-${randomUUID()}@atlantico.example`;
  return client().people.invite.mutate({ name: 'Example', email, grants: [{ role: 'viewer' }] });
}

/** Brings a record into the state that the operation requires. */
async function prepare(resource: 'offices' | 'agents', id: string, operation: string): Promise<void> {
  const calls = client()[resource];
  if (operation === 'reactivate') await calls.deactivate.mutate({ id });
  if (operation === 'revert') await calls.update.mutate({ id, phone: '+351210000001' });
  if (operation === 'restore') await calls.delete.mutate({ id });
  if (operation === 'history' || operation === 'revert') await logged(client(), id, 1);
}

/** What makes the record of an id in the examples. */
const making: Record<Example, (operation: string) => Promise<{ id: string }>> = {
  office: async (operation) => {
    const office = await client().offices.create.mutate({ name: 'Example', mlsId: 'EX' });
    await prepare('offices', office.id, operation);
    if (operation !== 'bulk') return office;
    const member = { firstName: 'Rui', lastName: 'Example', officeId: office.id };
    await client().imports.agents.mutate({ records: Array(24).fill(member) });
    return office;
  },
  otherOffice: async () => client().offices.create.mutate({ name: 'Other example' }),
  agent: async (operation) => {
    const agent = await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Example' });
    await prepare('agents', agent.id, operation);
    return agent;
  },
  // No server listens there, so that a test of it fails immediately.
  webhook: async () =>
    client().webhooks.create.mutate({ url: 'http://127.0.0.1:9/hook', types: ['office.purged'] }),
  job: async () => {
    const none = { filter: { mlsId: 'none' }, change: { type: 'delete' }, expectedCount: 0 } as const;
    const job = await client().agents.bulk.mutate(none);
    return { id: 'id' in job ? job.id : '' };
  },
  import: async () => ({ id: await anImport() }),
  key: async () => client().keys.create.mutate({ name: 'Example', scopes: ['offices:read'] }),
  scheduledChange: async () => {
    const { id } = await client().agents.create.mutate({ firstName: 'Ana', lastName: 'Example' });
    const scheduled = await client().agents.deactivate.mutate({ id, effectiveAt: '2030-01-01T00:00:00Z' });
    return { id: scheduled.scheduledChanges[0]?.id ?? '' };
  },
  person: async (operation) => {
    const person = await aPerson();
    if (operation === 'reactivate') await client().people.deactivate.mutate({ id: person.id });
    return person;
  },
  session: async () =>
    createSession(database().db, {
      personId: (await aPerson()).id,
      method: 'link',
      client: 'Example',
      now: new Date(),
      lifetimeMs: 60_000,
    }),
  view: async () => client().views.create.mutate({ name: 'Example', resource: 'agents' }),
  invitation: async () => client().invitations.create.mutate({ personId: (await aPerson()).id }),
  passkey: async () => storePasskey(database(), (await aPerson()).id),
};

/** Makes the records that a line names, in the state that its operation requires. */
async function staged(operation: string, line: string): Promise<Record<string, string>> {
  const ids: Record<string, string> = [otherId, otherDuplicateId].some((id) => line.includes(id))
    ? await twoAlike(operation, line)
    : {};
  for (const [name, id] of Object.entries(exampleIds) as [Example, string][])
    if (line.includes(id)) ids[id] = (await making[name](operation)).id;
  return ids;
}

beforeAll(() => {
  symlinkSync(fileURLToPath(new URL('../../../samples', import.meta.url)), join(home, 'samples'));
  writeFileSync(join(home, 'members.csv'), 'MemberKey,MemberFirstName,MemberLastName\n7,Ana,Reis\n');
  writeFileSync(join(home, 'staff.csv'), 'First,Last,Desk phone\nRui,Sá,+351 210 000 001\n');
  for (const [name, contract] of Object.entries(records)) {
    const needed = neededFields(contract);
    const rows = [needed.map((field) => field.name), needed.map(({ example }) => String(example))];
    writeFileSync(join(home, `${name}.csv`), `${rows.map((row) => row.join()).join('\n')}\n`);
  }
  writeFileSync(join(home, 'key.txt'), key());
});

const endless = /^roster (events tail|webhooks listen)/;
const lines = Object.values(examples).flat();

describe('the examples in the help', () => {
  it('exist for every command and are shown by its --help', async () => {
    const commands = leaves(commandTree());
    expect(Object.keys(examples).toSorted()).toEqual(commands.toSorted());
    for (const command of commands) {
      const { exit, stdout } = await runCli([...command.split(' '), '--help']);
      expect(exit).toBe(0);
      for (const line of examples[command] ?? []) {
        expect(line.startsWith(`roster ${command}`), line).toBe(true);
        expect(stdout).toContain(`  ${line}`);
      }
    }
  });

  it.each(lines)('work as printed: %s', async (line) => {
    const { argv, input } = argvOf(line);
    const ids = await staged(argv[1] ?? '', line);
    const words = argv.map((word) =>
      word
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => ids[id] ?? id)
        .replace('https://roster.example', url()),
    );
    // The answer to the prompt.
    const isLogin = argv[0] === 'login';
    if (isLogin && input === undefined) words.push('--with-key');
    const interruption = new AbortController();
    if (endless.test(line)) setTimeout(() => interruption.abort(), 300);
    const { exit, stderr } = await runCli(words, {
      url: url(),
      key: key(),
      // An export replaces no file.
      cwd: argv[1] === 'export' ? mkdtempSync(join(home, 'export-')) : home,
      env,
      input: isLogin ? readFileSync(join(home, input ?? 'key.txt'), 'utf8') : '',
      signal: interruption.signal,
    });
    expect(exit, stderr).toBe(endless.test(line) ? 130 : 0);
  });
});
