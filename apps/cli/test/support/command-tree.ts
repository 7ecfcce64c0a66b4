import { Readable, Writable } from 'node:stream';
import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import { buildProgram } from '../../src/program.ts';

const silent = { write: () => undefined, color: false };

/** Returns the whole command tree. None of its commands can be run. */
export function commandTree(): CommandUnknownOpts {
  return buildProgram({
    io: {
      stdout: silent,
      stderr: silent,
      stdin: Readable.from([]),
      screen: new Writable(),
      isTerminal: false,
      isErrorTerminal: false,
      isInteractive: false,
      size: () => ({ columns: 80, rows: 24 }),
    },
    env: {},
    cwd: '/',
    signal: AbortSignal.abort(),
    version: '',
    openUrl: async () => false,
  });
}
