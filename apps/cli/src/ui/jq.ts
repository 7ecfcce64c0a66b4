import { usageError } from '../errors.ts';
import type { IoStreams } from './io-streams.ts';

const COMPILE_ERROR = 3;

function messageOf(stderr: string): string {
  return stderr.split('\n')[0]?.replace(/^jq: (error: )?/, '') ?? '';
}

/**
 * Streams whose stdout filters every JSON text through a jq expression (jq 1.8) and prints strings without quotes. Throws a
 * usage error for an invalid expression, before anything is written.
 */
export async function filteredBy(expression: string, io: IoStreams): Promise<IoStreams> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // Compiles the expression without running it.
  const checked = jq.raw(null, `if false then (${expression}\n) else empty end`);
  if (checked.exitCode === COMPILE_ERROR) throw usageError(`--jq: ${messageOf(checked.stderr)}`);
  return {
    ...io,
    stdout: {
      ...io.stdout,
      write: (text) => {
        if (typeof text !== 'string') return io.stdout.write(text);
        const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-r']);
        if (stdout !== '') io.stdout.write(`${stdout}\n`);
        if (exitCode !== 0) throw usageError(`--jq: ${messageOf(stderr)}`);
        return true;
      },
    },
  };
}
