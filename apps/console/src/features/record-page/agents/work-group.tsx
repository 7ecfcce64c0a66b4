import { Trans } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useRights } from '../../../api/caller.ts';
import { Building2, UsersRound } from '../../../icons.tsx';
import { nameOf } from '../../../resources/record.ts';
import { useReferred } from '../../../resources/referred-records.ts';
import { InactiveBadge } from '../../../ui/badge.tsx';
import { buttonClasses, textLinkClasses } from '../../../ui/button.tsx';
import { recordPath, useRecord } from '../../record/record-context.ts';
import { ReferenceLink } from '../../record/reference-link.tsx';
import { type FieldGroupProps, FieldGroupView, type FieldList } from '../field-group.tsx';
import { RelatedDetail, SHOWN_MAX, Since, useRelated } from '../relations.tsx';

const lineClasses = 'flex min-h-10 items-center gap-x-3 px-3 py-1';

/** The main office of an agent, with the city and the job title. */
function OfficeLine({ id, ...buttons }: { id: string; officeButton: ReactNode; title: ReactNode }) {
  const { record } = useRecord();
  const office = useReferred('offices', id);
  const city = office?.address?.city;
  return (
    <li className={`group/row ${lineClasses}`}>
      <Building2 aria-hidden className="size-4 shrink-0 text-muted" />
      <span className="flex min-w-0 flex-col @2xl:flex-row @2xl:items-baseline @2xl:gap-2">
        <ReferenceLink resource="offices" id={id} />
        <span className="text-muted text-xs">
          {city ? <Trans>Main office, {city}</Trans> : <Trans>Main office</Trans>}
        </span>
      </span>
      {buttons.officeButton}
      {buttons.title}
      <Since day={String(record.transferredAt ?? record.createdAt).slice(0, 10)} />
    </li>
  );
}

/** The office of an agent, with the job title, and the teams, in one list. */
export function WorkGroup(props: Omit<FieldGroupProps, 'list'>) {
  const { record } = useRecord();
  const { can } = useRights();
  const { id, officeId, title } = record;
  const filter = { agentId: id };
  const { data } = useRelated('teams', filter, can('teams:read'));
  const teams = data?.items ?? [];
  const show: FieldList['show'] = (editButtonOf, isShown) => {
    const hasOffice = typeof officeId === 'string' && isShown('officeId');
    if (!hasOffice && teams.length === 0) return null;
    return (
      <ul className="my-1.5 divide-y divide-line-soft rounded-md border border-line text-sm">
        {hasOffice && (
          <OfficeLine
            id={officeId}
            officeButton={editButtonOf('officeId')}
            title={
              isShown('title') && (
                <span className="ms-auto flex min-w-0 items-center gap-1 text-end text-muted">
                  {editButtonOf('title')}
                  {String(title)}
                </span>
              )
            }
          />
        )}
        {teams.map((team) => (
          <li key={team.id} className={lineClasses}>
            <UsersRound aria-hidden className="size-4 shrink-0 text-muted" />
            <Link
              to={recordPath('teams')}
              params={{ id: team.id }}
              search={filter}
              className={textLinkClasses}
            >
              {nameOf(team)}
            </Link>
            {team.status === 'inactive' && <InactiveBadge />}
            <RelatedDetail resource="teams" record={team} of={id} />
          </li>
        ))}
        {teams.length === SHOWN_MAX && (
          <li className={lineClasses}>
            <Link to="/teams" search={filter} className={buttonClasses('quiet', 'small')}>
              <Trans>View in the list</Trans>
            </Link>
          </li>
        )}
      </ul>
    );
  };
  const hasOffice = typeof officeId === 'string';
  const fields = hasOffice ? ['officeId', 'title'] : [];
  return <FieldGroupView {...props} list={hasOffice || teams.length > 0 ? { fields, show } : undefined} />;
}
