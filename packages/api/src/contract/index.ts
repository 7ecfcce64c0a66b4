export { jsonSchemaOf } from './json-schema.ts';
export { fieldsIn, recordContracts } from './records.ts';
