import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { laterToken, parseToken, toToken } from './consistency-token.ts';

const position = fc.record({
  term: fc.integer({ min: 1, max: 2 ** 31 - 1 }),
  lsn: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
});
const lsnText = (lsn: bigint) =>
  `${(lsn >> 32n).toString(16)}/${(lsn & 0xffff_ffffn).toString(16)}`.toUpperCase();

describe('a consistency token', () => {
  it('is greater as text exactly if it is later: of a later term, or further in the log of the same term', () => {
    fc.assert(
      fc.property(position, position, (a, b) => {
        const isLater = a.term !== b.term ? a.term > b.term : a.lsn > b.lsn;
        expect(toToken(a.term, lsnText(a.lsn)) > toToken(b.term, lsnText(b.lsn))).toBe(isLater);
      }),
    );
  });

  it('is parsed in either letter case', () => {
    const token = toToken(26, '1A/3000148');
    expect(token).toBe('0000001A0000001A03000148');
    expect(parseToken(token.toLowerCase())).toBe(token);
  });

  it.each([
    '',
    '0/3000148',
    '0000001A0000001A0300014',
    '0000001A0000001A030001481',
    '0000001A0000001A0300014G',
  ])('is not parsed from %j', (text) => expect(parseToken(text)).toBeUndefined());

  it('is compared with another, which may be missing', () => {
    expect(laterToken('1', '2')).toBe('2');
    expect(laterToken(undefined, '2')).toBe('2');
    expect(laterToken('1', undefined)).toBe('1');
  });
});
