import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hashOf, isSecret, newSecret, prefixOf } from './secret.ts';

describe('a secret', () => {
  it('has the format that secret scanners look for, and is unique', () => {
    const secrets = Array.from({ length: 1_000 }, newSecret);
    for (const secret of secrets) {
      expect(secret).toMatch(/^rst_[\w-]{43}[0-9a-f]{8}$/);
      expect(isSecret(secret)).toBe(true);
    }
    expect(new Set(secrets).size).toBe(1_000);
  });

  it('is invalid if one character is changed, removed or added', () => {
    const secret = newSecret();
    const place = fc.nat({ max: secret.length - 1 });
    const character = fc.constantFrom(...'abcdefABCDEF0123456789-_.~+/ é\0');
    fc.assert(
      fc.property(place, character, (at, other) => {
        fc.pre(secret[at] !== other);
        expect(isSecret(secret.slice(0, at) + other + secret.slice(at + 1))).toBe(false);
        expect(isSecret(secret.slice(0, at) + secret.slice(at + 1))).toBe(false);
        expect(isSecret(secret.slice(0, at) + other + secret.slice(at))).toBe(false);
      }),
    );
  });

  it('is stored as a SHA-256 hash and displayed by its prefix', () => {
    const secret = newSecret();
    expect(hashOf(secret)).toHaveLength(32);
    expect(hashOf(secret)).toEqual(hashOf(secret));
    expect(hashOf(secret)).not.toEqual(hashOf(newSecret()));
    expect(prefixOf(secret)).toBe(secret.slice(0, 12));
  });
});
