import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The service as an operator runs it: a process of its own over a database that is there. */
export interface ServiceProcess extends AsyncDisposable {
  url: string;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** All it has written so far, to both of its streams. */
  output(): string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
}

interface ServiceOptions {
  databaseUrl: string;
  key: string;
  settings?: Record<string, string>;
}

const main = fileURLToPath(new URL('../main.ts', import.meta.url));

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGKILL');
  await exited;
}

/** Starts the service on a free port; resolves when it says where it listens. */
export async function startServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const { databaseUrl, key, settings } = options;
  const env = { ...process.env, DATABASE_URL: databaseUrl, PORT: '0', ROSTER_ADMIN_KEY: key, ...settings };
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      const [, said] = /listens at\s+(\S+)\n/.exec(output) ?? [];
      if (said !== undefined) resolve(said);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${output}`)));
  });
  return {
    url,
    request: (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
    output: () => output,
    kill: () => kill(child),
    [Symbol.asyncDispose]: () => kill(child),
  };
}
