import type { TRPCRouterRecord } from '@trpc/server';
import { namesText } from '../directory.ts';
import { checkScopes, readScopes } from '../identity/access/scopes.ts';
import { operationsOf } from '../trpc/meta.ts';
import { procedureFor } from '../trpc/procedure.ts';
import { Stats, StatsQuery } from './schemas.ts';
import { readStats } from './service.ts';

const [readScope, ...otherScopes] = readScopes;

const operation = operationsOf('Stats');

export const statsRouter = {
  get: procedureFor(readScope)
    .meta(
      operation('GET /stats', {
        summary: `Count ${namesText}`,
        description:
          'By status, office, region, month and the expiry of licences, all in one snapshot, whose time is `asOf`. A large ' +
          'directory is counted in the background, once in a minute or less often; a small one for each request. ' +
          'For a caller who is limited to some offices, what is within them is counted for each request. ' +
          `Needs the scopes ${otherScopes.map((scope) => `\`${scope}\``).join(' and ')} too.`,
        isLimited: true,
      }),
    )
    .input(StatsQuery)
    .output(Stats)
    .query(async ({ ctx, input }) => {
      checkScopes(ctx.caller, otherScopes);
      const stats = await readStats(ctx, ctx.now());
      const byOffice = stats.agents.byOffice.slice(0, input.officesMax);
      return { ...stats, agents: { ...stats.agents, byOffice } };
    }),
} satisfies TRPCRouterRecord;
