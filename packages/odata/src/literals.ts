import type { Literal } from './expression.ts';
import type { TokenReader } from './token-reader.ts';

/** OData ABNF, primitiveLiteral, or `now()`; undefined for anything else. */
export function literalOf(tokens: TokenReader, now: Date): Literal | undefined {
  const { kind, text, at } = tokens.peek();
  if (kind === 'name') return namedLiteral(tokens, now);
  if (kind === 'symbol' || kind === 'end') return undefined;
  if (kind === 'other')
    throw tokens.error('not_supported', `has ${text}, a type that no field has; texts are in quotes`);
  tokens.next();
  switch (kind) {
    case 'text':
      return { kind, value: text, at };
    case 'number':
      if (!Number.isFinite(Number(text)))
        throw tokens.error('invalid_format', `has ${text}, a number out of range`, at);
      return { kind, value: Number(text), at };
    case 'day':
      if (!isDay(text)) throw tokens.error('invalid_format', `has ${text}, which is no day`, at);
      return { kind, value: text, at };
    case 'time':
      if (!isTime(text))
        throw tokens.error(
          'invalid_format',
          `has ${shortened(text)}, which is no time such as 2026-01-31T08:00:00Z`,
          at,
        );
      return { kind, value: text.toUpperCase(), at };
  }
}

/** `null`, `true`, `false` and `now()`, unless followed by something that makes them properties. */
function namedLiteral(tokens: TokenReader, now: Date): Literal | undefined {
  const { text, at } = tokens.peek();
  const name = text.toLowerCase();
  if (name === 'now' && tokens.isSymbol('(', 1) && tokens.isSymbol(')', 2)) {
    for (let taken = 0; taken < 3; taken += 1) tokens.next();
    return { kind: 'time', value: now.toISOString(), at };
  }
  if (name !== 'null' && name !== 'true' && name !== 'false') return undefined;
  tokens.next();
  return name === 'null' ? { kind: 'null', at } : { kind: 'boolean', value: name === 'true', at };
}

const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text);

/** 2026-02-30 is none. */
function isDay(text: string): boolean {
  const time = Date.parse(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
  );
}

/** Seconds are optional; ends with the offset from UTC. */
const clock = /^T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,12})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** OData has no 24:00:00 and no leap seconds. */
function isTime(text: string): boolean {
  return isDay(text.slice(0, 10)) && clock.test(text.slice(10));
}
