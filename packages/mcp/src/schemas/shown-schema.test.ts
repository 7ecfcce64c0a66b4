import { expect, it } from 'vitest';
import { shownSchema } from './shown-schema.ts';

it('leaves out what tells an assistant nothing, and no property for its name', () => {
  const text = { type: 'string', minLength: 1, maxLength: 50, pattern: 'x', description: 'A text' };
  expect(
    shownSchema({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        maxLength: text,
        count: { type: 'integer', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
        rows: { type: 'array', items: { type: 'object', properties: {}, additionalProperties: {} } },
        closed: { type: 'object', properties: { a: text }, additionalProperties: false },
      },
      additionalProperties: false,
    }),
  ).toEqual({
    type: 'object',
    properties: {
      maxLength: { type: 'string', description: 'A text' },
      count: { type: 'integer', minimum: 1 },
      rows: { type: 'array', items: { type: 'object' } },
      closed: { type: 'object', properties: { a: { type: 'string', description: 'A text' } } },
    },
    additionalProperties: false,
  });
});
