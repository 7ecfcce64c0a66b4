import { Trans } from '@lingui/react/macro';
import { useParams } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { Loading } from '../../components/page.tsx';
import { differencesBetween } from '../../history/compare.ts';
import { CompareForm } from '../../history/compare-form.tsx';
import { FieldChanges } from '../../history/field-changes.tsx';
import { useHistory } from '../../history/history-query.ts';
import { RevertDialog } from '../../history/revert-dialog.tsx';
import { useRecord } from '../../record/record-context.ts';

/** Two versions of a record beside each other: the fields that differ, and a way back to the older one. */
export function ComparePage() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const params = useParams({ strict: false });
  const [from, to] = [Number(params.from), Number(params.to)];
  const { rows, versions, error, hasMore, isLoadingMore, loadMore, retry } = useHistory(resource, record.id);
  const [isReverting, setReverting] = useState(false);
  // All changes between both are needed.
  const isMissing = hasMore && (versions.at(-1) ?? Number.POSITIVE_INFINITY) > from + 1;
  useEffect(() => {
    if (isMissing && !isLoadingMore && error === null) loadMore();
  });
  const differences = differencesBetween(rows ?? [], { from, to });
  if (error !== null) return <ErrorBox error={error} onRetry={retry} />;
  return (
    <div className="flex flex-col gap-5 p-4">
      <CompareForm key={`${from}-${to}`} versions={versions} from={from} to={to} />
      <section aria-labelledby="compare-title" className="flex flex-col gap-3">
        <h3 id="compare-title" className="font-semibold">
          <Trans>
            From version {from} to version {to}
          </Trans>
        </h3>
        {rows === undefined || isMissing ? (
          <Loading />
        ) : (
          differences.length === 0 && (
            <p className="text-sm">
              <Trans>There are no differences.</Trans>
            </p>
          )
        )}
        <FieldChanges resource={resource} changes={differences} />
        {can(`${resource}:write`) && from < record.version && differences.length > 0 && (
          <div>
            <Button onClick={() => setReverting(true)}>
              <Trans>Go back to version {from}</Trans>
            </Button>
          </div>
        )}
      </section>
      {isReverting && (
        <RevertDialog
          resource={resource}
          record={record}
          request={{ toVersion: from }}
          onClose={() => setReverting(false)}
        />
      )}
    </div>
  );
}
