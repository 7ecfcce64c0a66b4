import pino, { type Logger } from 'pino';

const FLUSH_MS = 1_000;
const BUFFER_BYTES = 8_192;

/**
 * The log of the process: JSON lines on standard output. They are written some at a time, at the latest after a second
 * and at the end of the process: a write for each request costs more than the rest of a small request.
 */
export function openLog(level: string): Logger {
  const destination = pino.destination({
    dest: 1,
    sync: false,
    minLength: BUFFER_BYTES,
    periodicFlush: FLUSH_MS,
  });
  return pino({ level }, destination);
}
