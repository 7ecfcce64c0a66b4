import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { operations } from '@roster/contract/operations';
import { records } from '@roster/contract/records';
import { createSession } from '@roster/server/testing';
import { storePasskey } from '@roster/server/testing/people';
import { beforeAll, describe, expect, it } from 'vitest';
import { commandTree } from '../scripts/docs.ts';
import { exampleIds, examples, otherDuplicateId, otherId } from '../src/commands/examples.ts';
import { runCli } from '../test/support/run-cli.ts';
import { logged, useTestService } from '../test/support/test-service.ts';

const { url, key, client, database } = useTestService();
const home = mkdtempSync(join(tmpdir(), 'roster-examples-'));
const env = { XDG_STATE_HOME: join(home, 'state'), XDG_CONFIG_HOME: join(home, 'config') };

/** The executable commands with their paths. */
function leaves(command: CommandUnknownOpts, path: readonly string[] = []): string[] {
  const below = command.commands.filter((one) => !one.name().startsWith('__'));
  if (below.length === 0) return [path.join(' ')];
  // `roster status` is a command by itself too.
  const own = path.join(' ') === 'status' ? ['status'] : [];
  return [...own, ...below.flatMap((one) => leaves(one, [...path, one.name()]))];
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
  const { id } = await imports.upload.mutate({ resource: 'offices', content: 'name\nExample\n' });
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
  const fields = operations[`${resource}.create`]?.fields ?? [];
  const required = fields.filter(({ isRequired }) => isRequired).map(({ name, example }) => [name, example]);
  const make = () => calls.create.mutate(Object.fromEntries(required));
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
  const pair = randomUUID();
  const [first, second] = [id, other.id].sort() as [string, string];
  const ofPair = { collection: resource, first_id: first, second_id: second };
  await database()
    .db.insertInto('duplicate_pair')
    .values({ id: pair, ...ofPair, score: 0.9, kinds: ['name'], reasons: '[]', found_at: new Date() })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  return { [otherId]: pair };
}

/** Creates the records of an example, in the state that its operation requires. */
async function staged(operation: string, line: string): Promise<Record<string, string>> {
  const { offices, agents, webhooks, keys, people, invitations, views } = client();
  const office = await offices.create.mutate({ name: 'Example', mlsId: 'EX' });
  const otherOffice = await offices.create.mutate({ name: 'Other example' });
  const agent = await agents.create.mutate({ firstName: 'Ana', lastName: 'Example' });
  // No server listens there, so that a test of it fails immediately. There are fewer webhooks than examples.
  const webhook = line.includes(exampleIds.webhook)
    ? await webhooks.create.mutate({ url: 'http://127.0.0.1:9/hook', types: ['office.purged'] })
    : undefined;
  const job = await agents.bulk.mutate({
    filter: { mlsId: 'none' },
    change: { type: 'delete' },
    expectedCount: 0,
  });
  const made = await keys.create.mutate({ name: 'Example', scopes: ['offices:read'] });
  const email = `person-${randomUUID()}@atlantico.example`;
  const person = await people.invite.mutate({ name: 'Example', email, grants: [{ role: 'viewer' }] });
  const view = await views.create.mutate({ name: 'Example', resource: 'agents' });
  const session = await createSession(database().db, {
    personId: person.id,
    method: 'link',
    client: 'Example',
    now: new Date(),
    lifetimeMs: 60_000,
  });
  const invitation = await invitations.create.mutate({ personId: person.id });
  const passkey = await storePasskey(database(), person.id);
  if (operation === 'reactivate') await people.deactivate.mutate({ id: person.id });
  const scheduled = await agents.deactivate.mutate({ id: agent.id, effectiveAt: '2030-01-01T00:00:00Z' });
  if (operation === 'bulk') {
    const member = { firstName: 'Rui', lastName: 'Example', officeId: office.id };
    await client().imports.agents.mutate({ records: Array(24).fill(member) });
  }
  if (operation === 'reactivate') {
    await offices.deactivate.mutate({ id: office.id });
    await agents.deactivate.mutate({ id: agent.id });
  }
  if (operation === 'revert') {
    await offices.update.mutate({ id: office.id, phone: '+351210000001' });
    await agents.update.mutate({ id: agent.id, phone: '+351210000001' });
  }
  if (operation === 'restore') {
    await offices.delete.mutate({ id: office.id });
    await agents.delete.mutate({ id: agent.id });
  }
  if (operation === 'history' || operation === 'revert') {
    await logged(client(), office.id, 1);
    await logged(client(), agent.id, 1);
  }
  const file = line.includes(exampleIds.import) ? await anImport() : '';
  return {
    ...([otherId, otherDuplicateId].some((id) => line.includes(id)) && (await twoAlike(operation, line))),
    [exampleIds.import]: file,
    [exampleIds.office]: office.id,
    [exampleIds.otherOffice]: otherOffice.id,
    [exampleIds.agent]: agent.id,
    [exampleIds.webhook]: webhook?.id ?? '',
    [exampleIds.key]: made.id,
    [exampleIds.person]: person.id,
    [exampleIds.session]: session.id,
    [exampleIds.view]: view.id,
    [exampleIds.invitation]: invitation.id,
    [exampleIds.passkey]: passkey.id,
    [exampleIds.scheduledChange]: scheduled.scheduledChanges[0]?.id ?? '',
    [exampleIds.job]: 'id' in job ? job.id : '',
  };
}

beforeAll(() => {
  symlinkSync(fileURLToPath(new URL('../../../samples', import.meta.url)), join(home, 'samples'));
  writeFileSync(join(home, 'members.csv'), 'MemberKey,MemberFirstName,MemberLastName\n7,Ana,Reis\n');
  writeFileSync(join(home, 'staff.csv'), 'First,Last,Desk phone\nRui,Sá,+351 210 000 001\n');
  for (const [name, { fields }] of Object.entries(records)) {
    const required = fields.filter(({ isRequired }) => isRequired);
    const rows = [required.map((field) => field.name), required.map(({ example }) => String(example))];
    writeFileSync(join(home, `${name}.csv`), `${rows.map((row) => row.join()).join('\n')}\n`);
  }
  writeFileSync(join(home, 'key.txt'), key());
});

const endless = /^roster (events tail|webhooks listen)|--watch/;
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
      cwd: home,
      env,
      input: isLogin ? readFileSync(join(home, input ?? 'key.txt'), 'utf8') : '',
      signal: interruption.signal,
    });
    expect(exit, stderr).toBe(endless.test(line) ? 130 : 0);
  });
});
