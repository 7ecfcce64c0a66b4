/** The contract of the service as data, for generators and file readers. */
export { jsonSchemaOf } from './json-schema.ts';
export { fieldsIn, recordContracts } from './records.ts';
