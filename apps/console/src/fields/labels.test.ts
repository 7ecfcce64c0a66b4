import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { contracts } from '../contract/contracts.ts';
import type { FieldContract } from '../contract/types.ts';
import { fieldLabels } from './labels.ts';
import { choiceLabels, partLabel, pathLabel } from './part-labels.ts';

const resources = ['offices', 'agents'] as const;

const partsOf = ({ name, parts = [] }: FieldContract) => parts.map((part) => [name, part.name] as const);

describe.each(resources)('the labels of %s', (resource) => {
  const { fields: all } = contracts[resource];

  it('name every field that can be written', () => {
    expect(all.map(({ name }) => name).filter((name) => !(name in fieldLabels[resource]))).toEqual([]);
  });

  it('name every part of a field', () => {
    const parts = all.flatMap(partsOf);
    expect(parts.length).toBeGreaterThan(5);
    expect(parts.filter(([field, part]) => partLabel(field, part) === undefined)).toEqual([]);
  });

  it('name every value of a choice', () => {
    const missing = all.flatMap(({ name, choices = [] }) =>
      choices.filter((choice) => choiceLabels[name]?.[choice] === undefined),
    );
    expect(missing).toEqual([]);
  });

  it('name no two fields alike', () => {
    const texts = Object.values(fieldLabels[resource]).map(({ message }) => message);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('the label of a path', () => {
  const i18n = setupI18n({ locale: 'en', messages: { en: {} } });
  it.each([
    ['phone', 'Telephone'],
    ['address.city', 'Address, City'],
    ['licenses.1.number', 'Licences, 2, Number'],
    ['metadata.cost.centre', 'Own fields: cost.centre'],
    ['somethingNew', 'somethingNew'],
  ])('of %s is "%s"', (path, label) => {
    expect(pathLabel(i18n, 'agents', path)).toBe(label);
  });
});
