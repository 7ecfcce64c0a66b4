import { openApiDocument } from '@roster/api/openapi';
import type { Schema } from './values.ts';

/** The parts of the OpenAPI document from which requests are made. */
export interface Parameter {
  name: string;
  in: string;
  schema: Schema;
}
export interface OperationObject {
  parameters: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}
export const document = openApiDocument({ baseUrl: '/' }) as {
  paths: Record<string, Record<string, OperationObject>>;
};

/** What a reference of the document refers to. */
export function resolve(pointer: string): Schema {
  const names = pointer.slice(2).split('/');
  return names.reduce<unknown>((part, name) => (part as Record<string, unknown>)[name], document) as Schema;
}
