import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useRights } from '../../api/caller.ts';
import { contracts, type ResourceName } from '../../api/contract/contracts.ts';
import { useEvents } from '../../api/live.ts';
import { ArrowUp, Plus } from '../../icons.tsx';
import { isAgent } from '../../resources/agents.ts';
import type { Relation } from '../../resources/definition.ts';
import { referredIds } from '../../resources/event-types.ts';
import { relationsOf, resources } from '../../resources/index.ts';
import { isOffice } from '../../resources/offices.ts';
import { type DirectoryRecord, nameOf } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { AllLink } from '../../ui/all-link.tsx';
import { Avatar } from '../../ui/avatar.tsx';
import { endClasses, InactiveBadge, toneOfEnd } from '../../ui/badge.tsx';
import { buttonClasses, classNames, textLinkClasses } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { Section } from '../../ui/page.tsx';
import { RecordName } from '../../ui/record-name.tsx';
import { daysUntil } from '../../ui/relative-time.ts';
import { Day, NearDay } from '../../ui/time.tsx';
import { choiceLabel } from '../fields/field-labels.ts';
import { useReadPhone } from '../fields/phone-text.ts';
import { recordPath, useRecord } from '../record/record-context.ts';

export const SHOWN_MAX = 8;

/** Agents whose licence ends first come first; other records by name. */
const sortOf = (resource: ResourceName) =>
  contracts[resource].sorts.find((sort) => isAgent(resource) && sort === 'nextLicenseExpiresOn') ??
  contracts[resource].nameSort;

interface RelatedProps {
  relation: Relation;
  of: { resource: ResourceName; id: string };
  count: number | undefined;
}

export function useRelated(resource: ResourceName, filter: Record<string, string>, isEnabled = true) {
  const input = {
    ...filter,
    sort: sortOf(resource),
    limit: SHOWN_MAX,
    ...(isOffice(resource) && { expand: 'counts' }),
  };
  return useQuery({
    queryKey: [resource, 'related', input] as const,
    queryFn: ({ signal }) => callsOf(resource).list.query(input, { signal }),
    enabled: isEnabled,
  });
}

function Related({ relation: { label, resource, field }, of, count }: RelatedProps) {
  const { t } = useLingui();
  const { can } = useRights();
  const filter = { [field]: of.id };
  const { data, error } = useRelated(resource, filter);
  if (error !== null) return <ErrorBox error={error} />;
  if (data === undefined || data.items.length === 0) return null;
  const isTable = isAgent(resource);
  return (
    <div className={classNames('col-span-full min-w-0', !isTable && '@2xl:col-span-1')}>
      <Section
        level={3}
        title={t(label)}
        note={count}
        end={
          <>
            {isTable && can('agents:write') && (
              <Link to="/agents/new" search={filter} className={buttonClasses('quiet', 'small')}>
                <Plus aria-hidden />
                <Trans>Add agent</Trans>
              </Link>
            )}
            <AllLink
              to={`/${resource}`}
              search={filter}
              count={count}
              {...(count === undefined && { label: t`View in the list` })}
            />
          </>
        }
      >
        {isTable ? (
          <AgentsTable label={t(label)} agents={data.items} search={filter} />
        ) : (
          <ul className="divide-y divide-line-soft rounded-md border border-line text-sm">
            {data.items.map((record) => (
              <li key={record.id} className="flex min-h-9 flex-wrap items-center gap-x-2 px-3 py-1">
                <Link
                  to={recordPath(resource)}
                  params={{ id: record.id }}
                  search={resource === of.resource ? true : filter}
                  className={textLinkClasses}
                >
                  {nameOf(record)}
                </Link>
                {record.status === 'inactive' && <InactiveBadge />}
                <RelatedDetail resource={resource} record={record} of={of.id} />
              </li>
            ))}
          </ul>
        )}
      </Section>
    </div>
  );
}

export function Since({ day }: { day: string }) {
  return (
    <span className="min-w-36 shrink-0 text-end text-muted @max-2xl:hidden">
      <Trans>
        since <Day day={day} />
      </Trans>
    </span>
  );
}

interface RelatedDetailProps {
  resource: ResourceName;
  record: DirectoryRecord;
  /** The record whose page it is. */
  of: string;
}

/** The manager of an office and its number of agents; what an agent is in a team, or who leads it, and its number of members. */
export function RelatedDetail({ resource, record, of }: RelatedDetailProps) {
  const { t, i18n } = useLingui();
  const { managerAgentId, counts } = record;
  if (isOffice(resource))
    return (
      <>
        <span className="text-muted text-xs">
          {typeof managerAgentId === 'string' ? (
            <RecordName resource="agents" id={managerAgentId} />
          ) : (
            <Trans>No manager</Trans>
          )}
        </span>
        {counts !== undefined && (
          <span className="ms-auto text-muted">{t(resources.agents.counted(counts.agents.active))}</span>
        )}
      </>
    );
  const members: readonly Record<string, unknown>[] = Array.isArray(record.members) ? record.members : [];
  const own = members.find(({ agentId }) => agentId === of);
  const lead = members.find(({ role }) => role === 'lead');
  return (
    <>
      {own === undefined && lead !== undefined && (
        <span className="text-muted text-xs">
          <Trans>
            <RecordName resource="agents" id={String(lead.agentId)} /> leads
          </Trans>
        </span>
      )}
      {members.length > 0 && (
        <span className={own === undefined ? 'ms-auto text-muted' : 'text-muted text-xs'}>
          <Plural value={members.length} one="# member" other="# members" />
        </span>
      )}
      {own !== undefined && (
        <span className="ms-auto text-muted">{choiceLabel(i18n, 'role', String(own.role))}</span>
      )}
      {typeof own?.since === 'string' && <Since day={own.since} />}
    </>
  );
}

