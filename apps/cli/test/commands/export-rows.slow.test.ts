import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const directory = mkdtempSync(join(tmpdir(), 'roster-export-rows-'));

it.each(['csv', 'ndjson'])(
  'a file of %s with a row for each member changes nothing if it is imported again',
  async (extension) => {
    const { at } = service;
    const client = service.client();
    const email = `ana@${extension}.example`;
    const ana = await client.agents.create.mutate({ firstName: 'Ana', lastName: 'Reis', email });
    const rui = await client.agents.create.mutate({ firstName: 'Rui', lastName: 'Sá' });
    const members = [
      { agentId: ana.id, role: 'lead' as const, since: '2026-03-01' },
      { agentId: rui.id, title: '=Broker' },
    ];
    const { id } = await client.teams.create.mutate({ name: `Ribeira ${extension}`, members });
    const empty = await client.teams.create.mutate({ name: `Foz ${extension}` });
    const file = join(directory, `teams.${extension}`);
    const { exit, stderr } = await at('pipe', [
      'teams',
      'export',
      file,
      '--rows',
      'members',
      '--sort',
      'createdAt',
    ]);
    expect([exit, stderr]).toEqual([0, expect.stringMatching(/^Exported \d+ teams/)]);
    const lines = readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => line.includes(id) || line.includes(empty.id));
    expect(lines).toHaveLength(3);
    expect(lines.filter((line) => line.includes(email))).toHaveLength(1);
    expect(lines.filter((line) => line.includes(rui.id))).toHaveLength(1);
    await client.teams.removeMember.mutate({ id, agentId: rui.id });
    const again = await at('pipe', ['teams', 'import', file, '--json']);
    expect(JSON.parse(again.stdout)).toMatchObject({ created: 0, updated: 1, errors: 0 });
    expect((await client.teams.get.query({ id })).members).toMatchObject(
      members.toSorted((one, other) => (one.agentId < other.agentId ? -1 : 1)),
    );
    const unchanged = await at('pipe', ['teams', 'import', file, '--json']);
    expect(JSON.parse(unchanged.stdout)).toMatchObject({ created: 0, updated: 0, errors: 0 });
  },
);
