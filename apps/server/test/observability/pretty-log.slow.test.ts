import { createTestDatabase } from '@roster/db/testing';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/observability/logger.ts';
import { prettyLine } from '../../src/observability/pretty-log.ts';
import { startServiceProcess } from '../support/processes/service-process.ts';

/** What a log of this format writes of some lines, without colours. */
function written(write: (log: ReturnType<typeof createLogger>) => void): string {
  const lines: string[] = [];
  write(
    createLogger('trace', {
      write: (line) => void lines.push(prettyLine(line, { style: (_, text) => text })),
    }),
  );
  return lines.join('');
}

describe('a line of the log on a terminal', () => {
  it('has the time, the level, the message and the values, without pid and hostname', () => {
    const line = written((log) =>
      log.warn({ replica: '10.0.0.7:5432', fault: 'is behind', lagMs: 12 }, 'left aside'),
    );
    expect(line).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}left aside replica=10\.0\.0\.7:5432 fault="is behind" lagMs=12\n$/,
    );
  });

  it('has an error with its causes and their stacks below', () => {
    const cause = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    const line = written((log) =>
      log.error({ err: new TypeError('x is no function', { cause }) }, 'internal error'),
    );
    expect(line).toMatch(/^\S+ ERROR internal error\n {4}TypeError x is no function\n {6}at /);
    expect(line).toMatch(/\n {6}Error ECONNREFUSED.*\n {8}at /);
  });

  it('contains no control characters', () => {
    const line = written((log) =>
      log.info({ path: '/\u001b[2J\u009b1m', ok: '\u007f' }, 'a\u001b]0;title\u0007b'),
    );
    expect(line.slice(0, -1)).not.toMatch(/\p{Cc}/u);
    expect(line).toContain('a\\u001b]0;title\\u0007b');
  });
});

it('a server logs JSON to a pipe, and pretty lines if that is set', async () => {
  await using database = await createTestDatabase();
  const outputOf = async (settings: Record<string, string>) => {
    await using service = await startServiceProcess({ databaseUrl: database.url, settings });
    await service.end('SIGTERM');
    return service.output();
  };
  const [json, pretty] = await Promise.all([outputOf({}), outputOf({ ROSTER_LOG_FORMAT: 'pretty' })]);
  expect(json).toMatch(/^\{"level":30,.*"msg":"Server listening at [^"]+"\}$/m);
  expect(pretty).toMatch(/^.*\d\d:\d\d:\d\d\.\d{3}.* INFO .* Server listening at http:\S+$/m);
  expect(pretty).not.toContain('"level"');
});
