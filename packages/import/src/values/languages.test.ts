import { expect, it } from 'vitest';
import { readLanguage } from './languages.ts';

it.each([
  ['English', 'en'],
  ['espanhol', 'es'],
  ['Français', 'fr'],
  ['Mandarin', 'zh'],
  ['pt-BR', 'pt-BR'],
  ['en', 'en'],
  ['Klingon', 'Klingon'],
])('the language "%s" is %s, by its name in English, Portuguese or the language itself', (text, tag) => {
  expect(readLanguage(text)).toBe(tag);
});
