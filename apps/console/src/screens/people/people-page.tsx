import { Trans, useLingui } from '@lingui/react/macro';
import type { Person, PersonQuery, PersonStatus } from '@roster/client';
import { Link, useNavigate, useParams } from '@tanstack/react-router';
import { UserPlus } from 'lucide-react';
import { useState } from 'react';
import { usePages } from '../../api/use-pages.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ViewFrame } from '../../components/detail-panel.tsx';
import { SelectField } from '../../components/forms/field.tsx';
import { type Column, PagedTable, rowLinkClasses } from '../../components/paged-table.tsx';
import { RelativeTime } from '../../components/time.tsx';
import { firstValue, useParameter, useViewState } from '../../page/view-state.ts';
import { LinkDialog, type MadeLink } from './invitation.tsx';
import { InviteDialog } from './person-form.tsx';
import { Grants, statusLabels, statusTones } from './roles.tsx';

const DEFAULT_SORT = 'name';

function useColumns(): Column<Person>[] {
  const { t } = useLingui();
  const [search] = useViewState();
  const open = { ...search, create: undefined };
  return [
    {
      id: 'name',
      label: t`Name`,
      sort: 'name',
      cell: ({ id, name, email }) => (
        <>
          <Link to="/people/$id" params={{ id }} search={open} className={rowLinkClasses}>
            {name}
          </Link>
          <p className="break-all text-muted text-xs">{email}</p>
        </>
      ),
    },
    {
      id: 'status',
      label: t`State`,
      cell: ({ status, signInWay }) => (
        <>
          <Badge tone={statusTones[status]}>{t(statusLabels[status])}</Badge>
          {signInWay === 'none' && status !== 'inactive' && (
            <p className="text-muted text-xs">{t`Cannot sign in`}</p>
          )}
        </>
      ),
    },
    { id: 'grants', label: t`Grants`, width: 'medium', cell: ({ grants }) => <Grants grants={grants} /> },
    {
      id: 'lastSignedInAt',
      label: t`Last sign-in`,
      width: 'wide',
      cell: ({ lastSignedInAt: time }) => (time === null ? t`Never` : <RelativeTime time={time} />),
    },
    {
      id: 'createdAt',
      label: t`Invited`,
      sort: 'createdAt',
      width: 'widest',
      cell: ({ createdAt }) => <RelativeTime time={createdAt} />,
    },
  ];
}

/** The people who may sign in, with one of them beside the list. */
export function PeoplePage() {
  const { t } = useLingui();
  const [search, changeView] = useViewState();
  const navigate = useNavigate();
  const { id } = useParams({ strict: false });
  const sort = (firstValue(search.sort) ?? DEFAULT_SORT) as NonNullable<PersonQuery['sort']>;
  const [status, setStatus] = useParameter('status');
  const [made, setMade] = useState<MadeLink>();
  const pages = usePages('people', 'list', {
    sort,
    ...(status !== '' && { status: status as PersonStatus }),
  });
  return (
    <ViewFrame
      title={t`People`}
      description={t`Who may sign in, and what each of them may do, where.`}
      actions={
        <Button look="primary" onClick={() => changeView({ create: 'true' })}>
          <UserPlus aria-hidden />
          <Trans>Invite a person</Trans>
        </Button>
      }
    >
      <SelectField
        label={t`State`}
        className="max-w-52"
        value={status}
        onChange={(event) => setStatus(event.target.value)}
      >
        <option value="">{t`All`}</option>
        {Object.entries(statusLabels).map(([value, label]) => (
          <option key={value} value={value}>
            {t(label)}
          </option>
        ))}
      </SelectField>
      <PagedTable
        label={t`People`}
        pages={pages}
        columns={useColumns()}
        defaultSort={DEFAULT_SORT}
        selectedId={id}
        empty={<Trans>No people match.</Trans>}
      />
      {search.create === 'true' && (
        <InviteDialog
          onClose={() => changeView({ create: undefined })}
          onInvited={(person, invitation) => {
            setMade(invitation && { person, invitation });
            void navigate({
              to: '/people/$id',
              params: { id: person.id },
              search: { ...search, create: undefined },
            });
          }}
        />
      )}
      {made !== undefined && <LinkDialog made={made} onClose={() => setMade(undefined)} />}
    </ViewFrame>
  );
}
