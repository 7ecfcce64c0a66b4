import { i18n } from '@lingui/core';
import { RosterError } from '@roster/client';
import { beforeAll, expect, it } from 'vitest';
import { formErrors } from './form-errors.ts';

beforeAll(() => i18n.loadAndActivate({ locale: 'en', messages: {} }));

const invalid = (...errors: { pointer?: string; detail: string; code?: string }[]) =>
  new RosterError({
    code: 'validation_failed',
    title: 'The input is not valid',
    detail: 'It is not valid.',
    status: 422,
    errors: errors.map((error) => ({ code: 'invalid', ...error })),
  });

it('an error is shown at the field that its pointer names, and nowhere else', () => {
  const errors = formErrors(invalid({ pointer: '#/name', detail: 'is too long' }), ['name', 'url']);
  expect([errors.at('name'), errors.at('url'), errors.rest]).toEqual(['is too long', undefined, undefined]);
});

it('a list with too few items is said in words for whoever chooses them', () => {
  const errors = formErrors(
    invalid({ pointer: '#/grants/0/officeIds', code: 'too_few', detail: 'must hold at least 1 item' }),
    ['grants'],
  );
  expect(errors.within('grants/0/officeIds')).toBe('Choose at least one.');
});

it('an error of a part is within the field around it', () => {
  const errors = formErrors(invalid({ pointer: '#/grants/1/officeIds/0', detail: 'does not exist' }), [
    'grants',
  ]);
  expect(errors.within('grants/1')).toBe('does not exist');
  expect(errors.within('grants/10')).toBeUndefined();
  expect(errors.rest).toBeUndefined();
});

it('an error of a field that the form does not show is shown for the whole form', () => {
  expect(formErrors(invalid({ pointer: '#/secret', detail: 'is new' }), ['name']).rest).toBe(
    'It is not valid.',
  );
});

it('an error of a code without a pointer is shown at the field that the form names for it', () => {
  const error = new RosterError({ code: 'insufficient_scope', title: '', detail: 'Not yours.', status: 403 });
  const errors = formErrors(error, ['scopes'], { insufficient_scope: 'scopes' });
  expect([errors.at('scopes'), errors.rest]).toEqual(['Not yours.', undefined]);
  expect(formErrors(error, ['scopes']).rest).toBe('Not yours.');
});
