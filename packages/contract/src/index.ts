/**
 * The contract of the service as data. Its parts are imported by themselves, so that nobody loads more than needed:
 * `@roster/contract/operations`, `@roster/contract/records`, `@roster/contract/fields`, which are the records without descriptions,
 * `@roster/contract/countries`, `@roster/contract/regions`, `@roster/contract/patches`, `@roster/contract/phones`,
 * `@roster/contract/check`, `@roster/contract/text` and `@roster/contract/json-pointer`.
 */
export type {
  BareField,
  BareRecordContract,
  Field,
  Kind,
  Operation,
  RecordContract,
  Value,
} from './field.ts';
export { fieldAt, inputFields } from './field.ts';
