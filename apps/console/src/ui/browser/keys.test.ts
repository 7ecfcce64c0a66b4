import { describe, expect, it } from 'vitest';
import { match, nameOf, type Shortcut } from './keys.ts';

const shortcut = (keys: string): Shortcut => ({ keys, label: { id: 'a' }, group: 'go', run: () => {} });
const shortcuts = ['g a', 'g i m', 'g', 'Mod+k', '?'].map(shortcut);
const pressed = { key: 'k', ctrlKey: false, metaKey: false, altKey: false };

describe('the keys of a shortcut', () => {
  it('are found by themselves, or one after the other', () => {
    expect(match(shortcuts, ['?'])).toMatchObject({ keys: '?' });
    expect(match(shortcuts, ['g', 'a'])).toMatchObject({ keys: 'g a' });
    expect(match(shortcuts, ['g', 'i'])).toBe('begun');
    expect(match(shortcuts, ['a'])).toBeUndefined();
  });

  it('are those of the browser with Alt, or with the modifier of another system', () => {
    expect(nameOf({ ...pressed, altKey: true }, false)).toBeUndefined();
    expect(nameOf({ ...pressed, metaKey: true }, false)).toBeUndefined();
    expect(nameOf({ ...pressed, ctrlKey: true }, true)).toBeUndefined();
  });

  it('have Ctrl, or the command key of a Mac, under one name', () => {
    expect(nameOf({ ...pressed, ctrlKey: true }, false)).toBe('Mod+k');
    expect(nameOf({ ...pressed, metaKey: true, key: 'K' }, true)).toBe('Mod+k');
    expect(nameOf(pressed, false)).toBe('k');
  });
});
