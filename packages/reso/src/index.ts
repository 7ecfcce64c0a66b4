/** The RESO Web API of Roster, over a service that it is given: it knows neither the server nor the database. */
export { chooseVersion } from './protocol/preferences.ts';
export type { ResoAnswer, ResoRequest, Row, Service } from './protocol/service.ts';
export { createReso, type Reso, type ResoPlace } from './reso.ts';
