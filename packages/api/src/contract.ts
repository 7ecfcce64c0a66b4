/** The door of what generates the contract of clients. */

export { recordContracts } from './imports/contract.ts';
export { jsonSchemaOf } from './records/contract/json-schema.ts';
export { fieldsIn } from './records/contract/records.ts';