interface AgentsTableProps {
  label: string;
  agents: readonly DirectoryRecord[];
  search: Record<string, string>;
}

const headClasses = 'h-8 border-line border-b bg-sunken px-3 font-medium text-muted text-xs';

function AgentsTable({ label, agents, search }: AgentsTableProps) {
  const readPhone = useReadPhone();
  return (
    <div className="overflow-hidden rounded-md border border-line">
      <table aria-label={label} className="w-full border-collapse text-sm">
        <thead>
          <tr>
            <th scope="col" className={`text-start ${headClasses}`}>
              <Trans>Name</Trans>
            </th>
            <th scope="col" className={`text-start max-sm:hidden ${headClasses}`}>
              <Trans>Phone</Trans>
            </th>
            <th scope="col" className={`text-start ${headClasses} text-text`} aria-sort="ascending">
              <Trans>Licence ends</Trans> <ArrowUp aria-hidden className="inline size-3.5" />
            </th>
            <th scope="col" className={`text-end max-sm:hidden ${headClasses}`}>
              <Trans context="time">Since</Trans>
            </th>
          </tr>
        </thead>
        <tbody>
          {agents.map((agent) => {
            const { id, status, title, mobilePhone, phone, nextLicenseExpiresOn: day } = agent;
            const number = mobilePhone ?? phone;
            return (
              <tr key={id} className="border-line-soft not-first:border-t hover:bg-hover">
                <th scope="row" className="h-9 px-3 text-start font-normal">
                  <span className="flex min-w-0 flex-wrap items-center gap-x-2">
                    <Avatar name={nameOf(agent)} id={id} size={20} isInactive={status === 'inactive'} />
                    <Link
                      to={recordPath('agents')}
                      params={{ id }}
                      search={search}
                      className="font-medium underline-offset-[3px] hover:underline"
                    >
                      {nameOf(agent)}
                    </Link>
                    {status === 'inactive' && <InactiveBadge />}
                    {typeof title === 'string' && <span className="text-muted text-xs">{title}</span>}
                  </span>
                </th>
                <td className="whitespace-nowrap px-3 tabular-nums max-sm:hidden">
                  {typeof number === 'string' && readPhone(number)}
                </td>
                <td
                  className={`whitespace-nowrap px-3 ${endClasses[typeof day === 'string' ? toneOfEnd(daysUntil(day)) : 'neutral']}`}
                >
                  {typeof day === 'string' && <NearDay day={day} />}
                </td>
                <td className="whitespace-nowrap px-3 text-end text-muted max-sm:hidden">
                  <Day day={String(agent.transferredAt ?? agent.createdAt).slice(0, 10)} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** Counts and lists of related records are read again so long after the first of some changes, in milliseconds. */
const COLLECT_MS = 250;

/** Reads again what refers to a record when a record begins or ceases to refer to it, or changes. */
function useRelatedChanges(resource: ResourceName, id: string): void {
  const client = useQueryClient();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const readAgain = () => {
    timer.current = undefined;
    void client.invalidateQueries({ queryKey: countsKey(resource, id) });
    for (const relation of relationsOf(resource))
      void client.invalidateQueries({ queryKey: [relation.resource, 'related'] });
  };
  useEvents((event) => {
    if (referredIds(resource, event).includes(id)) timer.current ??= setTimeout(readAgain, COLLECT_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

const AGENT_TEAMS = 'teams-agentId';

const countsKey = (resource: ResourceName, id: string) =>
  [resource, 'get', { id, expand: 'counts' }] as const;

export function Relations() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  // The teams of an agent are in the list of the office.
  const relations = relationsOf(resource).filter(
    ({ id: name }) => !(isAgent(resource) && name === AGENT_TEAMS),
  );
  const hasCounts = contracts[resource].expansions.includes('counts');
  const { id } = record;
  useRelatedChanges(resource, id);
  const readable = relations.filter((relation) => can(`${relation.resource}:read`));
  const { data } = useQuery({
    queryKey: countsKey(resource, id),
    queryFn: ({ signal }) => callsOf(resource).get.query({ id, expand: 'counts' }, { signal }),
    enabled: hasCounts && readable.length === relations.length,
  });
  const counts = data?.counts;
  if (readable.length === 0) return null;
  const shown = readable.map((relation) => (
    <Related
      key={relation.id}
      relation={relation}
      of={{ resource, id }}
      count={counts && relation.countOf?.(counts)}
    />
  ));
  return <div className="grid grid-cols-2 gap-6 empty:hidden">{shown}</div>;
}
