import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choiceOf, exactText, normalText, trimmedText } from './text.ts';

/** Characters whose place decides whether they stay, beside any others. */
const characters = fc.oneof(
  fc.constantFrom(
    ...[
      '\u200c',
      '\u200d',
      '\ufe0f',
      '\ufe00',
      '\u180b',
      '\u{e0100}',
      '\u034f',
      '\u061c',
      '\u200b',
      '\u3164',
    ],
    ...['\u0301', '\u0645', '\u094d', '\u0915', '\u1820', '葛', 'a', '1', '\u20e3', ' '],
    ...['\u{1f469}', '\u{1f3fd}', '\u{1f3f4}', '\u{e0067}', '\u{e007f}'],
  ),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
);
const texts = fc.array(characters, { maxLength: 12 }).map((all) => all.join(''));

describe.each([normalText, trimmedText, exactText])('$name', (form) => {
  it('is in NFC, and leaves a text that has its form as it is', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const formed = form(text);
        expect(formed.normalize('NFC')).toBe(formed);
        expect(form(formed)).toBe(formed);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe('a text that is stored', () => {
  it.each([
    ['of another Unicode form', 'Sa\u0303o Joa\u0303o', 'São João'],
    ['with bidirectional marks around it', '\u202a+351 222 000 156\u202c', '+351 222 000 156'],
    ['with a soft hyphen inside', 'Fi\u00adgueiredo', 'Figueiredo'],
    ['with a zero-width space inside', 'LX\u200b0042', 'LX0042'],
    ['with a byte order mark before it', '\ufeffAna', 'Ana'],
    ['with a joiner between Latin letters', 'A\u200dna', 'Ana'],
    ['of a zero-width space between blanks', ' \u200b ', ''],
    ['of Hangul fillers', '\u3164\uffa0', ''],
    ['of the empty pattern of Braille', '\u2800', ''],
    ['with a control', 'A\u0001na', 'Ana'],
  ])('%s is another one', (_, text, stored) => {
    expect(trimmedText(text)).toBe(stored);
  });

  it.each([
    ['of Persian keeps the joiner that parts its letters', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627'],
    ['of Malayalam keeps the joiner at the end of a word', '\u0d2e\u0d4b\u0d39\u0d28\u0d4d\u200d'],
    ['of Japanese keeps the variant of a letter', '葛\u{e0100}城'],
    ['of emoji keeps what joins them', '\u{1f469}\u{1f3fd}\u200d\u{1f4bb} 1\ufe0f\u20e3'],
    ['of several lines keeps them', 'A\n\tB'],
    ['keeps NUL and halves of characters, which are rejected', 'a\0b\ud800'],
  ])('%s', (_, text) => {
    expect(trimmedText(text)).toBe(text);
  });
});

it('an exact text loses what is not seen at its ends alone', () => {
  expect(exactText('\u200bana\u200b@example.com\u202c ')).toBe('ana\u200b@example.com');
});

it('a choice is named in any letter case, and by no letters that only have the same capitals', () => {
  expect(choiceOf('Stand_Alone', ['main', 'stand_alone'])).toBe('stand_alone');
  expect(choiceOf('ma\u0131n', ['main'])).toBeUndefined();
});
