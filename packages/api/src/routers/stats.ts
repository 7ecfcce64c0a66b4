import type { TRPCRouterRecord } from '@trpc/server';
import { checkScopes, readableNames, scopesOfAll } from '../access/scopes.ts';
import { namesText } from '../directory.ts';
import { procedureFor } from '../procedures/procedure.ts';
import { Stats, StatsQuery } from '../stats/schemas.ts';
import { readStats } from '../stats/service.ts';
import { operationsOf } from '../trpc/meta.ts';

const [readScope, ...readScopes] = scopesOfAll('read');

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
          `Needs the scope ${readScopes.map((scope) => `\`${scope}\``).join(' and ')} too; of the other resources those are counted that the key may read.`,
        isLimited: true,
      }),
    )
    .input(StatsQuery)
    .output(Stats)
    .query(async ({ ctx, input }) => {
      checkScopes(ctx.caller, readScopes);
      const stats = await readStats(ctx, ctx.services.now());
      const readable: readonly string[] = ['asOf', ...readableNames(ctx.caller)];
      const shown = Object.entries(stats).filter(([name]) => readable.includes(name));
      const byOffice = stats.agents.byOffice.slice(0, input.officesMax);
      return { ...(Object.fromEntries(shown) as Stats), agents: { ...stats.agents, byOffice } };
    }),
} satisfies TRPCRouterRecord;
