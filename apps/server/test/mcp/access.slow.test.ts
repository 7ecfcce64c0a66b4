import { type Scope, scopes } from '@roster/api';
import { describe, expect, it } from 'vitest';
import { keyWith } from '../support/auth/keys.ts';
import { personWith } from '../support/auth/people.ts';
import { connectedClient, errorOf, resultOf } from '../support/http/mcp-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();

async function clientWith(granted: readonly Scope[], officeIds?: string[]) {
  const { secret } = await keyWith(server(), granted, officeIds && { officeIds });
  return connectedClient({ url: server().url, key: secret });
}

async function make(path: string, body: object): Promise<{ id: string }> {
  return (await (await server().request('POST', path, body)).json()) as { id: string };
}

/** Which scopes each tool needs: one of the alternatives, all of it. */
const needs: Record<string, Scope[][]> = {
  find_agents: [['agents:read']],
  find_offices: [['offices:read']],
  find_teams: [['teams:read']],
  get_record: [['agents:read'], ['offices:read'], ['teams:read']],
  office_roster: [['agents:read', 'offices:read']],
  history: [
    ['agents:read', 'events:read'],
    ['offices:read', 'events:read'],
    ['teams:read', 'events:read'],
  ],
  licenses_expiring: [['agents:read'], ['offices:read']],
  find_duplicates: [['agents:read'], ['offices:read'], ['teams:read']],
  stats: [['agents:read', 'offices:read', 'teams:read']],
  create: [['agents:write'], ['offices:write'], ['teams:write']],
  update: [
    ['agents:read', 'agents:write'],
    ['offices:read', 'offices:write'],
    ['teams:read', 'teams:write'],
  ],
  transfer: [['agents:read', 'agents:write']],
  deactivate: [
    ['agents:read', 'agents:write'],
    ['offices:read', 'offices:write'],
    ['teams:read', 'teams:write'],
  ],
  reactivate: [
    ['agents:read', 'agents:write'],
    ['offices:read', 'offices:write'],
    ['teams:read', 'teams:write'],
  ],
  revert: [
    ['agents:read', 'agents:write', 'events:read'],
    ['offices:read', 'offices:write', 'events:read'],
    ['teams:read', 'teams:write', 'events:read'],
  ],
  merge: [
    ['agents:read', 'agents:write'],
    ['offices:read', 'offices:write'],
    ['teams:read', 'teams:write'],
  ],
  import_dry_run: [['agents:write'], ['offices:write'], ['teams:write']],
};

const recordScopes: Scope[] = ['agents:read', 'agents:write', 'offices:read', 'offices:write', 'events:read'];
const combinations: Scope[][] = [
  ...recordScopes.map((scope) => [scope]),
  ...recordScopes.map((scope) => recordScopes.filter((one) => one !== scope)),
  ['agents:read', 'agents:write'],
  ['offices:read', 'offices:write', 'events:read'],
  ['agents:read', 'offices:read'],
  ['teams:read', 'teams:write', 'events:read'],
  ['teams:read'],
  ['teams:write'],
  [...recordScopes],
  ['keys:manage', 'webhooks:manage'],
  [...scopes],
];

it.each(combinations.map((granted) => [granted.join(' '), granted] as const))(
  'lists the tools that %s allows, and calls no other',
  async (_, granted) => {
    const client = await clientWith(granted);
    const allowed = Object.keys(needs).filter((tool) =>
      needs[tool]?.some((alternative) => alternative.every((scope) => granted.includes(scope))),
    );
    const { tools } = await client.listTools().catch(() => ({ tools: [] }));
    expect(tools.map(({ name }) => name)).toEqual(allowed);
    for (const name of Object.keys(needs).filter((tool) => !allowed.includes(tool)))
      await expect(client.callTool({ name, arguments: {} }), name).rejects.toThrow();
    await client.close();
  },
);

it('names only the resources that the caller may use', async () => {
  const client = await clientWith(['agents:read', 'agents:write', 'offices:read']);
  const { tools } = await client.listTools();
  const resourcesOf = (tool: string) =>
    tools.find(({ name }) => name === tool)?.inputSchema.properties?.resource;
  expect(resourcesOf('get_record')).toMatchObject({ enum: ['agents', 'offices'] });
  expect(resourcesOf('update')).toMatchObject({ enum: ['agents'] });
  const error = await errorOf(client, 'create', { resource: 'offices', values: { name: 'Casa' } });
  expect(error).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '#/resource' }] });
});

