import { plural } from '@lingui/core/macro';
import { Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useEffectEvent, useState } from 'react';
import { contracts, type ResourceName } from '../../../api/contract/contracts.ts';
import { groupsOf, isResourceName, resources } from '../../../resources/index.ts';
import { type DirectoryRecord, isEmpty, type MergedRecord, nameOf } from '../../../resources/record.ts';
import { callsOf } from '../../../resources/record-calls.ts';
import { Detail, Details } from '../../../ui/details.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { givenReason, ReasonField } from '../../../ui/forms/reason-field.tsx';
import { Loading } from '../../../ui/page.tsx';
import { fieldLabel } from '../../fields/field-labels.ts';
import { FieldChanges } from '../../history/field-changes.tsx';
import { isEqual } from '../../record/edit/form-values.ts';
import { FieldValue } from '../../record/values.tsx';
import { otherSide } from '../choices.ts';
import { mergeInput, type PreparedMerge } from './use-decisions.tsx';

function Result({
  resource,
  before,
  result,
}: {
  resource: ResourceName;
  before: DirectoryRecord;
  result: MergedRecord;
}) {
  const { t, i18n } = useLingui();
  const changes = contracts[resource].fields.flatMap(({ name: field }) => {
    const [old, value] = [before[field] ?? null, result[field] ?? null];
    return isEqual(old, value) ? [] : [{ field, before: old, after: value }];
  });
  const moved = Object.entries(result.moved).filter(([, count]) => count > 0);
  const names = groupsOf(resource).flatMap(({ fields }) => fields.filter((name) => !isEmpty(result[name])));
  return (
    <>
      <section aria-labelledby="merge-changes" className="flex flex-col gap-2">
        <h3 id="merge-changes" className="font-semibold text-sm">
          <Trans>What changes in {nameOf(before)}</Trans>
        </h3>
        {changes.length === 0 ? (
          <p className="text-sm">
            <Trans>None of the fields.</Trans>
          </p>
        ) : (
          <FieldChanges resource={resource} changes={changes} />
        )}
      </section>
      {moved.length > 0 && (
        <section aria-labelledby="merge-moved" className="flex flex-col gap-2">
          <h3 id="merge-moved" className="font-semibold text-sm">
            <Trans>Linked records after the merge</Trans>
          </h3>
          <ul className="list-inside list-disc text-sm">
            {moved.map(([name, count]) => (
              <li key={name}>
                {isResourceName(name) ? t(resources[name].counted(count)) : `${name}: ${count}`}
              </li>
            ))}
          </ul>
        </section>
      )}
      <details className="text-sm">
        <summary className="min-h-9 py-2 font-medium">
          <Trans>The whole record after the change</Trans>
        </summary>
        <Details>
          {names.map((name) => (
            <Detail key={name} label={fieldLabel(i18n, resource, name)}>
              <FieldValue resource={resource} path={name} value={result[name]} />
            </Detail>
          ))}
        </Details>
      </details>
    </>
  );
}

export function WhatHappens({ gone, stay }: { gone: string; stay: string }) {
  return (
    <Trans>
      {gone} will be deleted; its links lead to {stay}. You can undo this as long as deleted records are kept.
    </Trans>
  );
}

interface MergePreviewProps {
  resource: ResourceName;
  prepared: PreparedMerge;
  isPending: boolean;
  error: Error | null;
  onConflict: (error: Error) => void;
  onMerge: (reason: string | undefined) => void;
  onClose: () => void;
}

export function MergePreview(props: MergePreviewProps) {
  const { resource, prepared, isPending, error, onMerge, onClose } = props;
  const { t } = useLingui();
  const [reason, setReason] = useState('');
  const { two, survivor } = prepared;
  const goes = otherSide(survivor);
  const [stay, gone] = [nameOf(two[survivor]), nameOf(two[goes])];
  const input = mergeInput(resource, prepared);
  const preview = useQuery({
    // Not as that of a record, which is asked again when the merge itself changes it.
    queryKey: [resource, 'merge', { input }] as const,
    queryFn: ({ signal }) => callsOf(resource).merge.mutate({ ...input, dryRun: true }, { signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    enabled: !isPending,
  });
  const tellConflict = useEffectEvent((failure: Error) => props.onConflict(failure));
  useEffect(() => {
    if (preview.error !== null) tellConflict(preview.error);
  }, [preview.error]);
  const count = Object.values(preview.data?.moved ?? {}).reduce((sum, one) => sum + one, 0);
  return (
    <FormDialog
      title={t`Merge ${gone} into ${stay}`}
      width="medium"
      look="danger"
      submitLabel={
        count === 0
          ? t({ message: 'Merge', context: 'records' })
          : t`${plural(count, { one: 'Merge and move # record', other: 'Merge and move # records' })}`
      }
      isPending={isPending || preview.data === undefined}
      error={error ?? preview.error}
      onSubmit={() => onMerge(givenReason(reason))}
      onClose={onClose}
    >
      <p className="text-sm">
        <WhatHappens gone={gone} stay={stay} />
      </p>
      {preview.isPending && <Loading />}
      {preview.data !== undefined && (
        <Result resource={resource} before={two[survivor]} result={preview.data} />
      )}
      <ReasonField hint={t`Optional; stored in the history`} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
