import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { askCountry } from './ask-country.ts';

/** A terminal at which someone types. */
function terminalOf(typed: string) {
  const [input, output] = [new PassThrough(), new PassThrough()];
  input.end(typed);
  return { input, output, signal: new AbortController().signal, shown: () => String(output.read()) };
}

describe('the question for the default country of phone numbers', () => {
  it.each([
    ['Brazil\n', 'PT', 'BR'],
    ['br\n', undefined, 'BR'],
    ['\n', 'PT', 'PT'],
    ['\n', undefined, undefined],
    ['Atlantis\n\n', 'PT', 'PT'],
    ['Antarctica\nSpain\n', 'PT', 'ES'],
    ['', 'PT', 'PT'],
  ])('%j at the suggestion %s is the country %s', async (typed, suggested, country) => {
    expect(await askCountry(suggested, terminalOf(typed))).toBe(country);
  });

  it('says what Enter means, and what is no country', async () => {
    const terminal = terminalOf('Atlantis\nPT\n');
    await askCountry('BR', terminal);
    const shown = terminal.shown();
    expect(shown).toContain('(Enter: Brazil)');
    expect(shown).toContain('There is no country "Atlantis".');
    // The cursor goes up over the four lines of it, and what is below is erased.
    expect(shown.endsWith('\x1b[4A\x1b[J')).toBe(true);
  });

  it('ends without a country when the server is told to stop', async () => {
    const stopping = new AbortController();
    const [input, output] = [new PassThrough(), new PassThrough()];
    const asked = askCountry('PT', { input, output, signal: stopping.signal });
    stopping.abort();
    expect(await asked).toBeUndefined();
  });
});
