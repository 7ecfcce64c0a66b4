import { Trans } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Suspense, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { isAgent } from '../../resources/agents.ts';
import type { FieldGroup } from '../../resources/definition.ts';
import { groupsOf } from '../../resources/index.ts';
import { isOffice } from '../../resources/offices.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { Callout } from '../../ui/badge.tsx';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { Button } from '../../ui/button.tsx';
import { Detail, Details } from '../../ui/details.tsx';
import { Day, ExactTime, RelativeTime } from '../../ui/time.tsx';
import { LastChange } from '../record/last-change.tsx';
import { useRecord } from '../record/record-context.ts';
import { Address } from '../record/values.tsx';
import { WorkGroup } from './agents/work-group.tsx';
import { FieldGroupView, fieldClasses, labelClasses } from './field-group.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { Relations } from './relations.tsx';

const DraftBar = lazyComponent(() => import('../record/edit/draft-bar.tsx'), 'DraftBar');

function Origin() {
  const { record } = useRecord();
  return (
    <Details>
      <Detail label={<Trans context="time">Created</Trans>}>
        <ExactTime time={String(record.createdAt)} />
      </Detail>
      <Detail label={<Trans context="time">Changed</Trans>}>
        <RelativeTime time={String(record.updatedAt)} />
      </Detail>
      <Detail label={<Trans>Version</Trans>}>{record.version}</Detail>
      <Detail label={<Trans>ID</Trans>}>
        <code className="break-all text-xs">{record.id}</code>
      </Detail>
    </Details>
  );
}

/** The address of the office at which an agent works, unless the agent's own one is shown already. */
function PlaceOfWork() {
  const { record } = useRecord();
  const { id, version } = record;
  const { data: place } = useQuery({
    queryKey: ['agents', 'list', 'place', { id, version }] as const,
    queryFn: async ({ signal }) => {
      const { items } = await callsOf('agents').list.query({ ids: [id], expand: 'place' }, { signal });
      return items[0]?.place ?? null;
    },
  });
  if (place == null || place.officeId === null) return null;
  return (
    <div className={fieldClasses}>
      <dt className={labelClasses}>
        <Trans>Works at</Trans>
      </dt>
      <dd className="text-md">
        <Address parts={place} />
      </dd>
    </div>
  );
}

export function RecordDetails() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const [editing, setEditing] = useState<readonly string[]>();
  const [isEmptyShown, setEmptyShown] = useState(false);
  const canWrite = can(`${resource}:write`);
  const { deactivatedAt, statusReason } = record;
  const groups = groupsOf(resource);
  const groupView = (group: FieldGroup) => {
    const View = group.id === 'work' ? WorkGroup : FieldGroupView;
    return (
      <View
        key={group.id}
        group={group}
        editing={editing}
        onEdit={canWrite ? setEditing : undefined}
        isEmptyShown={isEmptyShown}
        more={group.id === 'contact' && isAgent(resource) && <PlaceOfWork />}
      />
    );
  };
  return (
    <div className="flex flex-col gap-6 p-4 max-sm:gap-5 max-sm:pt-3 sm:px-6">
      {typeof deactivatedAt === 'string' && (
        <Callout
          title={
            <Trans>
              Inactive since <Day day={deactivatedAt.slice(0, 10)} />
            </Trans>
          }
        >
          {typeof statusReason === 'string' && <p>{statusReason}</p>}
        </Callout>
      )}
      <LastChange />
      {canWrite && (
        <Suspense>
          <DraftBar resource={resource} id={record.id} editing={editing} />
        </Suspense>
      )}
      <NeedsAttention onRenew={canWrite ? () => setEditing(['licenses']) : undefined} />
      {isOffice(resource) && <Relations />}
      {groups.filter(({ isFolded }) => isFolded === undefined).map(groupView)}
      {!isOffice(resource) && <Relations />}
      <div className="border-line-soft border-b empty:hidden">
        {groups.filter(({ isFolded }) => isFolded !== undefined).map(groupView)}
      </div>
      <div>
        <Button look="quiet" aria-pressed={isEmptyShown} onClick={() => setEmptyShown(!isEmptyShown)}>
          {isEmptyShown ? <Trans>Hide empty fields</Trans> : <Trans>Show empty fields</Trans>}
        </Button>
      </div>
      <Origin />
    </div>
  );
}
