import { describe, expect, it } from 'vitest';
import { guessOfRow } from './guesses.ts';

const headers = ['First name', 'Last name', 'Email', 'Phone'];

describe('a row that is perhaps no record', () => {
  it.each([
    [['Total records: 12']],
    [['Grand total', '', '', '12']],
    [['', 'TOTAL', '1,234.00', '(5%)']],
    [['*** END OF REPORT ***']],
    [['Fim do relatório']],
    [['Page 1 of 3']],
    [['Prepared by the association of Florida']],
    [['Lisbon']],
    [['----', '----', '-----', '---']],
    [['***']],
    [['First name', 'Last name', 'Email', 'Phone']],
    [['FIRST NAME', ' last name ', '', '']],
  ])('%j has a note', (cells) => {
    expect(guessOfRow(cells, headers)?.kind).toBe('notRecord');
  });

  it.each([
    [['Ana', 'Reis']],
    [['Ana', '', 'ana@x.example']],
    [['Count', 'Dracula', 'count@x.example']],
    [['', '', '', '']],
    [['First name', '', '', '1']],
  ])('%j has none', (cells) => {
    expect(guessOfRow(cells, headers)).toBeUndefined();
  });

  it('a single cell of a few columns is a name, unless it is a total', () => {
    expect(guessOfRow(['Ana', ''], ['Name', 'Email'])).toBeUndefined();
    expect(guessOfRow(['Total: 3', ''], ['Name', 'Email'])?.kind).toBe('notRecord');
    expect(guessOfRow(['Total records', '3'], ['Name', 'Email'])?.kind).toBe('notRecord');
  });
});
