import { execFile } from 'node:child_process';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createClient } from '@hey-api/openapi-ts';
import { openApiDocument } from '@roster/api/openapi';
import { startTestServer } from '@roster/server/testing';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const home = join(import.meta.dirname, '..');
const tours = join(import.meta.dirname, 'tours');
/** Inside the package, so that what is generated finds the libraries it imports. */
const work = join(home, '.generated');
const contract = join(work, 'openapi.json');

const compilerOptions = {
  target: 'es2024',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  types: ['node'],
  // More of them check the same libraries again.
  checkers: 1,
};

async function compile(folder: string): Promise<string> {
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  const tsc = join(home, '../../node_modules/.bin/tsc');
  const { stdout } = await run(tsc, ['-p', folder]).catch((error: { stdout: string }) => error);
  return stdout;
}

async function runTour(folder: string): Promise<string> {
  await using server = await startTestServer();
  const env = { ...process.env, ROSTER_URL: server.url, ROSTER_KEY: server.key };
  const { stdout } = await run(
    process.execPath,
    ['--experimental-transform-types', join(folder, 'tour.ts')],
    { env },
  );
  return stdout;
}

async function folderFor(name: string): Promise<string> {
  const folder = join(work, name);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await cp(join(tours, `${name}.ts`), join(folder, 'tour.ts'));
  return folder;
}

const whole = [
  'created',
  'listed',
  'read',
  'unchanged',
  'patched',
  'rejected',
  'deactivated',
  'deleted',
  'restored',
];

describe('a client generated from the document', () => {
  beforeAll(async () => {
    await mkdir(work, { recursive: true });
    await writeFile(contract, JSON.stringify(openApiDocument({ baseUrl: '/' })));
  });
  afterAll(() => rm(work, { recursive: true, force: true }));

  it('by openapi-typescript, for openapi-fetch, compiles and goes the whole tour', async () => {
    const folder = await folderFor('openapi-fetch');
    const types = await openapiTypescript(new URL(`file://${contract}`));
    await writeFile(join(folder, 'schema.ts'), astToString(types));
    expect(await compile(folder)).toBe('');
    expect((await runTour(folder)).trim().split('\n')).toEqual(whole);
  });

  it('by @hey-api/openapi-ts compiles and goes the whole tour', async () => {
    const folder = await folderFor('hey-api');
    await createClient({
      input: contract,
      output: { path: join(folder, 'client'), module: { extension: '.ts' } },
      plugins: ['@hey-api/client-fetch', '@hey-api/typescript', '@hey-api/sdk'],
      logs: { level: 'silent' },
    });
    expect(await compile(folder)).toBe('');
    expect((await runTour(folder)).trim().split('\n')).toEqual(whole);
  });
});
