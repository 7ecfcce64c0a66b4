import type { RosterClient } from './client.ts';

export type {
  Agent,
  AgentPatch,
  AgentQuery,
  AppRouter,
  FieldError,
  Key,
  KeyWithSecret,
  NewAgent,
  NewKey,
  NewOffice,
  Office,
  OfficeDeactivation,
  OfficePatch,
  OfficeQuery,
  OfficeSummary,
  Problem,
  Reason,
  Scope,
  Status,
} from '@roster/api';

/** One page of offices: `items`, and while there is more `nextCursor`; `total` where it was asked for. */
export type OfficePage = Awaited<ReturnType<RosterClient['offices']['list']['query']>>;

/** One page of agents: `items`, and while there is more `nextCursor`; `total` where it was asked for. */
export type AgentPage = Awaited<ReturnType<RosterClient['agents']['list']['query']>>;

/** One page of keys: `items`, and while there is more `nextCursor`. */
export type KeyPage = Awaited<ReturnType<RosterClient['keys']['list']['query']>>;

/** An agent in a list: with `expand: 'office'` a summary of the office is embedded. */
export type ListedAgent = AgentPage['items'][number];
