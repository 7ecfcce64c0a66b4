import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';

/** Keys as a terminal sends them. */
export const keys = {
  enter: '\r',
  tab: '\t',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  backspace: '\u007f',
};

/** A program in a pseudo-terminal. */
export interface Terminal extends Disposable {
  /** Waits for new output that contains a text. Throws the whole output if it does not appear. */
  sees(text: string | RegExp): Promise<void>;
  type(text: string): void;
  /** Resolves to the exit code. */
  exit: Promise<number>;
  /** The whole output, without escape sequences. */
  text(): string;
  /** The whole output as it was written. */
  output(): string;
}

const TIMEOUT_MS = 20_000;

/** Starts a program in a pseudo-terminal of 100 by 30 cells, with an empty home directory. */
export function startAt(program: string, argv: string[], env: Record<string, string>): Terminal {
  const home = mkdtempSync(join(tmpdir(), 'roster-home-'));
  const child = spawn(program, argv, {
    cols: 100,
    rows: 30,
    cwd: home,
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8', HOME: home, ...env },
  });
  let written = '';
  let output = '';
  let seen = 0;
  let hasEnded = false;
  const listeners = new Set<() => void>();
  child.onData((data) => {
    output += data;
    written += stripVTControlCharacters(data);
    for (const listener of listeners) listener();
  });
  const exit = new Promise<number>((resolve) => {
    child.onExit(({ exitCode }) => {
      hasEnded = true;
      resolve(exitCode);
    });
  });
  const find = (text: string | RegExp): boolean => {
    const rest = written.slice(seen);
    const at = rest.search(
      typeof text === 'string' ? new RegExp(text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')) : text,
    );
    if (at < 0) return false;
    seen += at + 1;
    return true;
  };
  /** Waits until output makes a condition true. */
  const until = (isMet: () => boolean, expected: string | RegExp) =>
    new Promise<void>((resolve, reject) => {
      const end = (result: () => void) => {
        clearTimeout(timer);
        listeners.delete(look);
        result();
      };
      const look = () => {
        if (isMet()) end(resolve);
      };
      const giveUp = () =>
        end(() => reject(new Error(`${expected} did not appear; the output was:\n${written}`)));
      const timer = setTimeout(giveUp, TIMEOUT_MS);
      listeners.add(look);
      look();
    });
  return {
    sees: (text) => until(() => find(text), text),
    type: (text) => child.write(text),
    exit,
    text: () => written,
    output: () => output,
    [Symbol.dispose]: () => {
      if (!hasEnded) child.kill('SIGKILL');
    },
  };
}

/** A PATH with `roster` as if it were installed. */
export function pathWithRoster(): string {
  const directory = mkdtempSync(join(tmpdir(), 'roster-bin-'));
  const main = new URL('../../src/roster.js', import.meta.url).pathname;
  const script = `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`;
  writeFileSync(join(directory, 'roster'), script, { mode: 0o755 });
  return `${directory}:${process.env.PATH}`;
}
