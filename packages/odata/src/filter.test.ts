import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expression } from './expression.ts';
import { parseFilter } from './filter.ts';
import { limits } from './limits.ts';
import { ODataSyntaxError } from './tokens.ts';

const now = new Date('2026-01-31T08:00:00Z');
const parse = (text: string) => parseFilter(text, { now });

/** The tree in few characters, without places. */
function shown(expression: Expression): string {
  switch (expression.kind) {
    case 'and':
    case 'or':
      return `(${expression.parts.map(shown).join(` ${expression.kind} `)})`;
    case 'not':
      return `not ${shown(expression.part)}`;
    case 'compare':
      return `${operandOf(expression)} ${expression.operator} ${literalText(expression.value)}`;
    case 'in':
      return `${operandOf(expression)} in [${expression.values.map(literalText).join()}]`;
    case 'text':
      return `${expression.function}(${operandOf(expression)}, ${JSON.stringify(expression.value)})`;
    default: {
      const { kind, path, variable, body } = expression;
      return `${kind} ${path.name}${body === undefined ? '' : ` ${variable}: ${shown(body)}`}`;
    }
  }
}

function operandOf({ operand: { path, isLowered } }: Extract<Expression, { operand: unknown }>): string {
  return isLowered ? `lower ${path.name}` : path.name;
}

function literalText(literal: { kind: string; value?: unknown }): string {
  return literal.kind === 'null' ? 'null' : `${literal.kind}:${literal.value}`;
}

function errorOf(text: string): ODataSyntaxError {
  try {
    parse(text);
  } catch (error) {
    if (error instanceof ODataSyntaxError) return error;
    throw error;
  }
  throw new Error(`no error for ${text}`);
}

