import { describe, expect, it } from 'vitest';
import { addressesOf, textOfAddresses } from './addresses.ts';

const emails = (text: string) => addressesOf(text).map(({ email }) => email);

describe('addressesOf', () => {
  it('separates addresses at lines, spaces, commas and semicolons', () => {
    expect(emails(' a@x.example,b@x.example; c@x.example\n\nd@x.example e@x.example\n')).toEqual(
      ['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@x.example`),
    );
    expect(emails(' \n')).toEqual([]);
  });

  it('returns an address once, whatever its case', () => {
    expect(emails('a@x.example A@X.example')).toEqual(['a@x.example']);
  });

  it('reads the names that mail programs copy, and writes them again', () => {
    const addresses = addressesOf(
      'Ana Prata <ana@x.example>; b@x.example "Aoki, 美咲" <a@x.example>,<c@x.example>',
    );
    expect(addresses).toEqual([
      { name: 'Ana Prata', email: 'ana@x.example' },
      { name: undefined, email: 'b@x.example' },
      { name: 'Aoki, 美咲', email: 'a@x.example' },
      { name: undefined, email: 'c@x.example' },
    ]);
    expect(addressesOf(textOfAddresses(addresses))).toEqual(addresses);
  });

  it('keeps what is no address, for the service to refuse', () => {
    expect(emails('ana x@x.example')).toEqual(['ana', 'x@x.example']);
  });
});
