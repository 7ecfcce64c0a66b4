import { expect, it } from 'vitest';
import { officeScene } from '../../../test/support/office-scene.ts';

it('a caller that is limited to an office is corrected by words of its records alone', async () => {
  await using scene = await officeScene();
  const { main, other } = scene.offices;
  await scene.all.offices.update({ id: main, name: 'Marmelade' });
  // More frequent, earlier in the alphabet, and as similar to what is searched for.
  await scene.all.offices.update({ id: other, name: 'Marmelada' });
  for (let n = 0; n < 3; n += 1) await scene.all.offices.create({ name: 'Marmelada', mainOfficeId: other });
  await scene.settle();
  const limited = await scene.limited();
  const found = await limited.offices.list({ q: 'marmeladi' });
  expect(found).toMatchObject({ items: [{ name: 'Marmelade' }], isSimilar: true });
  const everything = await scene.all.offices.list({ q: 'marmeladi' });
  expect(new Set(everything.items.map(({ name }) => name))).toEqual(new Set(['Marmelada', 'Marmelade']));
});
