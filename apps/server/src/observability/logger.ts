import { hostname } from 'node:os';
import process from 'node:process';
import pino, { type DestinationStream, type Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { serializeError } from './error-serializer.ts';
import { prettyLine } from './pretty-log.ts';

const FLUSH_MS = 1_000;
/**
 * The bytes that are written at once: about 200 lines. Written one by one, lines cost more than the rest of a small request. The
 * buffer is smaller than a write by more than the longest line.
 */
const ALONE = { minLength: 56 * 1024, maxWrite: 64 * 1024 };
/** The same for a standard output that several processes share: writes of at most PIPE_BUF bytes are not mixed (pipe(7)). */
const SHARED = { minLength: 4_000, maxWrite: 4_096 };

/** A logger that also takes a line whose fields are JSON already: the lines of requests, of which there is one for each. */
export interface ServerLogger extends Logger {
  /** Writes a line of the level `info`. `fields` are members of an object of JSON: `"status":200,"statements":1`. */
  infoJson(fields: string, message: string): void;
}

/**
 * Standard output as the destination of a log: `pretty` lines, written at once, or buffered JSON. `auto` is `pretty` if standard
 * output is a terminal.
 *
 * @param options.isShared whether other processes write there too: then lines are not mixed, and pretty lines say the process
 */
export function logDestination(
  format: Config['logFormat'],
  { isShared = false }: { isShared?: boolean } = {},
): DestinationStream {
  if (!isPretty(format)) return standardOutput(isShared);
  // A terminal may show a step of the start in the line.
  const cleared = process.stdout.isTTY ? '\r\x1b[K' : '';
  return { write: (line) => void process.stdout.write(cleared + prettyLine(line, { hasPid: isShared })) };
}

/** Whether a log of a format has lines for people, among which standard output may have others; JSON has it alone. */
export function isPretty(format: Config['logFormat']): boolean {
  return format === 'pretty' || (format === 'auto' && process.stdout.isTTY === true);
}

/** Whether standard output is a terminal, and its log is not one for programs: nothing keeps what is written there. */
export function isReadByPeople(format: Config['logFormat']): boolean {
  return process.stdout.isTTY && format !== 'json';
}

/** `auto` as `warn` if standard output is a terminal, where requests would move away what people read, and `info` elsewhere. */
function levelOf(level: Config['logLevel']): Exclude<Config['logLevel'], 'auto'> {
  if (level !== 'auto') return level;
  return process.stdout.isTTY ? 'warn' : 'info';
}

/**
 * Creates the logger of the process. Lines contain no secret and no personal data: of an error what `serializeError` returns, of
 * a request only its method.
 *
 * @param destination standard output unless given: JSON lines, buffered for at most a second, because a write for each request
 *   costs more than the rest of a small request
 */
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
  // The members that pino begins a line with.
  const start = `"level":${logger.levels.values.info},"time":`;
  const origin = `"pid":${process.pid},"hostname":${JSON.stringify(hostname())}`;
  const infoJson = (fields: string, message: string) => {
    if (!logger.isLevelEnabled('info')) return;
    destination.write(`{${start}${Date.now()},${origin},${fields},"msg":${JSON.stringify(message)}}\n`);
  };
  return Object.assign(logger, { infoJson });
}

/** Buffers bytes rather than text, whose length in bytes pino would count again at every line. */
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

/** Replaces the message of a line about an error: pino and libraries use the error's own, which may quote values. */
function withoutMessageOfError(this: Logger, args: unknown[], log: (...args: unknown[]) => void): void {
  const [subject, text] = args;
  const error = subject instanceof Error ? subject : (subject as { err?: unknown } | undefined)?.err;
  if (!(error instanceof Error)) log.apply(this, args);
  else if (text === undefined || text === error.message) log.call(this, { err: error }, 'an error');
  else log.apply(this, args);
}
