import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The service as an operator runs it: a process of its own. */
export interface ServiceProcess extends AsyncDisposable {
  /** The URL that it logs. */
  url: string;
  /** The data directory that it logs. */
  data: string;
  pid: number;
  request(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Response>;
  /** All it has written so far, to both of its streams. */
  output(): string;
  /** Ends it at once, as a power cut would. */
  kill(): Promise<void>;
  /** Sends a signal. */
  signal(signal: NodeJS.Signals): void;
  /** Sends a signal and waits for the end of the process; resolves to its exit code, null if the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

interface ServiceOptions {
  /** The database to use; without it the local one in `dataDir`. */
  databaseUrl?: string;
  dataDir?: string;
  /** A key with all scopes. */
  key?: string;
  settings?: Record<string, string>;
  /** Whether it is the leader of a process group of its own, as a command is on a terminal. */
  isGroup?: boolean;
}

const main = fileURLToPath(new URL('../../../src/main.ts', import.meta.url));
const KEY = 'a-key-for-tests-of-whole-processes-0';

/** Starts the service on a free port; resolves when it logs its URL. */
export async function startServiceProcess(options: ServiceOptions): Promise<ServiceProcess> {
  const { databaseUrl = '', dataDir = '', key = KEY, settings, isGroup = false } = options;
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    ROSTER_DATA_DIR: dataDir,
    PORT: '0',
    ROSTER_ADMIN_KEY: key,
    ROSTER_RATE_LIMIT: '0',
    ...settings,
  };
  const child = spawn(process.execPath, [main], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: isGroup,
  });
  let output = '';
  const [url, data] = await new Promise<[string, string]>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      output += chunk;
      const [, listensAt, dataIn] =
        /listens at\s+(\S+)\n[\s\S]*data are in\s+(\S+)[^\n]*\n/.exec(output) ?? [];
      if (listensAt !== undefined && dataIn !== undefined) resolve([listensAt, dataIn]);
    };
    child.stdout.on('data', hear);
    child.stderr.on('data', hear);
    child.once('exit', (code) => reject(new Error(`the service ended with ${code}: ${output}`)));
  });
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    const [code] = await exited;
    return code as number | null;
  };
  const kill = async () => {
    await end('SIGKILL');
  };
  return {
    url,
    data,
    pid: child.pid ?? 0,
    request: (method, path, body, headers = {}) =>
      fetch(`${url}${path}`, {
        method,
        headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
        ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      }),
    output: () => output,
    kill,
    signal: (signal) => child.kill(signal),
    end,
    [Symbol.asyncDispose]: kill,
  };
}
