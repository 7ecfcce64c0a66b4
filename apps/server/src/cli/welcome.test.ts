import process from 'node:process';
import { afterEach, describe, expect, it } from 'vitest';
import { isReadByPeople } from '../observability/logger.ts';
import { welcome } from './welcome.ts';

const secret = 'rst_secret';
const service = {
  url: 'http://127.0.0.1:3000',
  consoleUrl: undefined,
  isConsoleReady: true,
  metricsUrl: undefined,
  data: '.roster',
  firstKey: undefined,
  keyFile: undefined,
  isWithoutKey: false,
  firstLink: undefined,
};

describe('the first lines', () => {
  it.each([
    [
      'show the first key and its file on a terminal',
      { firstKey: { secret }, keyFile: '.roster/key' },
      `is    ${secret} (shown this once; kept in .roster/key)`,
    ],
    [
      'say in a log where it is',
      { firstKey: { secret: undefined }, keyFile: '.roster/key' },
      'The first key is in .roster/key',
    ],
    [
      'say that the console is being prepared',
      { consoleUrl: 'http://127.0.0.1:3000/console/', isConsoleReady: false },
      '/console/ (being prepared',
    ],
    ['say that there is none, and how to get one', { isWithoutKey: true }, 'Set ROSTER_ADMIN_KEY,'],
  ])('%s', (_, given, line) => {
    expect(welcome({ ...service, ...given })).toContain(line);
  });
});

describe('output', () => {
  const { isTTY } = process.stdout;
  afterEach(() => {
    process.stdout.isTTY = isTTY;
  });

  it.each([
    [true, 'auto', true],
    [true, 'pretty', true],
    [true, 'json', false],
    [false, 'auto', false],
    [false, 'pretty', false],
  ] as const)(
    'on a terminal: %s, with the format %s, is read by people alone: %s',
    (isTerminal, format, expected) => {
      process.stdout.isTTY = isTerminal;
      expect(isReadByPeople(format)).toBe(expected);
    },
  );
});
