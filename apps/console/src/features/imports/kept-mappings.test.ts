import { describe, expect, it } from 'vitest';
import { findKeptMapping, findSentMapping, keepMapping } from './kept-mappings.ts';

/** Sends a file with these columns, of which the first is the last name. */
function send(columns: readonly string[], keptAs = ''): void {
  const mapping = {
    columns: { [columns[0] ?? '']: 'lastName' },
    values: {},
    dates: {},
    emptyCells: { [columns[1] ?? '']: 'keep' as const },
  };
  const emptyCells = 'clear' as const;
  keepMapping({ resource: 'agents', columns, keptAs, mapping, emptyCells, sourceName: 'MLS', keyColumn: '' });
}

describe('the mapping of a file', () => {
  it('that was sent is that of its rows with errors, in any order, without a name too', () => {
    send(['Family', 'Shoes']);
    send(['Familie', 'Schuhe']);
    expect(findSentMapping(['What to correct', 'Shoes', 'Family'])).toMatchObject({
      resource: 'agents',
      meaning: {
        mapping: { columns: { Family: 'lastName' }, emptyCells: { Shoes: 'keep' } },
        emptyCells: 'clear',
        sourceName: 'MLS',
        keptAs: '',
      },
    });
    expect(findSentMapping(['What to correct', 'Shoes'])).toBeUndefined();
  });

  it('that was sent without a name is not that of another file with these columns', () => {
    send(['Nachname', 'Notiz']);
    expect(findSentMapping(['Nachname', 'Notiz'])).toBeUndefined();
    expect(findKeptMapping('agents', ['Nachname', 'Notiz'])).toBeUndefined();
  });

  it('that rows with errors were sent with is that of the rows that have errors again', () => {
    send(['What to correct', 'Nom', 'Note']);
    const found = findSentMapping(['WHAT TO CORRECT', 'Nom', 'Note']);
    // A file without that column can have it too.
    expect(found?.meaning.mapping.columns).toEqual({});
  });
});
