import type { Scope } from '@roster/api';
import { expect, it } from 'vitest';
import { keyWith } from '../support/auth/keys.ts';
import { connectedClient, resultOf } from '../support/http/mcp-client.ts';
import { useServer } from '../support/use-server.ts';

const server = useServer();

it('a key is offered the tools that its scopes allow, can call them, and no others', async () => {
  const granted: Scope[] = ['agents:read', 'offices:read'];
  const { secret } = await keyWith(server(), granted);
  const client = await connectedClient({ url: server().url, key: secret });
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('find_agents');
  expect(names).not.toContain('create');
  expect(await resultOf(client, 'find_agents', {})).toMatchObject({ data: [] });
  const values = { firstName: 'Ana', lastName: 'Reis' };
  const creating = client.callTool({ name: 'create', arguments: { resource: 'agents', values } });
  await expect(creating).rejects.toThrow();
  await client.close();
});
