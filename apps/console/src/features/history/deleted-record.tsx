import { Trans, useLingui } from '@lingui/react/macro';
import type { RecordChange } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { queryClient } from '../../api/client.ts';
import { contracts, type ResourceName } from '../../api/contract/contracts.ts';
import { nameOf } from '../../resources/record.ts';
import { callsOf, recordChanged } from '../../resources/record-calls.ts';
import { Callout } from '../../ui/badge.tsx';
import { Button } from '../../ui/button.tsx';
import { ErrorBox } from '../../ui/error-text.tsx';
import { RelativeTime } from '../../ui/time.tsx';
import { ActorName } from '../record/actor-name.tsx';
import { DraftBar } from '../record/edit/draft-bar.tsx';
import { offerUndo } from '../record/undo.ts';
import { Timeline, useHistory } from './timeline.tsx';

/** The title of a record that is not there: the last name of a deleted one, as far as the history that is read has it. */
export function DeletedTitle({ resource, id }: { resource: ResourceName; id: string }) {
  const { rows, error } = useHistory(resource, id);
  const { nameField } = contracts[resource];
  if (rows === undefined && error === null) return '…';
  if (rows === undefined || !rows.some(isDeletion)) return <Trans>Record not found</Trans>;
  const named = rows.flatMap(({ changes }) => changes).find(({ field }) => field === nameField);
  return typeof named?.after === 'string' ? named.after : <Trans>A deleted record</Trans>;
}

const isDeletion = ({ type }: RecordChange) => type.endsWith('.deleted');

export function DeletedRecord({ resource, id }: { resource: ResourceName; id: string }) {
  const { t, i18n } = useLingui();
  const { can } = useRights();
  const history = useHistory(resource, id);
  const deletion = history.rows?.find(isDeletion);
  const restore = useMutation({
    mutationFn: () => callsOf(resource).restore.mutate({ id }),
    onSuccess: (record) => {
      recordChanged(resource, record);
      // The error of the read goes away with a new one.
      void queryClient.invalidateQueries({ queryKey: [resource] });
      const { version: ifVersion } = record;
      offerUndo(i18n, {
        text: t`${nameOf(record)} was restored`,
        undo: async () => {
          await callsOf(resource).delete.mutate({ id, ifVersion });
          return undefined;
        },
      });
    },
  });
  if (history.error !== null || (history.rows !== undefined && deletion === undefined))
    return (
      <p className="p-4 text-sm">
        <Trans>This record doesn't exist, or you don't have access to it.</Trans>
      </p>
    );
  return (
    <div className="flex flex-col gap-5 p-4">
      {deletion !== undefined && (
        <Callout tone="warning" title={<Trans>This record was deleted</Trans>}>
          <p>
            <ActorName change={deletion} /> · <RelativeTime time={deletion.occurredAt} />
            {deletion.reason !== null && ` · ${deletion.reason}`}
          </p>
          {can(`${resource}:write`) && (
            <Button
              className="mt-2"
              look="primary"
              disabled={restore.isPending}
              onClick={() => restore.mutate()}
            >
              <Trans>Restore</Trans>
            </Button>
          )}
        </Callout>
      )}
      {can(`${resource}:write`) && <DraftBar resource={resource} id={id} isDeleted />}
      {restore.isError && <ErrorBox error={restore.error} />}
      <Timeline resource={resource} history={history} record={undefined} />
    </div>
  );
}
