import { agentJson } from '../agent-json.ts';
import { servePipelined } from './pipelined.ts';

/** PostgreSQL makes the JSON of a record from its columns, each time it is read. */
await servePipelined(agentJson);