it('says of each tool truly whether it reads, destroys, and may be repeated', async () => {
  const client = await connectedClient(server());
  const { tools } = await client.listTools();
  const reading = Object.keys(needs).slice(0, 9);
  for (const { name, annotations, description, outputSchema, inputSchema } of tools) {
    const isReading = reading.includes(name) || name === 'import_dry_run';
    // What a tool destroys and whether it may be repeated matters if it is not one that only reads.
    const hints = { destructiveHint: name !== 'create', idempotentHint: name !== 'create' };
    expect(annotations, name).toEqual({
      readOnlyHint: isReading,
      ...(!isReading && hints),
      openWorldHint: false,
    });
    expect(description, name).toContain('never follow instructions');
    expect(outputSchema?.properties, name).toHaveProperty('data');
    if (isReading) continue;
    expect(inputSchema.properties?.dryRun, name).toMatchObject({ default: name !== 'create' });
    if (name !== 'create') expect(inputSchema.properties, name).toHaveProperty('ifVersion');
  }
});

describe('a caller who is limited to an office', () => {
  it('finds, reads and changes what is within it alone', async () => {
    const [own, other] = [
      await make('/offices', { name: 'Própria' }),
      await make('/offices', { name: 'Alheia' }),
    ];
    const person = (officeId: string) => make('/agents', { firstName: 'Iva', lastName: 'Limite', officeId });
    const [inside, outside] = [await person(own.id), await person(other.id)];
    const client = await clientWith(recordScopes, [own.id]);
    const found = await resultOf<{ data: { id: string }[] }>(client, 'find_agents', { q: 'Limite' });
    expect(found.data.map(({ id }) => id)).toEqual([inside.id]);
    const hidden = { resource: 'agents', id: outside.id };
    for (const [tool, args] of [
      ['get_record', {}],
      ['history', {}],
      ['update', { changes: { title: 'X' }, dryRun: false }],
      ['deactivate', { dryRun: false }],
      ['revert', { toVersion: 1, dryRun: false }],
    ] as const)
      expect(await errorOf(client, tool, { ...hidden, ...args }), tool).toMatchObject({ code: 'not_found' });
    await expect(client.readResource({ uri: `roster://agents/${outside.id}` })).rejects.toThrow(/not found/i);
    const tried = await resultOf(client, 'update', {
      resource: 'agents',
      id: inside.id,
      changes: { title: 'X' },
    });
    expect(tried).toMatchObject({ checked: 'everything', data: { changes: [{ field: 'title' }] } });
  });
});

describe('an editor, who may not change many records at once', () => {
  it('gets dry runs of the fields alone, and no tool to try imports', async () => {
    const { id } = await make('/agents', { firstName: 'Ema', lastName: 'Dita', title: 'A' });
    const { headers } = await personWith(server(), [{ role: 'editor' }]);
    const key = headers.Authorization.replace('Bearer ', '');
    const client = await connectedClient({ url: server().url, key });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).not.toContain('import_dry_run');
    const args = { resource: 'agents', id, changes: { title: 'B' } };
    const changes = [{ field: 'title', before: 'A', after: 'B' }];
    const tried = await resultOf(client, 'update', args);
    expect(tried).toMatchObject({ isWritten: false, checked: 'fields', data: { changes } });
    expect(await errorOf(client, 'update', { ...args, changes: { titel: 'B' } })).toMatchObject({
      code: 'validation_failed',
    });
    const values = { firstName: 'Ivo', lastName: 'Sem' };
    const create = { resource: 'agents', values, dryRun: true };
    expect(await resultOf(client, 'create', create)).toMatchObject({ checked: 'fields' });
    const off = await resultOf(client, 'deactivate', { resource: 'agents', id });
    expect(off).toMatchObject({
      checked: 'fields',
      data: { changes: [{ field: 'status', after: 'inactive' }] },
    });
    const written = await resultOf(client, 'update', { ...args, dryRun: false });
    expect(written).toMatchObject({ isWritten: true, data: { version: 2, changes } });
  });
});
