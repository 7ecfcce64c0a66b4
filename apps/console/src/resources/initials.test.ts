import { describe, expect, it } from 'vitest';
import { hueOf, initialsOf } from './initials.ts';

describe('the initials of a name', () => {
  it.each([
    ['Ana Maria Figueiredo', 'AF'],
    ['Ána', 'Á'],
    ['ana de sousa', 'AS'],
    ['Rui Costa 000042', 'RC'],
    ['🏠 Zoë (Porto) Ñandú', 'ZÑ'],
    ['李 小龍', '李'],
    ['4711', ''],
    ['', ''],
  ])('%j are %j', (name, initials) => {
    expect(initialsOf(name)).toBe(initials);
  });

  it('have a hue that is always the same, and differs among records', () => {
    const ids = Array.from(
      { length: 200 },
      (_, at) => `01980a3c-5f1e-7c3a-9b1d-${String(at).padStart(12, '0')}`,
    );
    expect(ids.map(hueOf)).toEqual(ids.map(hueOf));
    expect(new Set(ids.map(hueOf)).size).toBe(12);
  });
});
