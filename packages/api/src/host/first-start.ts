export { createFirstKey, hasKeys } from '../identity/keys/service.ts';
export { createFirstLink, hasPeople } from '../identity/sign-in/service.ts';
