import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { roster } from '../api/client.ts';
import { Combobox, type ComboboxOption } from '../components/combobox.tsx';
import type { ResourceName } from '../list/queries.ts';
import { ChangeDialog, type WhyAndWhen } from './change-dialog.tsx';
import { findRecords } from './find-records.ts';
import { type DirectoryRecord, nameOf } from './record-calls.ts';
import { undoUpdate } from './undo.ts';
import { cancelNew, useChange } from './use-change.ts';

interface TransferDialogProps {
  resource: ResourceName;
  /** The agent who moves, or the office whose agents do. */
  record: DirectoryRecord;
  onClose: () => void;
}

const findOffices = findRecords('offices', { status: 'active' });

/** Asks to which office an agent, or all agents of an office, move, why, and when. */
export function TransferDialog({ resource, record, onClose }: TransferDialogProps) {
  const { t } = useLingui();
  const [office, setOffice] = useState<ComboboxOption | null>(null);
  const mutation = useChange({ resource, record, onDone: onClose });
  const name = nameOf(record);
  const isOne = resource === 'agents';
  const target = office?.label ?? '';
  const submit = (why: WhyAndWhen) => {
    if (office === null) return;
    const { id, version: ifVersion } = record;
    const isScheduled = why.effectiveOn !== undefined;
    if (isOne) {
      mutation.mutate({
        call: () =>
          roster.agents.transfer.mutate({
            id,
            ifVersion,
            officeId: office.id,
            ...why,
          }) as Promise<DirectoryRecord>,
        text: isScheduled
          ? t`The transfer of ${name} to ${target} is scheduled`
          : t`${name} is in ${target} now`,
        undo: async (changed) => {
          await cancelNew(record, changed);
          if (changed.officeId !== record.officeId)
            await undoUpdate('agents', changed, ['officeId', 'affiliations']);
        },
      });
    } else {
      mutation.mutate({
        call: async () => {
          const input = { id, ifVersion, toOfficeId: office.id, ...why };
          const { moved: _, ...changed } = await roster.offices.transferAgents.mutate(input);
          return changed as unknown as DirectoryRecord;
        },
        text: isScheduled
          ? t`The transfer of all agents of ${name} to ${target} is scheduled`
          : t`All agents of ${name} are in ${target} now`,
        undo: isScheduled ? (changed) => cancelNew(record, changed) : undefined,
      });
    }
  };
  return (
    <ChangeDialog
      title={isOne ? t`Transfer ${name}` : t`Transfer all agents of ${name}`}
      submitLabel={<Trans>Transfer</Trans>}
      isComplete={office !== null}
      error={mutation.error}
      isPending={mutation.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Combobox
        label={t`New office`}
        hint={t`Active offices alone take agents`}
        isRequired
        autoFocus
        value={office}
        onChange={setOffice}
        search={async (text, signal) => {
          const own = isOne ? record.officeId : record.id;
          return (await findOffices(text, signal)).filter(({ id }) => id !== own);
        }}
      />
      {!isOne && (
        <p className="text-muted text-sm">
          <Trans>
            Active and inactive agents move in one transaction. There is no undo for all of them at once: a
            transfer back moves the agents that were in the new office before, too.
          </Trans>
        </p>
      )}
    </ChangeDialog>
  );
}
