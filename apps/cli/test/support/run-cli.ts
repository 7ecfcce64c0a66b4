import { parse } from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { run } from '../../src/run.ts';

/** An interactive terminal of 100 cells, or pipes. */
export type Output = 'terminal' | 'pipe';

export interface CliOptions {
  /** ROSTER_URL; unset by default. */
  url?: string;
  /** ROSTER_KEY; unset by default. */
  key?: string | undefined;
  /** By default a directory without the key of a service. */
  cwd?: string;
  output?: Output;
  columns?: number;
  color?: boolean;
  /** The content of stdin. */
  input?: string | Uint8Array;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Collects the URLs that are opened in a browser. */
  opened?: string[];
  /** Whether there is a browser. */
  hasBrowser?: boolean;
  /** Called with everything that is written to either stream. */
  onWrite?: (text: string) => void;
}

const ROWS = 24;

export interface CliResult {
  exit: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, against a real server. */
export async function runCli(argv: string[], options: CliOptions = {}): Promise<CliResult> {
  const {
    url,
    key,
    cwd = parse(process.cwd()).root,
    output = 'pipe',
    columns = 100,
    color = false,
    input = '',
    env = {},
    signal = new AbortController().signal,
    opened = [],
    hasBrowser = false,
    onWrite = () => undefined,
  } = options;
  const written = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr', text: string) => {
    written[stream] += text;
    onWrite(text);
  };
  const exit = await run(argv, {
    io: {
      stdout: { write: (text) => write('stdout', text), color },
      stderr: { write: (text) => write('stderr', text), color },
      stdin: Readable.from([Buffer.from(input)]),
      screen: new Writable({
        write: (chunk, _encoding, done) => {
          write('stderr', String(chunk));
          done();
        },
      }),
      isTerminal: output === 'terminal',
      isErrorTerminal: output === 'terminal',
      isInteractive: output === 'terminal',
      size: () => ({ columns, rows: ROWS }),
    },
    openUrl: async (shown) => {
      opened.push(shown);
      return hasBrowser;
    },
    env: {
      ...(url !== undefined && { ROSTER_URL: url }),
      ...(key !== undefined && { ROSTER_KEY: key }),
      ...env,
    },
    cwd,
    signal,
    version: '1.2.3',
  });
  return { exit, ...written };
}

const uuid = /[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;

/** Replaces ids and cursors, which differ between runs; a named id by a text of the same length. */
export function normalize(
  { exit, stdout, stderr }: CliResult,
  names: Record<string, string> = {},
): CliResult {
  const normalized = (text: string) =>
    text
      .replaceAll(uuid, (id) => (names[id] === undefined ? id : `<${names[id]}>`.padEnd(36, '-')))
      .replaceAll(/--cursor [\w-]{20,}/g, '--cursor <cursor>')
      .replaceAll(/Request ID: \S+/g, 'Request ID: <id>')
      .replaceAll(/"requestId": "[^"]+"/g, '"requestId": "<id>"');
  return { exit, stdout: normalized(stdout), stderr: normalized(stderr) };
}

/** A result without times, which differ between runs. */
export function withoutTimes({ exit, stdout, stderr }: CliResult): CliResult {
  const without = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { exit, stdout: without(stdout), stderr: without(stderr) };
}
