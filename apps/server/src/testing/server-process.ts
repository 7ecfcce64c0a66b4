import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The server as people start it: a process of its own, over the embedded database in a directory. */
export interface ServerProcess {
  /** Where it says it listens. */
  url: string;
  /** Where it says the data are. */
  data: string;
  request(method: string, path: string, body?: unknown): Promise<Response>;
  /** Sends a signal and waits for the end of the process; answers its exit code, null where the signal ended it. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>;
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

const KEY = 'a-key-for-tests-of-whole-processes-0';

async function welcomeOf(child: ChildProcess): Promise<string> {
  let said = '';
  let complained = '';
  child.stderr?.on('data', (chunk) => {
    complained += chunk;
  });
  return new Promise((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}: ${complained}`)));
    child.stdout?.on('data', (chunk) => {
      said += chunk;
      if (/curl .+\n/.test(said)) resolve(said);
    });
  });
}

/** Starts the server on a free port; resolves when it says that it listens. */
export async function startServerProcess(dataDir: string): Promise<ServerProcess> {
  const env = {
    ...process.env,
    DATABASE_URL: '',
    PORT: '0',
    ROSTER_DATA_DIR: dataDir,
    ROSTER_LOG_LEVEL: 'silent',
    ROSTER_ADMIN_KEY: KEY,
    ROSTER_RATE_LIMIT: '0',
  };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = await welcomeOf(child);
  const url = /listens at\s+(\S+)/.exec(said)?.[1] ?? '';
  return {
    url,
    data: /data are in\s+(\S+)/.exec(said)?.[1] ?? '',
    request: (method, path, body) =>
      fetch(`${url}${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${KEY}`,
          ...(body !== undefined && { 'Content-Type': 'application/json' }),
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    end: async (signal) => {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      const [code] = await exited;
      return code;
    },
  };
}
