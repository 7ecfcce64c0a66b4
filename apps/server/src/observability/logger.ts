import process from 'node:process';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { serializeError } from './error-serializer.ts';
import { prettyLine } from './pretty-log.ts';

const FLUSH_MS = 1_000;
/** In bytes; pino writes at most 16 KiB at once, and the buffer must be smaller. */
const BUFFER_BYTES = 16_000;

/**
 * Standard output as the destination of a log: `pretty` lines, written at once, or buffered JSON. `auto` is `pretty` if standard
 * output is a terminal.
 */
export function logDestination(format: Config['logFormat']): DestinationStream {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  return isPretty ? { write: (line) => void process.stdout.write(prettyLine(line)) } : standardOutput();
}

/**
 * Creates the logger of the process. Lines contain no secret and no personal data: of an error what `serializeError` returns, of
 * a request only its method.
 *
 * @param destination standard output unless given: JSON lines, buffered for at most a second, because a write for each request
 *   costs more than the rest of a small request
 */
export function createLogger(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      serializers: {
        err: serializeError,
        req: ({ method }: { method: string }) => ({ method }),
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      },
      hooks: { logMethod: withoutMessageOfError },
    },
    destination,
  );
}

/** Buffers bytes rather than text, whose length in bytes pino would count again at every line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
    contentMode: 'buffer',
  });
  const write = output.write.bind(output) as (line: string | Buffer) => boolean;
  return Object.assign(output, { write: (line: string) => write(Buffer.from(line)) });
}

/** Replaces the message of a line about an error: pino and libraries use the error's own, which may quote values. */
function withoutMessageOfError(this: Logger, args: unknown[], log: (...args: unknown[]) => void): void {
  const [subject, text] = args;
  const error = subject instanceof Error ? subject : (subject as { err?: unknown } | undefined)?.err;
  if (!(error instanceof Error)) log.apply(this, args);
  else if (text === undefined || text === error.message) log.call(this, { err: error }, 'an error');
  else log.apply(this, args);
}
