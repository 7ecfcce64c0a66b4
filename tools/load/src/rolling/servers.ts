import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { freePort } from '@roster/local-postgres/testing/proxy';

const main = fileURLToPath(new URL('../../../../apps/server/src/main.ts', import.meta.url));
const nextRelease = fileURLToPath(
  new URL('../../../../packages/db/src/testing/next-release.ts', import.meta.url),
);

/** `old` is the server as it is; `new` the same with the migrations of a next release. */
export type Release = 'old' | 'new';

/** A place where one server after another runs. */
export interface Place {
  url: string;
  /** Starts a server; resolves when it listens. */
  start(release: Release): Promise<void>;
  /** Tells it to stop (SIGTERM); resolves with its exit code. */
  stop(): Promise<number | null>;
  /** What it has written. */
  output(): string;
}

/** A place for servers with these settings. */
export async function placeFor(settings: Record<string, string>): Promise<Place> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let output = '';
  return {
    url: `http://127.0.0.1:${port}`,
    output: () => output,
    async start(release) {
      const flags = release === 'new' ? ['--import', nextRelease] : [];
      const started = spawn(process.execPath, [...flags, main], {
        env: { ...process.env, ...settings, PORT: String(port) },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      child = started;
      let said = '';
      await new Promise<void>((resolve, reject) => {
        for (const stream of [started.stdout, started.stderr]) {
          stream.on('data', (chunk) => {
            output += chunk;
            said += chunk;
            if (said.includes('Roster listens at')) resolve();
          });
        }
        started.once('exit', (code) => reject(new Error(`a server ended with ${code}: ${said}`)));
      });
    },
    async stop() {
      if (child === undefined || child.exitCode !== null) return child?.exitCode ?? null;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = await ended;
      return code as number | null;
    },
  };
}
