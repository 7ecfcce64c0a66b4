import { expect, it } from 'vitest';
import { splitName } from './names.ts';

it.each([
  ['DOE, JANE M', ['JANE', 'M', 'DOE']],
  ['Jane M. Doe', ['Jane', 'M.', 'Doe']],
  ['Jane Doe', ['Jane', null, 'Doe']],
  ['Ana da Silva', ['Ana', null, 'da Silva']],
  ['Ana Maria dos Santos', ['Ana', 'Maria', 'dos Santos']],
  ['Jan van der Berg', ['Jan', null, 'van der Berg']],
  ['de Souza, Zé', ['Zé', null, 'de Souza']],
  ['Madonna', ['Madonna', null, null]],
  ['Doe,', [null, null, 'Doe']],
])('the name %j is split into first, middle and last name', (text, [firstName, middleName, lastName]) => {
  expect(splitName(text)).toEqual({ firstName, middleName, lastName });
});
