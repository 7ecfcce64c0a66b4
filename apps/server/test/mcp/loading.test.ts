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

it('loads the library of MCP with the first message of it, and not at the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-mcp-'));
  const file = join(folder, 'modules');
  await using database = await createTestDatabase();
  await using service = await startServiceProcess({
    databaseUrl: database.url,
    settings: { NODE_OPTIONS: resolvedTo(file) },
  });
  const modules = () => readFileSync(file, 'utf8');
  expect((await service.request('GET', '/agents?limit=1')).status).toBe(200);
  expect((await service.request('POST', '/mcp', [])).status).toBe(400);
  expect(modules()).toContain('/mcp/routes.ts');
  expect(modules()).not.toMatch(/modelcontextprotocol|packages\/mcp/);
  const message = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const accept = { Accept: 'application/json, text/event-stream' };
  expect((await service.request('POST', '/mcp', message, accept)).status).toBe(200);
  expect(modules()).toMatch(/modelcontextprotocol/);
  rmSync(folder, { recursive: true });
});
