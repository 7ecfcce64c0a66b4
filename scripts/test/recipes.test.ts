import { access, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { recipesOf } from '../recipes/workspace.ts';

const root = dirname(dirname(import.meta.dirname));

it('every place at which a recipe adds lines is in its file, and every file it adds is new', async () => {
  const page = await readFile(join(root, 'docs/contributing/recipes.md'), 'utf8');
  const edits = recipesOf(page).flatMap((recipe) => recipe.edits);
  const added = edits.filter(({ place }) => place === undefined).map(({ path }) => path);
  expect(added.length).toBeGreaterThan(5);
  for (const path of added) await expect(access(join(root, path)), path).rejects.toThrow('ENOENT');
  for (const { path, place } of edits) {
    if (place === undefined || added.includes(path)) continue;
    const lines = (await readFile(join(root, path), 'utf8')).split('\n');
    const isThere = lines.some((line) => line.includes(place.anchor));
    expect(isThere, `${path} has a line with "${place.anchor}"`).toBe(true);
  }
});
