import type { TRPCRouterRecord } from '@trpc/server';
import { checkScopes } from '../access/scopes.ts';
import { procedureFor } from '../procedures/procedure.ts';
import { Stats, StatsQuery } from '../stats/schemas.ts';
import { readStats } from '../stats/service.ts';

export const statsRouter = {
  get: procedureFor('agents:read')
    .meta({
      isLimited: true,
      openapi: {
        method: 'GET',
        path: '/stats',
        tags: ['Stats'],
        summary: 'Count offices and agents',
        description:
          'By status, office, region, month and the expiry of licences, all in one snapshot, whose time is `asOf`. A large ' +
          'directory is counted in the background, once in a minute or less often; a small one for each request. ' +
          'For a caller who is limited to some offices, what is within them is counted for each request. ' +
          'Needs the scope `offices:read` too.',
      },
      errors: [],
    })
    .input(StatsQuery)
    .output(Stats)
    .query(async ({ ctx, input }) => {
      checkScopes(ctx.caller, ['offices:read']);
      const stats = await readStats(ctx, ctx.services.now());
      const byOffice = stats.agents.byOffice.slice(0, input.officesMax);
      return { ...stats, agents: { ...stats.agents, byOffice } };
    }),
} satisfies TRPCRouterRecord;
