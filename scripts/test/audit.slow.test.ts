import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { audit, auditPins } from '../checks/audit.ts';

/** The verdict where the registry answers so. */
async function verdictOf(status: number, advisories: object) {
  const registry = createServer((request, response) => {
    request.resume();
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(advisories));
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void registry.close());
  await once(registry, 'listening');
  const address = registry.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return audit({ ...process.env, pnpm_config_registry: `http://127.0.0.1:${port}/` });
}

const advisory = {
  id: 1,
  url: 'https://example.com/advisory',
  title: 'Bodies are read twice',
  severity: 'high',
  vulnerable_versions: '<999',
  cwe: ['CWE-1'],
  cvss: { score: 8, vectorString: null },
};

it('finds known vulnerabilities of shipped dependencies, and tells none found from no response', async () => {
  const verdicts = await Promise.all([
    verdictOf(200, { fastify: [advisory] }),
    verdictOf(200, {}),
    verdictOf(405, {}),
  ]);
  expect(verdicts.map(({ kind }) => kind)).toEqual(['found', 'clean', 'unasked']);
  expect(verdicts[0]?.text).toBe('high: fastify <999: Bodies are read twice (https://example.com/advisory)');
  expect(verdicts[2]?.text).toContain('405');
});

it('looks up the runtime, PostgreSQL and the images, and names what nothing checks', async () => {
  const lines = await auditPins();
  for (const file of ['scripts/node/package.json', 'pnpm-workspace.yaml', 'Dockerfile']) {
    const pin = new RegExp(`Node\\.js \\d+\\.\\d+\\.\\d+ \\(${file}\\)`);
    expect(lines.some((line) => pin.test(line))).toBe(true);
  }
  for (const file of ['pnpm-workspace.yaml', 'compose.yaml'])
    expect(lines.some((line) => line.includes('PostgreSQL') && line.includes(file))).toBe(true);
  expect(lines.filter((line) => line.startsWith('not checked:'))).toEqual([
    expect.stringMatching(/^not checked: HAProxy \d+\.\d+\.\d+ \(compose\.yaml\)/),
  ]);
  expect(
    lines.filter((line) => !/^(RAISE IT|nothing known until [\d-]+|not checked): [\w.]+ \d+\.\d+/.test(line)),
  ).toEqual([]);
});
