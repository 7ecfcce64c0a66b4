import { describe, expect, it } from 'vitest';
import { EncodingGuess, possibleEncodings } from './guess-encoding.ts';

const bytes = (text: string) => Buffer.from(text, 'latin1');

function guessed(text: string) {
  const guess = new EncodingGuess({ isNamed: false });
  guess.add(bytes(text), true);
  return { encoding: guess.encoding, isDoubtful: guess.doubt !== undefined };
}

describe('a file that is not UTF-8', () => {
  it.each([
    ['João and Müller', 'Jo\xe3o;M\xfcller\r\n'],
    ['São Paulo, Évora', 'S\xe3o Paulo;\xc9vora\r\n'],
    ['O’Brien, “quoted”, 5 €', 'O\x92Brien;\x93quoted\x94;5 \x80\r\n'],
    ['Paral·lel, nº 1, 1ª', 'Paral\xb7lel;n\xba 1;1\xaa;20\xb0\r\n'],
    ['¿Qué?, «sí»', '\xbfQu\xe9?;\xabs\xed\xbb\r\n'],
    ['Straße, Ærø, Łukasz not', 'Stra\xdfe;\xc6r\xf8\r\n'],
    ['JOÃO, CONCEIÇÃO', 'JO\xc3O;CONCEI\xc7\xc3O\r\n'],
  ])('is windows-1252 without a doubt: %s', (_, text) => {
    expect(guessed(text)).toEqual({ encoding: 'windows-1252', isDoubtful: false });
  });

  it.each([
    ['Mac Roman with CR', 'First name,Last name\rJo\x8bo,Sim\x9bes\r'],
    ['Mac Roman with LF', 'First name,Last name\nJo\x8bo,Sim\x9bes\n'],
    ['Mac Roman of letters alone with CR', 'Name\rFran\x8dois\r'],
    ['code page 850, Müller', 'Name\nM\x81ller\n'],
    ['code page 850, João', 'Name\nJo\xc6o\n'],
    ['Shift_JIS', 'Name\n\x8eR\x93c\n'],
    ['windows-1251', 'Name\n\xc8\xe2\xe0\xed\xee\xe2\n'],
    ['ISO 8859-2, Wałęsa', 'Name\nWa\xb3\xeasa\n'],
    ['ISO 8859-2, Škoda', 'Name\n\xa9koda\n'],
  ])('is asked about: %s', (_, text) => {
    expect(guessed(text)).toEqual({ encoding: 'windows-1252', isDoubtful: true });
  });

  it('has the likeliest encodings with a text of the file in each', () => {
    expect(possibleEncodings(bytes('Name\rJo\x8bo\r'))[0]).toEqual({ encoding: 'macintosh', sample: 'João' });
    expect(possibleEncodings(bytes('Name\nWa\xb3\xeasa\n'))).toContainEqual({
      encoding: 'iso-8859-2',
      sample: 'Wałęsa',
    });
    expect(possibleEncodings(bytes('Name\n\xc8\xe2\xe0\xed\xee\xe2\n'))).toContainEqual({
      encoding: 'windows-1251',
      sample: 'Иванов',
    });
  });
});