describe('parseFilter', () => {
  it.each([
    ["A eq 'x'", 'A eq text:x'],
    ["A eq 'it''s'", "A eq text:it's"],
    ["A eq ''", 'A eq text:'],
    ['A ne null', 'A ne null'],
    ['A ge -1.5e3', 'A ge number:-1500'],
    ['A eq true', 'A eq boolean:true'],
    ['5 lt A', 'A gt number:5'],
    ['A gt 2026-01-31', 'A gt day:2026-01-31'],
    ['A le 2026-01-31T08:00:00.123Z', 'A le time:2026-01-31T08:00:00.123Z'],
    ['A lt 2026-01-31t08:00:00+01:00', 'A lt time:2026-01-31T08:00:00+01:00'],
    ['A lt now()', 'A lt time:2026-01-31T08:00:00.000Z'],
    ['A eq 1 or B eq 2 and C eq 3', '(A eq number:1 or (B eq number:2 and C eq number:3))'],
    ['(A eq 1 or B eq 2) and C eq 3', '((A eq number:1 or B eq number:2) and C eq number:3)'],
    ['not (A eq 1) and B eq 2', '(not A eq number:1 and B eq number:2)'],
    ["not contains(A,'x')", 'not contains(A, "x")'],
    ["A in ('x', null)", 'A in [text:x,null]'],
    ["tolower(A) eq 'x'", 'lower A eq text:x'],
    ["startswith(tolower(A), 'x')", 'startswith(lower A, "x")'],
    ["endswith(A,'x') eq false", 'not endswith(A, "x")'],
    ["A/any(a: a eq 'x' or a eq 'y')", 'any A a: (a eq text:x or a eq text:y)'],
    ["A/all(a: contains(a, 'x'))", 'all A a: contains(a, "x")'],
    ['A/any()', 'any A'],
    ['A EQ 1 AND B Eq 2', '(A eq number:1 and B eq number:2)'],
    ["Office/OfficeName eq 'x'", 'Office/OfficeName eq text:x'],
    ['null eq A', 'A eq null'],
  ])('parses %s', (text, tree) => {
    expect(shown(parse(text))).toBe(tree);
  });

  it.each([
    ['', 'invalid_format', 0],
    ['A', 'invalid_format', 1],
    ['A eq', 'invalid_format', 4],
    ['A eq 1 B', 'invalid_format', 7],
    ["A eq 'x", 'invalid_format', 5],
    ['A eq 2026-02-30', 'invalid_format', 5],
    ['A eq 2026-13-01', 'invalid_format', 5],
    ['A eq 2026-1-5', 'invalid_format', 5],
    ['A eq 10000-01-01', 'invalid_format', 5],
    ['A eq 1e999', 'invalid_format', 5],
    ['A eq B', 'invalid_format', 5],
    ['(A eq 1', 'invalid_format', 7],
    ['not A eq 1', 'invalid_format', 0],
    ['A in ()', 'invalid_format', 6],
    ['A eq 01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11', 'not_supported', 5],
    ['A add 1 eq 2', 'not_supported', 2],
    ["A has 'x'", 'not_supported', 2],
    ["toupper(A) eq 'X'", 'not_supported', 0],
    ['A; drop table agent', 'invalid_format', 1],
    ["A/any(a: B/any(a: a eq 'x'))", 'invalid_format', 16],
  ])('rejects %s, and says where', (text, code, at) => {
    const error = errorOf(text);
    expect([error.code, error.at]).toEqual([code, at]);
    expect(error.option).toBe('$filter');
  });

  it.each([
    '2026-06-30T23:59:60Z',
    '2026-06-30T24:00:00Z',
    '2026-06-30T08:00:00',
    '2026-06-30T08Z',
    '2026-06-30T08:00:00+25:00',
    '2026-06-31T08:00:00Z',
    '10000-01-01T00:00:00Z',
  ])('says of what is meant as a time that it is none: %s', (time) => {
    const error = errorOf(`A gt ${time}`);
    expect(error.message).toBe(`has ${time}, which is no time such as 2026-01-31T08:00:00Z (character 6)`);
  });

  it('rejects what is nested too deeply, has too many comparisons or values, or is too long', () => {
    const nested = (levels: number) => `${'('.repeat(levels)}A eq 1${')'.repeat(levels)}`;
    expect(shown(parse(nested(limits.depthMax)))).toBe('A eq number:1');
    expect(errorOf(nested(limits.depthMax + 1)).code).toBe('too_deep');
    expect(errorOf('('.repeat(9_999)).code).toBe('too_deep');
    expect(errorOf(`${'not '.repeat(2_000)}A eq 1`).code).toBe('too_deep');
    const terms = (count: number) => Array.from({ length: count }, () => 'A eq 1').join(' or ');
    expect(parse(terms(limits.termsMax)).kind).toBe('or');
    expect(errorOf(terms(limits.termsMax + 1)).code).toBe('too_many');
    const values = (count: number) => `A in (${Array.from({ length: count }, () => 1).join()})`;
    expect(parse(values(limits.valuesMax)).kind).toBe('in');
    expect(errorOf(values(limits.valuesMax + 1)).code).toBe('too_many');
    expect(errorOf(`A eq '${'x'.repeat(limits.optionMax)}'`).code).toBe('too_long');
  });

  it('throws nothing but its own error, in bounded time, whatever the text', () => {
    const words = fc.constantFrom(
      ...["'", "'x'", "''", '(', ')', ',', '/', ':', 'A', 'not', 'and', 'or', 'eq', 'in', 'any', 'all', 'a'],
      ...['contains', 'tolower', 'now()', 'null', 'true', '1', '-', '.5', '1e999', '2026-01-31', 'T00:00Z'],
      ...[
        '2026-01-31T00:00:00Z',
        '\u0000',
        '\ud800',
        '🏠',
        '\n',
        '$it',
        '@p',
        '01980a3c-5f1e-7c3a-9b1d-2f6f0a9c4e11',
      ],
    );
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.array(words, { maxLength: 300 }).map((all) => all.join(' ')),
      fc.array(words, { maxLength: 300 }).map((all) => all.join('')),
      fc
        .tuple(words, fc.integer({ min: 1, max: 5_000 }))
        .map(([word, times]) => word.repeat(times).slice(0, 20_000)),
    );
    const check = (text: string) => {
      const before = process.threadCpuUsage();
      try {
        parse(text);
      } catch (error) {
        expect(error).toBeInstanceOf(ODataSyntaxError);
      }
      // Of the processor: others may run on it.
      expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
    };
    fc.assert(fc.property(texts, check), { numRuns: 1_000 });
  });
});
