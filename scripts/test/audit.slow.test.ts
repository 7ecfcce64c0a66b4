import { once } from 'node:events';
import { createServer } from 'node:http';
import process from 'node:process';
import { expect, it, onTestFinished } from 'vitest';
import { audit } from '../checks/audit.ts';

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

it('finds known vulnerabilities of shipped dependencies, and tells none found from no answer', async () => {
  const verdicts = await Promise.all([
    verdictOf(200, { fastify: [advisory] }),
    verdictOf(200, {}),
    verdictOf(405, {}),
  ]);
  expect(verdicts.map(({ kind }) => kind)).toEqual(['found', 'clean', 'unasked']);
  expect(verdicts[0]?.text).toBe('high: fastify <999: Bodies are read twice (https://example.com/advisory)');
  expect(verdicts[2]?.text).toContain('405');
});
