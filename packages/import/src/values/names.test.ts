import { expect, it } from 'vitest';
import { splitName } from './names.ts';

const split = (text: string) => {
  const { parts } = splitName(text);
  return [
    parts.namePrefix,
    parts.firstName,
    parts.middleName,
    parts.lastName,
    parts.nameSuffix,
    parts.designations,
  ]
    .map((part) => (Array.isArray(part) ? part.join(' ') : (part ?? '')))
    .join('|');
};

it.each([
  ['DOE, JANE M', '|JANE|M|DOE||'],
  ['DOE,JANE', '|JANE||DOE||'],
  ['Jane M. Doe', '|Jane|M.|Doe||'],
  ['Jane Doe', '|Jane||Doe||'],
  ['Ana da Silva', '|Ana||da Silva||'],
  ['Ana Maria dos Santos', '|Ana|Maria|dos Santos||'],
  ['Jan van der Berg', '|Jan||van der Berg||'],
  ['van der Berg, Jan', '|Jan||van der Berg||'],
  ['de Souza, Zé', '|Zé||de Souza||'],
  ['José García y Vega', '|José||García y Vega||'],
  ['Maria Sousa e Melo', '|Maria||Sousa e Melo||'],
  ['Madonna', '|Madonna||||'],
  ['Doe,', '|||Doe||'],
])('the name %j is split into first, middle and last name', (text, parts) => {
  expect(split(text)).toBe(parts);
  expect(splitName(text).doubt).toBeUndefined();
});

it.each([
  ['John Smith Jr.', '|John||Smith|Jr.|'],
  ['John Smith, Jr', '|John||Smith|Jr|'],
  ['SMITH, BOB, JR', '|BOB||SMITH|JR|'],
  ['SMITH JR, BOB', '|BOB||SMITH|JR|'],
  ['Smith, Bob T. III', '|Bob|T.|Smith|III|'],
  ['Jane Q Doe III', '|Jane|Q|Doe|III|'],
  ['Jane Doe, Esq.', '|Jane||Doe|Esq.|'],
  ['Jane Doe, Ph.D.', '|Jane||Doe|Ph.D.|'],
  ['Dr. Jane Doe', 'Dr.|Jane||Doe||'],
  ['Doe, Dr. Jane', 'Dr.|Jane||Doe||'],
  ['Prof. Dr. Ana Reis', 'Prof. Dr.|Ana||Reis||'],
  ['Sra. Ana Reis', 'Sra.|Ana||Reis||'],
  ['Jane Doe CRS, GRI', '|Jane||Doe||CRS GRI'],
  ['Jane Doe, CRS, GRI', '|Jane||Doe||CRS GRI'],
  ['DOE, JANE, ABR', '|JANE||DOE||ABR'],
  ['João Neto', '|João||Neto||'],
  ['João Silva Neto', '|João|Silva|Neto||'],
  ['Anna Green', '|Anna||Green||'],
])('prefixes, suffixes and designations of %j have fields of their own', (text, parts) => {
  expect(split(text)).toBe(parts);
});

it.each([
  ['ACME REALTY, LLC', 'company'],
  ['Casa Clara Imobiliária Lda', 'company'],
  ['Smith Properties', 'company'],
  ['Coldwell Banker Group', 'company'],
  ['João & Maria Silva', 'two people'],
  ['Smith, John and Mary', 'two people'],
  ['Mr. and Mrs. Smith', 'two people'],
  ['Ana Silva / Rui Costa', 'two people'],
  ['Jane Doe (Smith)', 'brackets'],
  ['Robert "Bob" Jones', 'brackets'],
  ['Doe, Jane, Marie', 'more than one comma'],
  ['Jane Doe 2', 'digits'],
])('%j is in doubt', (text, reason) => {
  expect(splitName(text).doubt).toContain(reason);
});
