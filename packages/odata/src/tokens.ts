import { limits } from './limits.ts';

export type SyntaxErrorCode = 'invalid_format' | 'not_supported' | 'too_long' | 'too_many' | 'too_deep';

export class ODataSyntaxError extends Error {
  readonly code: SyntaxErrorCode;
  /** Such as `$filter`. */
  readonly option: string;
  /** The position in the option's decoded text. */
  readonly at: number;

  constructor(code: SyntaxErrorCode, message: string, option: string, at = 0) {
    super(`${message} (character ${at + 1})`);
    this.name = 'ODataSyntaxError';
    this.code = code;
    this.option = option;
    this.at = at;
  }
}

type TokenKind = 'name' | 'text' | 'number' | 'day' | 'time' | 'other' | 'symbol' | 'end';

export interface Token {
  kind: TokenKind;
  /** As written; quoted text without its quotes. */
  text: string;
  at: number;
}

/** Something like a day, and before a `T` like a time; checked later. */
const DAY = String.raw`-?\d{4,6}-\d{1,2}-\d{1,2}`;
const CLOCK = String.raw`(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?`;
const GUID = String.raw`[\da-fA-F]{8}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{12}`;

/** In this order: a day begins like a number, a time like a day. Each matches in linear time. */
const patterns: readonly (readonly [TokenKind, RegExp])[] = [
  ['text', /'[^']*(?:''[^']*)*'/y],
  ['time', new RegExp(`${DAY}T[\\w:.+-]*`, 'iy')],
  ['other', new RegExp(`${GUID}(?![\\w-])`, 'y')],
  ['day', new RegExp(`${DAY}(?![\\w-])`, 'y')],
  ['other', new RegExp(`${CLOCK}(?![\\w:])`, 'y')],
  ['number', /-?\d{1,40}(?:\.\d{1,40})?(?:[eE][+-]?\d{1,3})?(?![\w.])/y],
  ['name', /[A-Za-z_][A-Za-z0-9_]*/y],
  ['symbol', /[(),/:*]/y],
];

const blank = /[ \t]*/y;

/** Ends with a token of kind `end`. Throws `ODataSyntaxError`. */
export function tokensOf(option: string, source: string): Token[] {
  if (source.length > limits.optionMax) {
    const detail = `must have at most ${limits.optionMax} characters`;
    throw new ODataSyntaxError('too_long', detail, option, limits.optionMax);
  }
  const tokens: Token[] = [];
  let at = afterBlank(source, 0);
  while (at < source.length) {
    const token = tokenAt(source, at);
    if (token === undefined) throw unreadable(option, source, at);
    tokens.push(token.token);
    at = afterBlank(source, token.end);
  }
  tokens.push({ kind: 'end', text: '', at: source.length });
  return tokens;
}

function afterBlank(source: string, at: number): number {
  blank.lastIndex = at;
  blank.test(source);
  return blank.lastIndex;
}

function tokenAt(source: string, at: number): { token: Token; end: number } | undefined {
  for (const [kind, pattern] of patterns) {
    pattern.lastIndex = at;
    const match = pattern.exec(source)?.[0];
    if (match === undefined) continue;
    const text = kind === 'text' ? match.slice(1, -1).replaceAll("''", "'") : match;
    return { token: { kind, text, at }, end: at + match.length };
  }
  return undefined;
}

function unreadable(option: string, source: string, at: number): ODataSyntaxError {
  const [character = ''] = source.slice(at, at + 2);
  const detail =
    character === "'"
      ? 'has a text whose closing quote is missing'
      : `has the unexpected character ${character}`;
  return new ODataSyntaxError('invalid_format', detail, option, at);
}
