import { Trans, useLingui } from '@lingui/react/macro';
import type { SessionQuery } from '@roster/client';
import { useQuery } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { rosterQuery } from '../../api/client.ts';
import { usePages } from '../../api/use-pages.ts';
import { Button } from '../../components/button.tsx';
import { SelectField } from '../../components/forms/field.tsx';
import { Page } from '../../components/page.tsx';
import { firstValue, useViewState } from '../../page/view-state.ts';
import { SessionList } from '../../sessions/session-list.tsx';

/** As many people as one page of their list has. */
const PEOPLE_MAX = 200;

/** The key whose sessions are shown, with the way back to one's own. */
function KeyOwner({ id }: { id: string }) {
  const [, changeView] = useViewState();
  const { can } = useRights();
  const { data } = useQuery({ ...rosterQuery('keys', 'get', { id }), enabled: can('keys:manage') });
  const name = data?.name ?? id;
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <Trans>The sessions that were signed in with the key {name}</Trans>
      <Button look="quiet" onClick={() => changeView({ keyId: undefined })}>
        <Trans>Show mine</Trans>
      </Button>
    </p>
  );
}

/** Chooses whose sessions are shown, for those who may see those of others. */
function OwnerField({ personId }: { personId: string | undefined }) {
  const { t } = useLingui();
  const [, changeView] = useViewState();
  const { caller } = useRights();
  const people = usePages('people', 'list', { sort: 'name', limit: PEOPLE_MAX });
  const others = people.rows?.filter(({ id }) => id !== caller.id) ?? [];
  const isKnown = personId === undefined || others.some(({ id }) => id === personId);
  return (
    <div className="flex flex-wrap items-end gap-2">
      <SelectField
        label={t`Sessions of`}
        className="w-full max-w-xs"
        value={personId ?? ''}
        onChange={(event) => changeView({ personId: event.target.value, keyId: undefined })}
      >
        <option value="">{t`Mine`}</option>
        {!isKnown && <option value={personId}>{personId}</option>}
        {others.map(({ id, name, email }) => (
          <option key={id} value={id}>
            {name} ({email})
          </option>
        ))}
      </SelectField>
      {people.hasMore && (
        <Button disabled={people.isLoadingMore} onClick={people.loadMore}>
          <Trans>More people</Trans>
        </Button>
      )}
    </div>
  );
}

/** One's own sessions and, for who manages people, those of others. */
export function SessionsPage() {
  const { t } = useLingui();
  const [search] = useViewState();
  const { can } = useRights();
  const personId = firstValue(search.personId);
  const keyId = firstValue(search.keyId);
  const sort = firstValue(search.sort) as SessionQuery['sort'];
  const owner = { ...(personId !== undefined && { personId }), ...(keyId !== undefined && { keyId }) };
  return (
    <Page
      title={t`Sessions`}
      intro={t`Where people are signed in now. End any session that you do not recognise.`}
    >
      {can('people:manage') && keyId === undefined && <OwnerField personId={personId} />}
      {keyId !== undefined && <KeyOwner id={keyId} />}
      <SessionList owner={owner} {...(sort !== undefined && { sort })} />
    </Page>
  );
}
