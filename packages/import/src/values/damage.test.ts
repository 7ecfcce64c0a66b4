import { expect, it } from 'vitest';
import { findDamage } from './damage.ts';

it.each([
  ...['#REF!', '#N/A', '#N/D', '#NAME?', '#NOME?', '#¿NOMBRE?', '#VALUE!', '#VALOR!', '#¡VALOR!', '#DIV/0!'],
  ...[
    '#¡DIV/0!',
    '#NUM!',
    '#NÚM!',
    '#NULL!',
    '#NV',
    '#SPILL!',
    '#CALC!',
    '#BEZUG!',
    '########',
    'Err:508',
    'Erro:508',
  ],
  ...['1.2E+11', '1,2E+11', '1.23457E11', '1E11', '1e+15', '3.5E-05'],
  ...['1234567890123450', '123456789012345000', '1234567890123456800'],
  ...['\\N', '(null)', '<null>', 'NULL', 'undefined', 'NaN', '[object Object]'],
  ...[
    'Jo\ufffdo',
    'JoÃ£o',
    'Ã‰vora',
    'SÃ£o Paulo',
    'MÃ¼ller',
    'Oâ€™Brien',
    'Jo√£o',
    'Jo├úo',
    'Jo&atilde;o',
    'Smith &amp; Co',
    '&#227;',
    'Jo?o',
  ],
])('%j is destroyed', (text) => {
  expect(findDamage(text, 'lastName')).toBeDefined();
});

it.each([
  ...[
    'João',
    'JOÃO',
    'SÃO PAULO',
    'Åsa',
    'Ångström',
    'Smith & Co',
    '#1',
    '# 12',
    'R&D; Sales',
    'E11',
    '12E4567',
    '3E1',
  ],
  ...[
    '123456789012345',
    '1234567890123456789',
    'Null',
    'None',
    '-',
    'Erro',
    'What?',
    'a; b',
    'L-1/2026',
    '2027-12-31',
    '351912345678',
  ],
])('%j is not', (text) => {
  expect(findDamage(text, 'lastName')).toBeUndefined();
});

it('a fraction of zeros destroys a postal code alone, and an address on the web may have what names may not', () => {
  expect(findDamage('1250.0', 'address.postalCode')).toBeDefined();
  expect(findDamage('1250.0', 'metadata.size')).toBeUndefined();
  expect(findDamage('https://x.example/?a=1&copy;', 'website')).toBeUndefined();
});
