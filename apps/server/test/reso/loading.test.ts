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

it('loads the RESO Web API with its first request, and not at the start', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'roster-reso-'));
  const file = join(folder, 'modules');
  await using database = await createTestDatabase();
  await using service = await startServiceProcess({
    databaseUrl: database.url,
    settings: { NODE_OPTIONS: resolvedTo(file) },
  });
  const modules = () => readFileSync(file, 'utf8');
  expect((await service.request('GET', '/agents?limit=1')).status).toBe(200);
  expect(modules()).toContain('/reso/routes.ts');
  const lazy = /packages\/odata\/|packages\/import\/|\/reso\/handler\.ts|resources\/query\/query-records\.ts/;
  expect(modules()).not.toMatch(lazy);
  expect((await service.request('GET', '/reso/Member')).status).toBe(200);
  expect(modules()).toMatch(lazy);
  rmSync(folder, { recursive: true });
});
