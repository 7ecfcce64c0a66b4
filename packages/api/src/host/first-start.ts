export { findDefaultCountry } from '../engine/write/telephone-countries.ts';
export { createFirstKey, hasKeys } from '../identity/keys/service.ts';
export { createFirstLink, hasPeople } from '../identity/sign-in/service.ts';
export { chooseFirstCountry } from '../settings/service.ts';
