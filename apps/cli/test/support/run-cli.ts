import { parse } from 'node:path';
import process from 'node:process';
import { Readable, Writable } from 'node:stream';
import { run } from '../../src/run.ts';

/** A terminal of 100 cells with a person at it, or a pipe with nobody. */
export type Place = 'terminal' | 'pipe';

export interface CliOptions {
  /** ROSTER_URL; not set unless given. */
  url?: string;
  /** ROSTER_KEY; not set unless given. */
  key?: string | undefined;
  /** Where there is no key of a service to be found, unless given. */
  cwd?: string;
  place?: Place;
  columns?: number;
  color?: boolean;
  /** What comes from stdin. */
  input?: string;
  env?: Record<string, string>;
  signal?: AbortSignal;
  /** Takes the URLs that are opened in a browser. */
  opened?: string[];
  /** Whether there is a browser. */
  hasBrowser?: boolean;
  /** Sees what is written to either stream, as it is written. */
  onWrite?: (text: string) => void;
}

const ROWS = 24;

export interface Outcome {
  exit: number;
  stdout: string;
  stderr: string;
}

/** Runs a command line in this process, against a real server. */
export async function runCli(argv: string[], options: CliOptions = {}): Promise<Outcome> {
  const {
    url,
    key,
    cwd = parse(process.cwd()).root,
    place = 'pipe',
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
      isTerminal: place === 'terminal',
      isErrorTerminal: place === 'terminal',
      isInteractive: place === 'terminal',
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

/** Ids and cursors differ from run to run: here they are the same, and named ids as long as they were. */
export function steady({ exit, stdout, stderr }: Outcome, names: Record<string, string> = {}): Outcome {
  const steadied = (text: string) =>
    text
      .replaceAll(uuid, (id) => (names[id] === undefined ? id : `<${names[id]}>`.padEnd(36, '-')))
      .replaceAll(/--cursor \S+,/g, '--cursor <cursor>,')
      .replaceAll(/Request id: \S+/g, 'Request id: <id>')
      .replaceAll(/"requestId": "[^"]+"/g, '"requestId": "<id>"');
  return { exit, stdout: steadied(stdout), stderr: steadied(stderr) };
}

/** An outcome without its times, which differ from run to run. */
export function timeless({ exit, stdout, stderr }: Outcome): Outcome {
  const without = (text: string) => text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>');
  return { exit, stdout: without(stdout), stderr: without(stderr) };
}
