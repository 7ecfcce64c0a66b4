import { z } from 'zod';
import { answeredId } from '../resources/fields/field.ts';
import { answeredTime, count, logPosition } from '../resources/fields/schemas.ts';

/** A list of servers or migrations has at most so many. */
export const LISTED_MAX = 200;

const seconds = (description: string) => z.number().min(0).meta({ description, example: 0.2 });

const serverFields = {
  id: answeredId('One for each start of a server'),
  host: z.string().meta({ description: 'The name of its machine or container', example: 'roster-1' }),
  pid: z.int32().min(1).meta({ description: 'Its process id there', example: 4711 }),
  version: z.string().meta({ description: 'Its version', example: '0.1.0' }),
  startedAt: answeredTime('When it started'),
};

const RunningServer = z
  .strictObject({
    ...serverFields,
    lastSeenAt: answeredTime('When it was last seen: a server that runs is seen every 5 seconds'),
  })
  .meta({ id: 'RunningServer', description: 'A server that runs on the same database' });

const Circuit = z.enum(['closed', 'open']).meta({
  id: 'CircuitState',
  description: '`open` while the answering server cannot connect and rejects what needs a new connection',
  example: 'closed',
});

const migrationsOf = (description: string) =>
  z.array(z.string()).meta({ description, example: ['0028-running-servers'], maxItems: LISTED_MAX });

const DatabaseStatus = z
  .strictObject({
    version: z.string().meta({ description: 'The version of PostgreSQL', example: '18.4' }),
    sizeBytes: z.int().min(0).meta({ description: 'The size of the database', example: 52_428_800 }),
    connections: z
      .strictObject({
        open: count('Connections of all clients to the server of PostgreSQL', 21),
        max: count('How many it accepts', 97),
      })
      .meta({ description: 'Connections to PostgreSQL' }),
    circuits: z
      .strictObject({ requests: Circuit, workers: Circuit })
      .meta({ description: 'The circuit breakers of the answering server' }),
    migrations: z
      .strictObject({
        latest: z
          .string()
          .nullable()
          .meta({ description: 'The last one that has run', example: '0028-running-servers' }),
        pending: migrationsOf('Those of the answering server that have not run'),
        unknown: migrationsOf('Those that have run and are of a later release'),
      })
      .meta({ description: 'Migrations of the schema' }),
  })
  .meta({ id: 'DatabaseStatus', description: 'The primary database' });

export const ServiceStatus = z
  .strictObject({
    asOf: answeredTime('When it was read: responses can be a second old'),
    server: z
      .strictObject({ ...serverFields, uptimeS: seconds('For how long it has been running') })
      .meta({ id: 'AnsweringServer', description: 'The server that answers' }),
    servers: z
      .array(RunningServer)
      .meta({ description: 'The servers that were seen in the last 15 seconds', maxItems: LISTED_MAX }),
    database: DatabaseStatus,
    sequencer: z
      .strictObject({
        lastPosition: logPosition('The last position that an event has'),
        waiting: count('Events without a position, counted up to 10,000'),
        oldestWaitingS: seconds('The age of the oldest of them; 0 if there is none'),
      })
      .meta({
        description: 'What gives events their positions. Each server tries; a lock lets one at a time',
      }),
    deliveries: z
      .strictObject({
        pending: count('Deliveries to active webhooks that are not made yet', 3),
        due: count('Those of them whose time has come and that no server has taken'),
        inFlight: count('Those that a server is making', 1),
        oldestDueS: seconds('For how long the oldest of those that are due has been; 0 if there is none'),
        lagS: seconds(
          'Age of the oldest event that was not sent to an active webhook whose receiver responds; 0 if there is none',
        ),
        failingLagS: seconds(
          'Age of the oldest event that was not delivered to a failing or paused webhook; 0 if there is none',
        ),
        failing: count('Active webhooks whose last attempt failed'),
        unread: count('Events that the active webhook furthest behind has not read'),
      })
      .meta({ description: 'Deliveries of webhooks' }),
    jobs: z
      .strictObject({
        queued: count('Jobs that wait'),
        running: count('Jobs that run', 1),
        oldestQueuedS: seconds('For how long the oldest of those that wait has; 0 if there is none'),
      })
      .meta({ description: 'Changes of many records' }),
    scheduledChanges: z
      .strictObject({
        pending: count('Changes that have not happened, counted up to 10,000', 12),
        due: count('Those of them whose time has come'),
        oldestDueS: seconds('For how long the oldest of these has been due; 0 if there is none'),
      })
      .meta({ description: 'Scheduled changes' }),
  })
  .meta({ id: 'ServiceStatus', description: 'How the service is, for those who operate it' });
export type ServiceStatus = z.infer<typeof ServiceStatus>;
