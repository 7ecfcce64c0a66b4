/** The contract of the service as data, for its generator and for what reads files. */
export { jsonSchemaOf } from './json-schema.ts';
export { fieldsIn, recordContracts } from './records.ts';
