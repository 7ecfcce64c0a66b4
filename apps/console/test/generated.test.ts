import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '@roster/api/openapi';
import { expect, it } from 'vitest';
import type { Rights } from '../src/api/caller.ts';
import { followableTypes } from '../src/resources/event-types.ts';

const home = join(import.meta.dirname, '..');

it('the page follows every type of event but the denials, which change nothing', () => {
  const followed = followableTypes({ can: () => true, canEverywhere: () => true } as unknown as Rights);
  const { components } = openApiDocument({ baseUrl: 'http://127.0.0.1:3000' }) as unknown as {
    components: { schemas: { EventType: { enum: string[] } } };
  };
  expect([...followed, 'access.denied'].toSorted()).toEqual(components.schemas.EventType.enum.toSorted());
});

/** The messages of a catalogue that are not translated. */
function untranslated(path: string): string[] {
  const entries = readFileSync(join(home, path), 'utf8').split('\n\n').slice(1);
  return entries.filter((entry) => /^msgstr ""$(?!\n")/m.test(entry)).map((entry) => `${path}: ${entry}`);
}

it('every message is translated into every language', () => {
  const catalogues = globSync('src/locales/**/*.po', { cwd: home });
  expect(catalogues.length).toBeGreaterThan(1);
  expect(catalogues.flatMap(untranslated)).toEqual([]);
});

it('no text is translated twice: the catalogue has no message for what is translated already', () => {
  const files = globSync('src/**/*.{ts,tsx}', { cwd: home });
  const twice = /(?:\b_|\bt)\(\s*(?:plural|select|selectOrdinal|t)\s*[(`]/;
  expect(files.filter((path) => twice.test(readFileSync(join(home, path), 'utf8')))).toEqual([]);
});
