import fc, { type Arbitrary } from 'fast-check';
import { allowed, hostile, hostileName, type Schema } from './values.ts';

type Pair = [name: string, value: unknown];

/** Written by hand, because an object holds no name twice and `__proto__` not as others. */
function textOf(pairs: readonly Pair[]): string {
  return `{${pairs.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value) ?? 'null'}`).join(',')}}`;
}

/** An object that a schema allows, with none, one or some things about it changed for the worse. */
export function nearly(schema: Schema, resolve: (pointer: string) => Schema): Arbitrary<string> {
  const whole = schema.$ref === undefined ? schema : resolve(schema.$ref);
  const names = ['id', ...Object.keys(whole.properties ?? {})];
  const damage = fc.oneof(
    { weight: 12, arbitrary: fc.constant((pairs: Pair[]) => pairs) },
    fc.tuple(fc.constantFrom(...names), hostile).map(([name, value]) => (pairs: Pair[]): Pair[] => [
      ...pairs.filter(([other]) => other !== name),
      [name, value],
    ]),
    fc.tuple(hostileName, hostile).map((pair) => (pairs: Pair[]): Pair[] => [...pairs, pair]),
    fc.nat().map((at) => (pairs: Pair[]) => pairs.toSpliced(at % (pairs.length + 1), 1)),
    fc.nat().map((at) => (pairs: Pair[]) => [...pairs, ...pairs.slice(at % (pairs.length + 1))]),
  );
  return fc
    .tuple(allowed(whole, resolve), fc.array(damage, { minLength: 1, maxLength: 2 }))
    .map(([value, damages]) =>
      textOf(damages.reduce((pairs, apply) => apply(pairs), Object.entries(value as object))),
    );
}

const DEEP = 10_000;

/** Texts that are no JSON, no object or no UTF-8, or far too much of it. */
const broken: Arbitrary<string | Uint8Array> = fc.oneof(
  fc.constantFrom(
    '',
    ' ',
    'null',
    '[]',
    '"x"',
    '5',
    '{',
    '{"name":',
    '{"a":1,}',
    '{"a":01}',
    "{'a':1}",
    'undefined',
    '\ufeff{}',
  ),
  fc.constantFrom(`${'['.repeat(DEEP)}${']'.repeat(DEEP)}`, `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
  fc.constantFrom(`{"name":${'['.repeat(DEEP)}${']'.repeat(DEEP)}}`, '['.repeat(DEEP)),
  fc.constantFrom(
    `{"name":"${'x'.repeat(262_000)}"}`,
    `{"name":"${'x'.repeat(263_000)}"}`,
    `${' '.repeat(100_000)}{}`,
  ),
  fc.constantFrom(
    '{"__proto__":{"x":1}}',
    '{"\\u005f_proto__":1}',
    '{"constructor":{"prototype":{"x":1}}}',
    '{"a":"\\ud800"}',
  ),
  fc.constantFrom(
    '{"name":"a","name":"b"}',
    '{"name":"\\u0000"}',
    '{"name":1e400}',
    `{"name":${'9'.repeat(400)}}`,
  ),
  fc.uint8Array({ maxLength: 60 }),
  fc.constantFrom(
    new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]),
    new Uint8Array([0xef, 0xbb, 0xbf, 0x7b, 0x7d]),
  ),
);

/** A body: nearly right, cut or with something put into it, or broken altogether. */
export function bodyOf(right: Arbitrary<string>): Arbitrary<string | Uint8Array> {
  const cut = fc.tuple(right, fc.nat()).map(([text, at]) => text.slice(0, at % (text.length + 1)));
  const put = fc
    .tuple(right, fc.nat(), fc.constantFrom('\0', ',', '{', '"', '\\', '\ud800', '\x7f', 'é', '/**/'))
    .map(
      ([text, at, extra]) =>
        text.slice(0, at % (text.length + 1)) + extra + text.slice(at % (text.length + 1)),
    );
  return fc.oneof(
    { weight: 20, arbitrary: right },
    { weight: 1, arbitrary: cut },
    { weight: 1, arbitrary: put },
    { weight: 2, arbitrary: broken },
  );
}
