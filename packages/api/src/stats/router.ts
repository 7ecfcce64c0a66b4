import type { TRPCRouterRecord } from '@trpc/server';
import { checkScopes, readScopes } from '../access/scopes.ts';
import { namesText } from '../directory/registry.ts';
import { operationsOf } from '../trpc/init.ts';
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
          'Returns counts by status, office, region, month and licence expiry, from one snapshot. Those of a large ' +
          'directory are updated at most once a minute. If your access is restricted, only your offices are counted. ' +
          `Also needs ${otherScopes.map((scope) => `\`${scope}\``).join(' and ')}.`,
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
