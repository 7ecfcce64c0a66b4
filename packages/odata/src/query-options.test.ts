import process from 'node:process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseQueryOptions } from './query-options.ts';
import { ODataSyntaxError } from './tokens.ts';

const now = new Date('2026-01-31T08:00:00Z');

/** The options of a query string. */
function parse(query: string) {
  const parameters: Record<string, string[]> = Object.create(null);
  for (const [name, value] of new URLSearchParams(query))
    parameters[name] = [...(parameters[name] ?? []), value];
  return parseQueryOptions(parameters, { now });
}

function errorOf(query: string): ODataSyntaxError {
  try {
    parse(query);
  } catch (error) {
    if (error instanceof ODataSyntaxError) return error;
    throw error;
  }
  throw new Error(`no error for ${query}`);
}

describe('parseQueryOptions', () => {
  it('parses each option, with and without its $', () => {
    expect(parse('$top=5&$skip=2&$count=true&$select=A,B&$orderby=A desc, B asc,C&$skiptoken=x~y')).toEqual({
      top: 5,
      skip: 2,
      count: true,
      select: [
        { name: 'A', at: 0 },
        { name: 'B', at: 2 },
      ],
      orderBy: [
        { path: { kind: 'path', name: 'A', at: 0 }, isDescending: true },
        { path: { kind: 'path', name: 'B', at: 8 }, isDescending: false },
        { path: { kind: 'path', name: 'C', at: 14 }, isDescending: false },
      ],
      skipToken: 'x~y',
    });
    expect(parse('top=5')).toEqual(parse('$top=5'));
  });

  it('parses the options of each item of $expand, whatever its texts contain', () => {
    const [office, members] =
      parse("$expand=Office,Members($select=A;$filter=A eq ');,(';$top=3)").expand ?? [];
    expect(office).toEqual({ name: 'Office', at: 0, texts: {} });
    expect(members).toMatchObject({ name: 'Members', top: 3, select: [{ name: 'A' }] });
    expect(members?.filter).toMatchObject({ kind: 'compare', value: { kind: 'text', value: ');,(' } });
  });

  it.each([
    ['$top=-1', '$top', 'invalid_format'],
    ['$top=1.5', '$top', 'invalid_format'],
    ['$skip=99999999999', '$skip', 'invalid_format'],
    ['$count=yes', '$count', 'invalid_format'],
    ['$top=1&$top=2', '$top', 'invalid_format'],
    ['$top=1&top=2', '$top', 'invalid_format'],
    ['$select=A,,B', '$select', 'invalid_format'],
    ['$orderby=A sideways', '$orderby', 'invalid_format'],
    ['$orderby=A,B,C,D,E,F', '$orderby', 'too_many'],
    ['$orderby=tolower(A)', '$orderby', 'not_supported'],
    ['$expand=Office(', '$expand', 'invalid_format'],
    ['$expand=Office($search=x)', '$expand', 'not_supported'],
    ['$expand=Office($expand=Members)', '$expand', 'too_deep'],
    ['$search=x', '$search', 'not_supported'],
    ['$apply=aggregate(x)', '$apply', 'not_supported'],
    ['__proto__=x', '__proto__', 'not_supported'],
    ['constructor=x', 'constructor', 'not_supported'],
  ])('rejects %s and names the option', (query, option, code) => {
    expect(errorOf(query)).toMatchObject({ option, code });
  });

  it('throws nothing but its own error, in bounded time, whatever the options', () => {
    const name = fc.constantFrom(
      '$filter',
      '$orderby',
      '$select',
      '$expand',
      '$top',
      '$skip',
      '$count',
      '$x',
      'top',
    );
    const piece = fc.constantFrom(
      'A',
      '(',
      ')',
      ';',
      ',',
      '=',
      "'",
      '$select',
      '$filter',
      ' ',
      '*',
      '$top',
      '1',
      'desc',
    );
    const value = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 100 }),
      fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join('')),
    );
    const check = (parameters: Record<string, string[]>) => {
      const before = process.threadCpuUsage();
      try {
        parseQueryOptions(parameters, { now });
      } catch (error) {
        expect(error).toBeInstanceOf(ODataSyntaxError);
      }
      // Of the processor: others may run on it.
      expect(process.threadCpuUsage(before).user).toBeLessThan(500_000);
    };
    fc.assert(fc.property(fc.dictionary(name, fc.array(value, { minLength: 1, maxLength: 2 })), check), {
      numRuns: 2_000,
    });
  });
});
