import { spawn } from 'node:child_process';
import process from 'node:process';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { useTestService } from '../support/test-service.ts';

const service = useTestService();
const main = new URL('../../src/roster.js', import.meta.url).pathname;

async function connected(version: '2025-11-25' | '2026-07-28', key = service.key()): Promise<Client> {
  const options = version === '2025-11-25' ? {} : { versionNegotiation: { mode: { pin: version } } };
  const client = new Client({ name: 'test', version: '1.0.0' }, options);
  const env = { PATH: process.env.PATH ?? '', ROSTER_URL: service.url(), ROSTER_KEY: key };
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [main, 'mcp'], env }));
  return client;
}

interface Result {
  isWritten?: boolean;
  data: Record<string, unknown> & Record<string, unknown>[];
}

async function responseOf(client: Client, name: string, args: object): Promise<Result> {
  const result = await client.callTool({ name, arguments: { ...args } });
  expect(result.isError, JSON.stringify(result.content)).not.toBe(true);
  return result.structuredContent as unknown as Result;
}

describe.each(['2025-11-25', '2026-07-28'] as const)('roster mcp, for a client of %s', (version) => {
  it('has every tool, resource and prompt of the service', async () => {
    const client = await connected(version);
    expect(client.getNegotiatedProtocolVersion()).toBe(version);
    const { tools } = await client.listTools();
    expect(tools).toHaveLength(17);
    const values = { firstName: 'Ana', lastName: `Tubo ${version}`, email: `tubo-${version}@example.com` };
    const office = await responseOf(client, 'create', {
      resource: 'offices',
      values: { name: `Cano ${version}` },
    });
    const officeId = office.data.id;
    const { data } = await responseOf(client, 'create', { resource: 'agents', values });
    const one = { resource: 'agents', id: data.id };
    const twin = await responseOf(client, 'create', {
      resource: 'agents',
      values: { ...values, email: null },
    });
    const pair = { ...one, duplicateId: twin.data.id };
    const calls: [tool: string, args: object, expected: object][] = [
      ['find_agents', { q: values.lastName, email: values.email }, { data: [{ id: data.id }] }],
      ['find_offices', { q: `Cano ${version}` }, { data: [{ id: officeId }] }],
      ['get_record', one, { data: { version: 1, email: values.email } }],
      ['update', { ...one, changes: { title: 'A' } }, { isWritten: false, checked: 'everything' }],
      ['update', { ...one, changes: { title: 'A' }, dryRun: false, ifVersion: 1 }, { isWritten: true }],
      ['transfer', { id: data.id, officeId, dryRun: false }, { isWritten: true, data: { version: 3 } }],
      ['office_roster', { officeId }, { data: { agents: [{ id: data.id }] } }],
      ['deactivate', { ...one, dryRun: false }, { isWritten: true }],
      ['reactivate', { ...one, dryRun: false }, { isWritten: true }],
      ['revert', { ...one, toVersion: 1, dryRun: false }, { isWritten: true, data: { version: 6 } }],
      ['history', { ...one, limit: 1 }, { data: [{ version: 6 }] }],
      ['licenses_expiring', {}, { data: [] }],
      ['find_teams', {}, { data: [] }],
      ['find_duplicates', { resource: 'teams' }, { data: [] }],
      ['merge', pair, { isWritten: false, checked: 'everything' }],
      ['stats', {}, { data: { agents: { active: expect.any(Number) } } }],
      ['import_dry_run', { resource: 'agents', records: [values] }, { errors: 1, isWritten: false }],
    ];
    for (const [tool, args, expected] of calls)
      expect(await responseOf(client, tool, args), tool).toMatchObject(expected);
    expect(new Set(calls.map(([tool]) => tool)).size + 1).toBe(tools.length);
    const { contents } = await client.readResource({ uri: `roster://agents/${data.id}` });
    expect(JSON.stringify(contents)).toContain(values.email);
    expect((await client.listPrompts()).prompts).toHaveLength(3);
    await client.close();
  });

  it('answers errors of the service as the service says them', async () => {
    const client = await connected(version);
    const id = '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11';
    const result = await client.callTool({ name: 'get_record', arguments: { resource: 'agents', id } });
    const [content] = result.content as unknown as [{ text: string }];
    expect(JSON.parse(content.text)).toMatchObject({ error: { code: 'not_found', status: 404 } });
    const abort = new AbortController();
    const cancelled = client.callTool({ name: 'stats', arguments: {} }, { signal: abort.signal });
    abort.abort();
    await expect(cancelled).rejects.toThrow();
    expect((await client.listTools()).tools).toHaveLength(17);
    await client.close();
  });
});

describe('the process', () => {
  const start = (key: string) =>
    spawn(process.execPath, [main, 'mcp'], {
      env: { PATH: process.env.PATH, ROSTER_URL: service.url(), ROSTER_KEY: key },
    });

  it('ends with an error that people see if the key is not accepted', async () => {
    const { exit, stderr, stdout } = await service.at('pipe', ['mcp'], { key: 'none' });
    expect({ exit, stdout }).toEqual({ exit: 4, stdout: '' });
    expect(stderr).toContain('key');
  });

  it('ends when its stdin ends, and writes nothing but messages', async () => {
    const child = start(service.key());
    let stdout = '';
    child.stdout.on('data', (chunk) => {
      stdout += chunk;
      if (stdout.endsWith('\n')) child.stdin.end();
    });
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
    const code = await new Promise((resolve) => child.once('exit', resolve));
    expect(code).toBe(0);
    const messages = stdout.trim().split('\n');
    expect(messages.map((line) => JSON.parse(line))).toMatchObject([{ id: 1, result: { serverInfo: {} } }]);
  });

  it('rejects what is no message with the error of JSON-RPC, and continues', async () => {
    const child = start(service.key());
    const lines: string[] = [];
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (chunk) => {
        lines.push(...String(chunk).trim().split('\n'));
        if (lines.some((line) => line.includes('"id":2'))) resolve();
      });
    });
    child.stdin.write('{"jsonrpc":"2.0"\nnonsense\n');
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'records/drop' })}\n`);
    await answered;
    expect(lines.map((line) => JSON.parse(line))).toContainEqual(
      expect.objectContaining({ id: 2, error: expect.objectContaining({ code: -32_601 }) }),
    );
    child.stdin.end();
    expect(await new Promise((resolve) => child.once('exit', resolve))).toBe(0);
  });
});
