import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { expect, it } from 'vitest';
import { startTestServer } from '../support/index.ts';
import { createConformanceServer } from '../support/mcp-conformance/index.ts';

const suite = new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url);

/** The suite sends no key: this adds it, and leaves everything else as it is. */
async function startKeyedProxy(target: string, key: string): Promise<{ url: string } & AsyncDisposable> {
  const proxy = createServer((given, result) => {
    const headers = { ...given.headers, authorization: `Bearer ${key}` };
    const sent = forward(`${target}${given.url}`, { method: given.method, headers }, (response) => {
      result.writeHead(response.statusCode ?? 500, response.headers);
      response.pipe(result);
    });
    sent.on('error', () => result.destroy());
    result.on('close', () => sent.destroy());
    given.pipe(sent);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    [Symbol.asyncDispose]: async () => {
      proxy.closeAllConnections();
      proxy.close();
    },
  };
}

interface Check {
  id: string;
  status: string;
  errorMessage?: string;
}

/** Runs what a revision of the protocol requires; resolves to the failed checks of each scenario that is scored. */
async function failuresOf(url: string, revision: string): Promise<{ scenarios: number; failures: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'roster-conformance-'));
  const argv = [suite.pathname, 'server', '--url', url, '--requirements', revision, '-o', folder];
  const output = await new Promise<string>((resolve) => {
    execFile(process.execPath, argv, { maxBuffer: 2 ** 26 }, (_, stdout, stderr) => resolve(stdout + stderr));
  });
  const [scored = '', unscored = ''] = output.split('Not scored for');
  const left = Array.from(unscored.matchAll(/^ +[✓✗] (\S+)/gm), ([, name]) => name);
  const scenarios = Array.from(scored.matchAll(/^[✓✗] ([\w-]+):/gm), ([, name = '']) => name).filter(
    (name) => !left.includes(name),
  );
  const folders = readdirSync(folder);
  const failures = scenarios.flatMap((name) => {
    const of = folders.find((one) => new RegExp(`^server-${name}-\\d{4}-`).test(one));
    const checks: Check[] = of ? JSON.parse(readFileSync(join(folder, of, 'checks.json'), 'utf8')) : [];
    return checks
      .filter(({ status }) => status === 'FAILURE')
      .map(({ id, errorMessage }) => `${name}: ${id} (${errorMessage})`);
  });
  rmSync(folder, { recursive: true });
  return { scenarios: scenarios.length, failures };
}

/** What needs a session in 2025-11-25, and Roster does not do: to ask the client during a call. The fixture has no such tools. */
const asking = [
  'tools-call-sampling',
  'tools-call-elicitation',
  'elicitation-sep1034-defaults',
  'elicitation-sep1330-enums',
];

it.each([
  ['2026-07-28', [], 37],
  ['2025-11-25', asking, 30],
] as const)('passes the scenarios that %s requires', async (revision, unsupported, count) => {
  await using server = await startTestServer({ createMcpServer: createConformanceServer });
  await using proxy = await startKeyedProxy(server.url, server.key);
  const { scenarios, failures } = await failuresOf(proxy.url, revision);
  expect(scenarios).toBe(count);
  const unexpected = failures.filter((line) => !unsupported.some((name) => line.startsWith(`${name}:`)));
  expect(unexpected).toEqual([]);
  for (const name of unsupported) expect(failures.join('\n')).toContain(name);
});
