import process from 'node:process';
import pino, { type DestinationStream, type Logger } from 'pino';
import { loggedError } from './error-serializer.ts';
import { prettyLine } from './pretty-log.ts';

const FLUSH_MS = 1_000;
/** What pino writes at once is 16 KiB at most; it takes no buffer as large. */
const BUFFER_BYTES = 16_000;

export const logFormats = ['auto', 'json', 'pretty'] as const;

/**
 * Standard output as a log is written to it: lines for people, at once, or JSON for machines; `auto` is the first when
 * standard output is a terminal.
 */
export function logDestination(format: (typeof logFormats)[number]): DestinationStream {
  const isPretty = format === 'pretty' || (format === 'auto' && process.stdout.isTTY);
  return isPretty ? { write: (line) => void process.stdout.write(prettyLine(line)) } : standardOutput();
}

/**
 * The log of the process: JSON lines on standard output. They are written some at a time, at the latest after a second
 * and at the end of the process: a write for each request costs more than the rest of a small request.
 *
 * No line holds a secret or a person's data: of an error it shows what `loggedError` lets through, of a request no more
 * than its method, whoever logs it. Tests pass a destination of their own.
 */
export function openLog(level: string, destination: DestinationStream = standardOutput()): Logger {
  return pino(
    {
      level,
      serializers: {
        err: loggedError,
        req: ({ method }: { method: string }) => ({ method }),
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      },
      hooks: { logMethod: withoutMessageOfError },
    },
    destination,
  );
}

/** It gathers bytes: where it gathers text it counts the bytes of all it has at every line. */
function standardOutput(): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
    contentMode: 'buffer',
  });
  const write: (line: Buffer) => boolean = output.write.bind(output) as never;
  return Object.assign(output, { write: (line: string) => write(Buffer.from(line)) });
}

/** A line about an error takes the error's message for its own where it has none, and libraries pass it themselves. */
function withoutMessageOfError(this: Logger, args: unknown[], log: (...args: unknown[]) => void): void {
  const [subject, text] = args;
  const error = subject instanceof Error ? subject : (subject as { err?: unknown } | undefined)?.err;
  if (!(error instanceof Error)) log.apply(this, args);
  else if (text === undefined || text === error.message) log.call(this, { err: error }, 'an error');
  else log.apply(this, args);
}
