import { servePipelined } from './pipelined.ts';

/**
 * The row keeps its record as JSON, as Roster's trigger makes it, and that is what is sent: the least that any service over
 * these tables has to do in JavaScript with the client `pg`.
 */
await servePipelined('agent.record');
