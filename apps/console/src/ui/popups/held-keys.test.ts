import { describe, expect, it } from 'vitest';
import { withKey } from './held-keys.ts';

const after = (...keys: string[]) =>
  keys.reduce((held, key) => withKey(held, { key, repeat: false }), { text: '', isSaved: false });

describe('the keys that are held for an editor', () => {
  it('are its text in the order in which they were typed, with what was taken back', () => {
    expect(after('g', 'a', 'Backspace', 'é', '😀', 'x', 'Backspace')).toEqual({
      text: 'gé😀',
      isSaved: false,
    });
    expect(after('Backspace', '1')).toEqual({ text: '1', isSaved: false });
  });

  it('leave out those that write nothing', () => {
    expect(after('Shift', 'A', 'Dead', 'ArrowDown', 'Tab', 'F2')).toEqual({ text: 'A', isSaved: false });
  });

  it('end with Enter, unless it is still pressed from opening the editor', () => {
    expect(after('1', 'Enter', '2')).toEqual({ text: '1', isSaved: true });
    expect(withKey({ text: '', isSaved: false }, { key: 'Enter', repeat: true }).isSaved).toBe(false);
  });
});
