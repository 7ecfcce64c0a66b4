import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { roster } from '../../../../api/client.ts';
import { useOpenJob } from '../../../../api/jobs.ts';
import { type DirectoryRecord, nameOf } from '../../../../resources/record.ts';
import { callsOf } from '../../../../resources/record-calls.ts';
import type { ComboboxOption } from '../../../../ui/forms/combobox.tsx';
import { cancelNew, useChange } from '../../../record/use-change.ts';
import { NewOfficeField } from '../agents/new-office-field.tsx';
import { ChangeDialog, type WhyAndWhen } from '../change-dialog.tsx';

interface TransferAgentsDialogProps {
  record: DirectoryRecord;
  onClose: () => void;
}

/**
 * Asks to which office all agents of an office move, why, and when. Now is a job, whose page is opened: it has the progress and one
 * undo for all. A day is a scheduled change of the office.
 */
export function TransferAgentsDialog({ record, onClose }: TransferAgentsDialogProps) {
  const { t } = useLingui();
  const openJob = useOpenJob();
  const [office, setOffice] = useState<ComboboxOption | null>(null);
  const { id, version: ifVersion } = record;
  const filter = { officeId: [id], affiliation: 'primary' as const };
  const counted = useQuery({
    queryKey: ['agents', 'list', 'count', filter] as const,
    queryFn: async ({ signal }) => {
      const input = { ...filter, limit: 1, includeTotal: true };
      return (await roster.agents.list.query(input, { signal })).total ?? 0;
    },
    staleTime: 0,
  });
  const count = counted.data;
  const scheduling = useChange({ resource: 'offices', record, onDone: onClose });
  const job = useMutation({
    mutationFn: async ({ reason, officeId }: { reason?: string | undefined; officeId: string }) => {
      const change = { type: 'transfer' as const, officeId };
      return callsOf('agents').bulk.mutate({ filter, change, reason, expectedCount: count });
    },
    onSuccess: (started) => {
      onClose();
      return openJob(started);
    },
    // Another number of agents may be there by now: the next attempt is about the one that is shown.
    onError: () => void counted.refetch(),
  });
  const name = nameOf(record);
  const submit = (why: WhyAndWhen) => {
    if (office === null) return;
    if (why.effectiveOn === undefined) return job.mutate({ reason: why.reason, officeId: office.id });
    const target = office.label;
    scheduling.mutate({
      call: async () => {
        const input = { id, ifVersion, toOfficeId: office.id, ...why };
        const { moved: _moved, job: _job, ...changed } = await roster.offices.transferAgents.mutate(input);
        return changed;
      },
      text: t`The transfer of all agents of ${name} to ${target} is scheduled`,
      undo: (changed) => cancelNew(record, changed),
    });
  };
  return (
    <ChangeDialog
      resource="offices"
      title={t`Transfer all agents of ${name}`}
      submitLabel={<Trans>Transfer</Trans>}
      isComplete={office !== null && count !== undefined}
      error={counted.error ?? job.error ?? scheduling.error}
      isPending={job.isPending || scheduling.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <NewOfficeField value={office} onChange={setOffice} leaving={id} />
      {count !== undefined && (
        <p className="text-muted text-sm">
          <Plural
            value={count}
            one="The office has # agent, active or inactive."
            other="The office has # agents, active and inactive."
          />{' '}
          <Trans>
            If you transfer them now, the change runs in the background and can be undone with one button.
          </Trans>
        </p>
      )}
    </ChangeDialog>
  );
}
