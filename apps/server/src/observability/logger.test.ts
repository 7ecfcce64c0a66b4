import { describe, expect, it } from 'vitest';
import { createLogger } from './logger.ts';

/** What a logger of a level writes, line by line, parsed. */
function written(level: 'info' | 'warn', write: (log: ReturnType<typeof createLogger>) => void): unknown[] {
  const lines: string[] = [];
  write(createLogger(level, { write: (line) => void lines.push(line) }));
  for (const line of lines) expect(line.indexOf('\n')).toBe(line.length - 1);
  return lines.map((line) => ({ ...JSON.parse(line), time: 0 }));
}

describe('a line whose fields are JSON', () => {
  it('is the same as one of objects', () => {
    const [ofJson, ofObject] = written('info', (log) => {
      log.infoJson('"status":200,"path":"/agents/…"', 'request');
      log.info({ status: 200, path: '/agents/…' }, 'request');
    });
    expect(ofJson).toEqual(ofObject);
    expect(ofJson).toMatchObject({ level: 30, msg: 'request', status: 200 });
  });

  it('is not written by a logger of a higher level', () => {
    expect(written('warn', (log) => log.infoJson('"status":200', 'request'))).toEqual([]);
  });
});
