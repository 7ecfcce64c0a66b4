import { plural } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { RosterError } from '@roster/client';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { queryClient } from '../../../api/client.ts';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { isResourceName, resources } from '../../../resources/index.ts';
import { type DirectoryRecord, nameOf } from '../../../resources/record.ts';
import { callsOf, recordChanged, recordQuery, rereadIfChanged } from '../../../resources/record-calls.ts';
import { Callout } from '../../../ui/badge.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { offerUndo } from '../../record/undo.ts';

interface DeleteDialogProps {
  resource: ResourceName;
  record: DirectoryRecord;
  onClose: () => void;
}

function Dependents({ counts }: { counts: Readonly<Record<string, number>> }) {
  const { t } = useLingui();
  const words: Record<string, (count: number) => string> = {
    affiliatedAgents: (count) =>
      t`${plural(count, { one: '# affiliated agent', other: '# affiliated agents' })}`,
    branchOffices: (count) => t`${plural(count, { one: '# branch', other: '# branches' })}`,
    assistants: (count) => t`${plural(count, { one: '# assistant', other: '# assistants' })}`,
  };
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  return (
    <ul className="list-inside list-disc">
      {named.map(([name, count]) => (
        <li key={name}>
          {isResourceName(name)
            ? t(resources[name].counted(count))
            : (words[name]?.(count) ?? `${name}: ${count}`)}
        </li>
      ))}
    </ul>
  );
}

export function DeleteDialog({ resource, record, onClose }: DeleteDialogProps) {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const name = nameOf(record);
  const { id, version } = record;
  const scheduled = record.scheduledChanges?.length ?? 0;
  const restore = async () => {
    recordChanged(resource, await callsOf(resource).restore.mutate({ id }));
    if (scheduled === 0) return undefined;
    const text = t`${name} was restored. ${plural(scheduled, {
      one: '# scheduled change stays cancelled.',
      other: '# scheduled changes stay cancelled.',
    })}`;
    return { text };
  };
  const mutation = useMutation({
    mutationFn: () => callsOf(resource).delete.mutate({ id, ifVersion: version }),
    onSuccess: async () => {
      await navigate({ to: `/${resource}`, search: true });
      queryClient.removeQueries({ queryKey: recordQuery(resource, id).queryKey });
      void queryClient.invalidateQueries({ queryKey: [resource] });
      offerUndo(i18n, { text: t`${name} was deleted`, undo: restore });
    },
    onError: (error) => rereadIfChanged(resource, id, error),
  });
  const { error } = mutation;
  const dependents = error instanceof RosterError ? error.dependents : undefined;
  return (
    <FormDialog
      title={t`Delete ${name}`}
      submitLabel={<Trans>Delete</Trans>}
      look="danger"
      isPending={mutation.isPending}
      error={dependents === undefined ? error : null}
      onSubmit={() => mutation.mutate()}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 text-sm">
        <p>
          <Trans>You can restore the record from its history for a limited time.</Trans>
        </p>
        {scheduled > 0 && (
          <p>
            <Plural
              value={scheduled}
              one="# scheduled change will be cancelled and can't be restored."
              other="# scheduled changes will be cancelled and can't be restored."
            />
          </p>
        )}
        {dependents !== undefined && (
          <Callout tone="danger" title={t`Other records are linked to ${name}`}>
            <Dependents counts={dependents} />
            <p>
              {Object.keys(dependents).length === 0 ? (
                <Trans>Linked records are outside the offices you can see. Deactivate {name} instead.</Trans>
              ) : (
                <Trans>Transfer or change these records first, or deactivate {name} instead.</Trans>
              )}
            </p>
          </Callout>
        )}
      </div>
    </FormDialog>
  );
}
