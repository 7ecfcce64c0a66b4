import { distinctHeaders } from '@roster/import';
import { expect, it } from 'vitest';
import { detectEncoding, detectFormat } from './detect.ts';

const text = 'Nome;Cidade\nJoão;Évora\nInês;Setúbal\n';
const wide = (isBig: boolean, isMarked: boolean) => {
  const letters = (isMarked ? `\uFEFF${text}` : text).split('');
  return new Uint8Array(
    letters.flatMap((letter) => {
      const code = letter.charCodeAt(0);
      return isBig ? [code >> 8, code & 0xff] : [code & 0xff, code >> 8];
    }),
  );
};

it.each([
  ['UTF-8', 'utf-8', new TextEncoder().encode(text)],
  ['UTF-8 with a mark', 'utf-8', new TextEncoder().encode(`\uFEFF${text}`)],
  ['UTF-16 of Excel', 'utf-16le', wide(false, true)],
  ['UTF-16 with the high byte first', 'utf-16be', wide(true, true)],
  ['UTF-16 without a mark', 'utf-16le', wide(false, false)],
  ['UTF-16 with the high byte first, without a mark', 'utf-16be', wide(true, false)],
  ['windows-1252', 'windows-1252', Uint8Array.from(text, (letter) => letter.charCodeAt(0))],
] as const)('a file in %s is found to be in it, and reads as it was written', async (_, encoding, bytes) => {
  const file = new Blob([bytes]);
  expect(await detectEncoding(file)).toBe(encoding);
  expect(new TextDecoder(encoding).decode(bytes)).toBe(text);
});

it('a letter that is not UTF-8 is found after a megabyte too', async () => {
  const bytes = new Uint8Array(1_048_577).fill(0x61);
  bytes[1_048_576] = 0xe9;
  expect(await detectEncoding(new Blob([bytes]))).toBe('windows-1252');
});

it('the format is that of the name, else of the first character', () => {
  expect(detectFormat('agents.csv', '{"a": 1}')).toBe('csv');
  expect(detectFormat('agents.JSONL', 'a,b')).toBe('ndjson');
  expect(detectFormat('Pasted rows', ' {"a": 1}')).toBe('ndjson');
  expect(detectFormat('agents.txt', 'a\tb')).toBe('csv');
});

it('each column has a name of its own', () => {
  expect(distinctHeaders(['Phone', ' Phone', '', 'Phone'])).toEqual([
    'Phone',
    'Phone (2)',
    'Column 3',
    'Phone (3)',
  ]);
});
