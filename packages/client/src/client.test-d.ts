import type { TRPCClient } from '@trpc/client';
import { expectTypeOf } from 'vitest';
import type {
  Agent,
  AgentPage,
  AppRouter,
  ErrorCode,
  FollowedEvent,
  Key,
  ListedAgent,
  ListedOffice,
  NewAgent,
  NewOffice,
  Office,
  OfficePage,
  OfficeQuery,
  RosterClient,
  RosterError,
  RouterInputs,
  RouterOutputs,
} from './index.ts';

declare const client: RosterClient;
declare const signal: AbortSignal;

expectTypeOf(client).toExtend<TRPCClient<AppRouter>>();

expectTypeOf(client.offices.list.query).parameter(0).extract<object>().toEqualTypeOf<OfficeQuery>();
expectTypeOf<RouterInputs['offices']['create']>().toEqualTypeOf<NewOffice>();
expectTypeOf<RouterOutputs['offices']['create']>().toEqualTypeOf<Office>();
expectTypeOf(client.offices.create.mutate).parameter(0).toEqualTypeOf<NewOffice>();
expectTypeOf(client.agents.create.mutate).parameter(0).extract<object>().toEqualTypeOf<NewAgent>();
expectTypeOf(client.offices.get.query).parameter(0).toEqualTypeOf<{
  id: string;
  expand?: 'counts' | undefined;
}>();

expectTypeOf<Awaited<ReturnType<typeof client.offices.get.query>>>().toExtend<ListedOffice>();
expectTypeOf<Awaited<ReturnType<typeof client.agents.update.mutate>>>().toEqualTypeOf<Agent>();
expectTypeOf<OfficePage['items']>().toEqualTypeOf<ListedOffice[]>();
expectTypeOf<ListedOffice>().toExtend<Office>();
expectTypeOf<AgentPage['items']>().toEqualTypeOf<ListedAgent[]>();
expectTypeOf<ListedAgent>().toExtend<Agent>();
expectTypeOf<NonNullable<ListedAgent['office']>['name']>().toEqualTypeOf<string>();
expectTypeOf<OfficePage['nextCursor']>().toEqualTypeOf<string | undefined>();

expectTypeOf<NonNullable<Office['address']>['city']>().toEqualTypeOf<string | null>();
expectTypeOf<Agent['status']>().toEqualTypeOf<'active' | 'inactive'>();

// @ts-expect-error a filter that does not exist does not compile
client.offices.list.query({ nothing: true });
// @ts-expect-error only deactivate and reactivate change the status
client.offices.create.mutate({ name: 'x', status: 'inactive' });
// @ts-expect-error a query has no mutate
client.offices.list.mutate({});

// No required input.
expectTypeOf(client.stats.get.query).toBeCallableWith();
expectTypeOf(client.offices.list.query).toBeCallableWith();
expectTypeOf(client.offices.list.query).toBeCallableWith(undefined, { signal });
// @ts-expect-error what requires something does
client.offices.get.query();
// @ts-expect-error a change does too
client.offices.create.mutate();

declare const error: RosterError;
expectTypeOf(error.code).toEqualTypeOf<ErrorCode>();
expectTypeOf(error.errors).items.toHaveProperty('detail');

expectTypeOf(client.offices.all).returns.toExtend<AsyncIterable<Office>>();
expectTypeOf(client.agents.all).returns.toExtend<AsyncIterable<ListedAgent>>();
expectTypeOf(client.keys.all).returns.toExtend<AsyncIterable<Key>>();
expectTypeOf(client.agents.all).toBeCallableWith({ officeId: ['a', 'b'], limit: 200 }, { signal });
// @ts-expect-error it starts at the first page
client.agents.all({ cursor: 'x' });
// @ts-expect-error it returns no total
client.agents.all({ includeTotal: true });
// @ts-expect-error agents do not have this filter of offices
client.agents.all({ mainOfficeId: 'x' });

const feed = client.events.follow({ after: 'x', types: ['office.created'], subject: 'x' }, { signal });
expectTypeOf(feed).toEqualTypeOf<AsyncGenerator<FollowedEvent, void, undefined>>();
expectTypeOf<FollowedEvent['cursor']>().toEqualTypeOf<string>();
export function narrowed(event: FollowedEvent) {
  if (event.type === 'office.updated') expectTypeOf(event.record).toEqualTypeOf<Office | null>();
}
// @ts-expect-error an event of this type does not exist
client.events.follow({ types: ['office.painted'] });
// @ts-expect-error only events can be followed
client.offices.follow();
// @ts-expect-error events have no pages
client.events.all();
