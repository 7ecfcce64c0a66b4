import type { Io } from '../context/io-streams.ts';
import { usageError } from '../errors/errors.ts';

const COMPILE_ERROR = 3;

function faultOf(stderr: string): string {
  return stderr.split('\n')[0]?.replace(/^jq: (error: )?/, '') ?? '';
}

/**
 * The io of a command whose JSON goes through a jq expression (jq 1.8): every JSON text that is written to stdout becomes
 * what the expression makes of it, strings without quotes. Throws a usage error for what is no expression, before anything
 * is done.
 */
export async function filteredBy(expression: string, io: Io): Promise<Io> {
  const { loadJq } = await import('jq-wasm/inline');
  const jq = await loadJq();
  // Compiles it, and runs nothing of it.
  const checked = jq.raw(null, `if false then (${expression}\n) else empty end`);
  if (checked.exitCode === COMPILE_ERROR) throw usageError(`--jq: ${faultOf(checked.stderr)}`);
  return {
    ...io,
    stdout: {
      ...io.stdout,
      write: (text) => {
        if (typeof text !== 'string') return io.stdout.write(text);
        const { stdout, stderr, exitCode } = jq.raw(text, expression, ['-r']);
        if (stdout !== '') io.stdout.write(`${stdout}\n`);
        if (exitCode !== 0) throw usageError(`--jq: ${faultOf(stderr)}`);
        return true;
      },
    },
  };
}
