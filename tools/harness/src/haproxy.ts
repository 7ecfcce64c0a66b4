import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '@roster/local-postgres/testing/proxy';
import type { Balancer } from './balancer.ts';
import { until } from './until.ts';

/** What a deployment ships. */
const SHIPPED = new URL('../../../deploy/haproxy.cfg', import.meta.url);
const STARTING_MS = 10_000;
const LOOK_EVERY_MS = 20;

/** The shipped configuration with our addresses, and with few enough connections for any limit on open files. */
function configurationOf(shipped: string, port: number, servers: readonly number[]): string {
  const lines = shipped.split('\n').filter((line) => !/^\s*server\s/.test(line));
  const ours = servers.map((server, index) => `  server server-${index} 127.0.0.1:${server}`);
  return [...lines, ...ours, '']
    .join('\n')
    .replace(/bind \S+/, `bind 127.0.0.1:${port}`)
    .replaceAll(/maxconn \d+/g, 'maxconn 400');
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect({ host: '127.0.0.1', port });
  await once(socket, 'connect').finally(() => socket.destroy());
  return true;
}

async function end(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  if (child.exitCode === null && child.signalCode === null && child.kill('SIGKILL')) await exited;
}

/** Whether HAProxy is installed. */
export function hasHaproxy(): Promise<boolean> {
  return promisify(execFile)('haproxy', ['-v']).then(
    () => true,
    () => false,
  );
}

/** HAProxy before the servers, as a deployment has it; cut by SIGKILL, and started again. */
export async function startHaproxy(servers: readonly number[], directory: string): Promise<Balancer> {
  const port = await freePort();
  const file = join(directory, 'haproxy.cfg');
  await writeFile(file, configurationOf(await readFile(SHIPPED, 'utf8'), port, servers));
  const log = await open(join(directory, 'haproxy.log'), 'a');
  const start = async () => {
    const child = spawn('haproxy', ['-db', '-f', file], { stdio: ['ignore', log.fd, log.fd] });
    await once(child, 'spawn');
    await until('the start of HAProxy', () => isOpen(port), {
      withinMs: STARTING_MS,
      everyMs: LOOK_EVERY_MS,
    });
    return child;
  };
  let running = await start();
  return {
    name: 'HAProxy',
    port,
    cut: async () => {
      await end(running);
      running = await start();
    },
    [Symbol.asyncDispose]: async () => {
      await end(running);
      await log.close();
    },
  };
}
