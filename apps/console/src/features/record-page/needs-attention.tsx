import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../api/caller.ts';
import { CalendarClock, Clock, Copy } from '../../icons.tsx';
import { isOffice } from '../../resources/offices.ts';
import { type DirectoryRecord, nameOf } from '../../resources/record.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { SOON_DAYS, toneOfEnd } from '../../ui/badge.tsx';
import { Button, buttonClasses, classNames } from '../../ui/button.tsx';
import { groupClasses, Section } from '../../ui/page.tsx';
import { daysUntil } from '../../ui/relative-time.ts';
import { Day, Moment, RelativeTime } from '../../ui/time.tsx';
import { idsOf } from '../duplicates/choices.ts';
import { localDayOf } from '../fields/local-time.ts';
import { sameTexts } from '../fields/reason-labels.ts';
import { cancelLabels } from '../fields/scheduled-labels.ts';
import { useRecord } from '../record/record-context.ts';
import { pendingOf, ScheduledChange, useCancelScheduled } from '../record/scheduled.tsx';

interface LineProps {
  icon: ReactNode;
  tone?: 'warning' | 'danger' | 'neutral';
  detail?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

const toneClasses = { warning: 'text-soon', danger: 'text-danger', neutral: '' } as const;

function Line({ icon, tone = 'neutral', detail, action, children }: LineProps) {
  const color = toneClasses[tone];
  return (
    <li className="flex min-h-10 items-center gap-3 border-line-soft py-1 ps-3 pe-2 not-first:border-t">
      <span aria-hidden className={classNames('[&_svg]:size-4', color || 'text-muted')}>
        {icon}
      </span>
      <span className="flex min-w-0 grow flex-col @2xl:flex-row @2xl:items-baseline @2xl:gap-2">
        <span className={classNames('min-w-0 font-medium', color)}>{children}</span>
        {detail !== undefined && <span className="min-w-0 text-muted text-xs">{detail}</span>}
      </span>
      {action}
    </li>
  );
}

function EndOfLicence({ number, days }: { number: string; days: number }) {
  const { t } = useLingui();
  if (days < 0) {
    const past = -days;
    return t`Licence ${number} expired ${plural(past, { one: '# day ago', other: '# days ago' })}`;
  }
  if (days === 0) return <Trans>Licence {number} ends today</Trans>;
  return t`Licence ${number} ends ${plural(days, { one: 'in # day', other: 'in # days' })}`;
}

interface EndingLicence {
  number: string;
  expiresOn: string;
  days: number;
}

function endingLicences({ licenses = [] }: DirectoryRecord): EndingLicence[] {
  return licenses.flatMap(({ number, expiresOn }) => {
    const days = expiresOn === null ? Number.POSITIVE_INFINITY : daysUntil(expiresOn);
    return expiresOn === null || days > SOON_DAYS ? [] : [{ number, expiresOn, days }];
  });
}

/** The time after a change in which the service may not have compared the record yet, and the pause between two looks meanwhile. */
const COMPARING_MS = 20_000;
const REFETCH_MS = 3_000;

function useDuplicates() {
  const { resource, record } = useRecord();
  const { id, updatedAt } = record;
  const { data } = useQuery({
    // With the id, so that it is asked again when the record changes.
    queryKey: [resource, 'duplicates', { id }] as const,
    queryFn: ({ signal }) =>
      callsOf(resource).duplicates.query({ recordId: id, limit: 1, includeTotal: true }, { signal }),
    refetchInterval: () => Date.now() - Date.parse(String(updatedAt)) < COMPARING_MS && REFETCH_MS,
  });
  const [pair] = data?.items ?? [];
  return pair && { pair, total: data?.total ?? 1 };
}

function DuplicateLine({ pair, total }: NonNullable<ReturnType<typeof useDuplicates>>) {
  const { i18n } = useLingui();
  const { resource, record } = useRecord();
  const other = pair.records.find(({ id }) => id !== record.id);
  const name = other && nameOf(other);
  const [id, otherId] = idsOf(pair);
  const isOne = total === 1 && name !== undefined;
  return (
    <Line
      icon={<Copy />}
      detail={isOne ? sameTexts({ i18n, resource }, pair.reasons) : undefined}
      action={
        <Link
          to={isOne ? `/duplicates/${resource}/$id/$otherId` : `/duplicates/${resource}`}
          params={{ id, otherId }}
          search={{ recordId: record.id }}
          className={buttonClasses('secondary', 'small')}
        >
          <Trans>Compare</Trans>
        </Link>
      }
    >
      {isOne ? (
        <Trans>Possible duplicate: {name}</Trans>
      ) : (
        <Plural value={total} one="# possible duplicate" other="# possible duplicates" />
      )}
    </Line>
  );
}

/** The days within which the ending licences of an office's agents are its matter. */
const AGENTS_DAYS = 30;
const DAY_MS = 86_400_000;

function useAgentsLicences(): number {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const filter = agentsLicencesFilter(record.id);
  const { data } = useQuery({
    queryKey: ['agents', 'related', { ...filter, includeTotal: true }] as const,
    queryFn: ({ signal }) =>
      callsOf('agents').list.query({ ...filter, limit: 1, includeTotal: true }, { signal }),
    enabled: isOffice(resource) && can('agents:read'),
  });
  return data?.total ?? 0;
}

const agentsLicencesFilter = (officeId: string) => ({
  officeId,
  status: 'active',
  licenseExpiresBefore: localDayOf(Date.now() + (AGENTS_DAYS + 1) * DAY_MS),
});

/** Things of a record that someone should do: ending licences, possible duplicates, scheduled changes. Nothing if there is none of it. */
export function NeedsAttention({ onRenew }: { onRenew: (() => void) | undefined }) {
  const { t } = useLingui();
  const open = useRecord();
  const { resource, record } = open;
  const { canCancelScheduled } = useRights();
  const licences = endingLicences(record);
  const duplicates = useDuplicates();
  const agentsLicences = useAgentsLicences();
  const pending = pendingOf(record);
  const cancel = useCancelScheduled(open);
  const total =
    licences.length + (duplicates === undefined ? 0 : 1) + (agentsLicences > 0 ? 1 : 0) + pending.length;
  if (total === 0) return null;
  return (
    <Section level={3} title={<Trans>Needs attention</Trans>} note={total}>
      <ul className={`${groupClasses} text-sm`}>
        {licences.map(({ number, expiresOn, days }) => (
          <Line
            key={number}
            icon={<Clock />}
            tone={toneOfEnd(days)}
            detail={<Day day={expiresOn} />}
            action={
              onRenew !== undefined && (
                <Button size="small" onClick={onRenew}>
                  <Trans>Renew</Trans>
                </Button>
              )
            }
          >
            <EndOfLicence number={number} days={days} />
          </Line>
        ))}
        {agentsLicences > 0 && (
          <Line
            icon={<Clock />}
            tone="warning"
            action={
              <Link
                to="/agents"
                search={agentsLicencesFilter(record.id)}
                className={buttonClasses('secondary', 'small')}
              >
                <Trans>Show agents</Trans>
              </Link>
            }
          >
            <Plural
              value={agentsLicences}
              one="The licence of # agent has expired or ends within 30 days"
              other="The licences of # agents have expired or end within 30 days"
            />
          </Line>
        )}
        {duplicates !== undefined && <DuplicateLine {...duplicates} />}
        {pending.map((one) => (
          <Line
            key={one.id}
            icon={<CalendarClock />}
            detail={
              <>
                <Trans>
                  On <Moment time={one.effectiveAt} />, <RelativeTime time={one.effectiveAt} isStop={false} />
                </Trans>
                {one.reason !== null && ` · ${one.reason}`}
              </>
            }
            action={
              canCancelScheduled && (
                <Button size="small" disabled={cancel.isPending} onClick={() => cancel.mutate(one.id)}>
                  {t(cancelLabels[one.change])}
                </Button>
              )
            }
          >
            <ScheduledChange resource={resource} change={one} />
          </Line>
        ))}
      </ul>
    </Section>
  );
}
