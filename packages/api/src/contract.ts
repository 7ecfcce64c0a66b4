/** The door of what generates the contract of clients. */

export { recordContracts } from './imports/contract.ts';
export { fieldsIn, jsonSchemaOf } from './records/contract.ts';
