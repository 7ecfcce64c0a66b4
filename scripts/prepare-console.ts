// Run by scripts/start.ts beside the server, whose address is the argument: once the service responds, installs what builds the console, and
// puts the console into the bundle, in the place of the page that says so.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { setTimeout } from 'node:timers/promises';
import { buildServer } from './packaging/server.ts';

const CHECK_MS = 200;
/** Longer than a start takes on a slow machine. */
const START_MAX_MS = 120_000;

const [address = ''] = process.argv.slice(2);
const { directory: bundle } = buildServer();

/** Resolves when the service is ready, or after the longest start. */
async function waitUntilReady(): Promise<void> {
  const givenUpAt = performance.now() + START_MAX_MS;
  const isReady = () =>
    fetch(`${address}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (performance.now() < givenUpAt && !(await isReady())) await setTimeout(CHECK_MS);
}

/** Runs a script in a process group of its own, which ends with this process. Throws what it printed if it fails. */
async function runScript(...args: string[]): Promise<void> {
  const child = spawn(process.execPath, args, { detached: true, stdio: ['ignore', 'pipe', 'pipe'] });
  const end = (signal: NodeJS.Signals) => {
    if (child.pid !== undefined) process.kill(-child.pid, signal);
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, end);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const [code] = await once(child, 'close');
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.off(signal, end);
  if (code !== 0) throw new Error(output.trim());
}

// Requests come first.
setPriority(constants.priority.PRIORITY_LOW);
await waitUntilReady();
try {
  await runScript(join(import.meta.dirname, 'install.mjs'), '--console');
  await runScript(join(import.meta.dirname, 'packaging/server.ts'));
} catch (error) {
  // Without its page the server says that there is no console, and how to build it.
  rmSync(join(bundle, 'console'), { recursive: true, force: true });
  process.stderr.write(
    `${(error as Error).message}\nThe console could not be prepared. The service runs without it.\n`,
  );
  process.exitCode = 1;
}
