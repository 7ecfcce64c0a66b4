import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { databaseFiles } from '../generate/database.ts';

const folder = join(import.meta.dirname, '../../packages/db/src');

/** Without what the formatter decides. */
const words = (text: string) => text.replaceAll(/[\s,;]+/g, ' ').trim();

it.each(Object.entries(await databaseFiles()))(
  'packages/db/src/%s follows from the migrations and the schemas (`npm run generate` writes it)',
  async (path, text) => {
    expect(words(await readFile(join(folder, path), 'utf8'))).toBe(words(text));
  },
);
