import { hostname } from 'node:os';
import process from 'node:process';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { serializeError } from './error-serializer.ts';
import { prettyLine } from './pretty-log.ts';

const FLUSH_MS = 1_000;
/** About 200 lines: written one by one, they cost more than the rest of a small request. The longest line still fits into a write. */
const ALONE = { minLength: 56 * 1024, maxWrite: 64 * 1024 };
/** Several processes share standard output: writes of at most PIPE_BUF bytes are not mixed (pipe(7)). */
const SHARED = { minLength: 4_000, maxWrite: 4_096 };

export interface ServerLogger extends Logger {
  /** `fields` are members of a JSON object: `"status":200,"statements":1`. */
  infoJson(fields: string, message: string): void;
}

/** `isShared`: other processes write there too, so lines are not mixed, and pretty ones name the process. */
export function logDestination(
  format: Config['logFormat'],
  { isShared = false }: { isShared?: boolean } = {},
): DestinationStream {
  if (!isPretty(format)) return standardOutput(isShared);
  // A terminal may show a step of the start in this line.
  const cleared = process.stdout.isTTY ? '\r\x1b[K' : '';
  return { write: (line) => void process.stdout.write(cleared + prettyLine(line, { hasPid: isShared })) };
}

/** Other output may stand among pretty lines; JSON has standard output alone. */
export function isPretty(format: Config['logFormat']): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true);
}

export function isReadByPeople(format: Config['logFormat']): boolean {
  return process.stdout.isTTY && format !== 'json';
}

/** On a terminal, requests would scroll away what people read. */
function levelOf(level: Config['logLevel']): Exclude<Config['logLevel'], 'auto'> {
  if (level !== 'auto') return level;
  return process.stdout.isTTY ? 'warn' : 'info';
}

/** Lines contain no secret and no personal data. Standard output is buffered for at most a second. */
export function createLogger(
  level: Config['logLevel'],
  destination: DestinationStream = standardOutput(),
): ServerLogger {
  const logger = pino(
    {
      level: levelOf(level),
      serializers: {
        err: serializeError,
        req: ({ method }: { method: string }) => ({ method }),
        res: ({ statusCode }: { statusCode: number }) => ({ statusCode }),
      },
      hooks: { logMethod: withoutMessageOfError },
    },
    destination,
  );
  const start = `"level":${logger.levels.values.info},"time":`;
  const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;
  const infoJson = (fields: string, message: string) => {
    if (!logger.isLevelEnabled('info')) return;
    destination.write(`{${start}${Date.now()},${origin},${fields},"msg":${JSON.stringify(message)}}\n`);
  };
  return Object.assign(logger, { infoJson });
}

/** Bytes, because pino would count those of a text again at every line. */
function standardOutput(isShared = false): DestinationStream {
  const output = pino.destination({
    dest: 1,
    sync: false,
    ...(isShared ? SHARED : ALONE),
    periodicFlush: FLUSH_MS,
    contentMode: 'buffer',
  });
  const write = output.write.bind(output) as (line: string | Buffer) => boolean;
  return Object.assign(output, { write: (line: string) => write(Buffer.from(line)) });
}

/** pino and libraries use the message of the error, which may quote values. */
function withoutMessageOfError(this: Logger, args: unknown[], log: (...args: unknown[]) => void): void {
  const [subject, text] = args;
  const error = subject instanceof Error ? subject : (subject as { err?: unknown } | undefined)?.err;
  if (!(error instanceof Error)) log.apply(this, args);
  else if (text === undefined || text === error.message) log.call(this, { err: error }, 'an error');
  else log.apply(this, args);
}
