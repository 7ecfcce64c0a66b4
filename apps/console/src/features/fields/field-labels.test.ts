import { setupI18n } from '@lingui/core';
import { describe, expect, it } from 'vitest';
import { resourceNames } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { choiceLabel, fieldLabel, pathLabel } from './field-labels.ts';

const i18n = setupI18n({ locale: 'en', messages: { en: {} } });

describe.each(resourceNames)('the labels of %s', (resource) => {
  it('name no two fields alike', () => {
    const texts = Object.values(resources[resource].fieldLabels).map(({ message }) => message);
    expect(texts.length).toBeGreaterThan(5);
    expect(new Set(texts).size).toBe(texts.length);
  });
});

describe('the label of a path', () => {
  it.each([
    ['phone', 'Phone'],
    ['address.city', 'Address, City'],
    ['licenses.1.number', 'Licences, 2, Number'],
    ['metadata.cost.centre', 'Custom fields: cost.centre'],
    ['favouriteColour', 'Favourite colour'],
    ['parking.levelCount', 'Parking, Level count'],
  ])('of %s is "%s"', (path, label) => {
    expect(pathLabel(i18n, 'agents', path)).toBe(label);
  });

  it('is that of its resource', () => {
    expect(fieldLabel(i18n, 'agents', 'bio')).toBe('About the agent');
    expect(fieldLabel(i18n, 'offices', 'bio')).toBe('About the office');
  });
});

describe('the label of a value', () => {
  it('is a word for a field with choices, also for a choice that has no label', () => {
    expect(choiceLabel(i18n, 'branchType', 'stand_alone')).toBe('Stand-alone office');
    expect(choiceLabel(i18n, 'branchType', 'pop_up')).toBe('Pop up');
  });

  it('is not there for a field with any text', () => {
    expect(choiceLabel(i18n, 'phone', 'active')).toBeUndefined();
  });
});
