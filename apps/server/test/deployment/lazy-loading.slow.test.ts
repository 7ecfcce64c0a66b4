import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTestDatabase } from '@roster/db/testing';
import { expect, it } from 'vitest';
import { startServiceProcess } from '../support/index.ts';

/** What makes a process write the URL of every module that it resolves to a file. */
function resolvedTo(file: string): string {
  const program = `import { appendFileSync } from 'node:fs';
    import { registerHooks } from 'node:module';
    registerHooks({ resolve(name, context, next) {
      const found = next(name, context);
      appendFileSync(${JSON.stringify(file)}, found.url + '\\n');
      return found;
    } });`;
  return `--import=data:text/javascript,${encodeURIComponent(program)}`;
}

/** Starts the service in a process of its own, with what tells which modules it has loaded. */
async function startWatched() {
  const folder = mkdtempSync(join(tmpdir(), 'roster-modules-'));
  const file = join(folder, 'modules');
  const database = await createTestDatabase();
  const settings = { NODE_OPTIONS: resolvedTo(file) };
  const service = await startServiceProcess({ databaseUrl: database.url, settings });
  return {
    service,
    modules: () => readFileSync(file, 'utf8'),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}

it('loads the library of MCP with the first message of it, and not at the start', async () => {
  await using watched = await startWatched();
  const { service, modules } = watched;
  expect((await service.request('GET', '/agents?limit=1')).status).toBe(200);
  expect((await service.request('POST', '/mcp', [])).status).toBe(400);
  expect(modules()).toContain('/mcp/routes.ts');
  expect(modules()).not.toMatch(/modelcontextprotocol|packages\/mcp/);
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const accept = { Accept: 'application/json, text/event-stream' };
  expect((await service.request('POST', '/mcp', message, accept)).status).toBe(200);
  expect(modules()).toMatch(/modelcontextprotocol/);
});

it('loads the RESO Web API with its first request, and not at the start', async () => {
  await using watched = await startWatched();
  const { service, modules } = watched;
  expect((await service.request('GET', '/agents?limit=1')).status).toBe(200);
  expect(modules()).toContain('/reso/routes.ts');
  const lazy =
    /packages\/(odata|import\/src\/(?!json-members|values\/countries)|reso\/src\/reso\.ts)|\/query\/query-records\.ts/;
  expect(modules()).not.toMatch(lazy);
  expect((await service.request('GET', '/reso/Member')).status).toBe(200);
  expect(modules()).toMatch(lazy);
});

it('loads nothing for several processes if there is one', async () => {
  await using watched = await startWatched();
  expect(watched.modules()).toContain('/cli/serve.ts');
  expect(watched.modules()).not.toMatch(/\/cli\/processes\.ts|node:cluster/);
});
