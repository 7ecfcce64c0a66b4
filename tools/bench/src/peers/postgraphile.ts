import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { CONNECTIONS, databaseUrl, listen } from './start.ts';

/** PostGraphile 5 over the same tables; searching and writing are functions of SQL (postgraphile-functions.ts). */
const instance = postgraphile({
  extends: [PostGraphileAmberPreset],
  // Otherwise there is no filter by `status`, which has no index of its own.
  disablePlugins: ['PgIndexBehaviorsPlugin'],
  pgServices: [
    makePgService({
      connectionString: databaseUrl(),
      schemas: ['public'],
      poolConfig: { max: CONNECTIONS },
    }),
  ],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
  schema: { dontSwallowErrors: true },
});

const server = createServer();
await instance.createServ(grafserv).addTo(server);
listen(server);
