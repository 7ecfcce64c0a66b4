/** The RESO Web API over a service, independent of server and database. */
export { chooseVersion } from './protocol/preferences.ts';
export type { ResoRequest, ResoResponse, Row, Service } from './protocol/service.ts';
export { createReso, type Reso, type ResoPlace } from './reso.ts';
