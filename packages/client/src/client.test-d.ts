import type { TRPCClient } from '@trpc/client';
import { expectTypeOf } from 'vitest';
import type {
  Agent,
  AgentPage,
  AppRouter,
  ErrorCode,
  ListedAgent,
  NewAgent,
  NewOffice,
  Office,
  OfficePage,
  OfficeQuery,
  RosterClient,
  RosterError,
} from './index.ts';

declare const client: RosterClient;

expectTypeOf(client).toEqualTypeOf<TRPCClient<AppRouter>>();

expectTypeOf(client.offices.list.query).parameter(0).toEqualTypeOf<OfficeQuery>();
expectTypeOf(client.offices.create.mutate).parameter(0).toEqualTypeOf<NewOffice>();
expectTypeOf(client.agents.create.mutate).parameter(0).toEqualTypeOf<NewAgent>();
expectTypeOf(client.offices.get.query).parameter(0).toEqualTypeOf<{ id: string }>();

expectTypeOf<Awaited<ReturnType<typeof client.offices.get.query>>>().toEqualTypeOf<Office>();
expectTypeOf<Awaited<ReturnType<typeof client.agents.update.mutate>>>().toEqualTypeOf<Agent>();
expectTypeOf<OfficePage['items']>().toEqualTypeOf<Office[]>();
expectTypeOf<AgentPage['items']>().toEqualTypeOf<ListedAgent[]>();
expectTypeOf<ListedAgent>().toExtend<Agent>();
expectTypeOf<NonNullable<ListedAgent['office']>['name']>().toEqualTypeOf<string>();
expectTypeOf<OfficePage['nextCursor']>().toEqualTypeOf<string | undefined>();

expectTypeOf<NonNullable<Office['address']>['city']>().toEqualTypeOf<string | null>();
expectTypeOf<Agent['status']>().toEqualTypeOf<'active' | 'inactive'>();

// @ts-expect-error a filter that does not exist does not compile
client.offices.list.query({ nothing: true });
// @ts-expect-error the state is changed by deactivate and reactivate alone
client.offices.create.mutate({ name: 'x', status: 'inactive' });
// @ts-expect-error a query has no mutate
client.offices.list.mutate({});

declare const error: RosterError;
expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
expectTypeOf(error.errors).items.toHaveProperty('detail');
