import { Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useRights } from '../../../api/caller.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { ProgressBar } from '../../../ui/progress.tsx';
import { WrittenCounts } from '../import-labels.tsx';
import { BackToColumns, CancelButton, UndoButton, useResume } from './import-actions.tsx';

/** The progress of an import, which goes on in the service whatever becomes of the page. */
export function ProgressStep({ current }: { current: Import }) {
  const { t, i18n } = useLingui();
  const { canManage } = useRights();
  const { id, resource, step, total, processed } = current;
  const labels = {
    read: t`The file is being read`,
    check: t`Checking rows. Nothing has been saved`,
    write: t`Importing rows`,
  };
  const [done, all] = [i18n.number(processed), i18n.number(total)];
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="font-medium">
        {labels[step]}
      </p>
      {step === 'read' ? (
        <p className="text-muted text-sm">
          <Trans>{all} rows are read</Trans>
        </p>
      ) : (
        <>
          <ProgressBar value={processed} max={total} label={labels[step]} />
          <p className="text-muted text-sm">
            <Trans>
              {done} of {all} rows
            </Trans>
          </p>
        </>
      )}
      {step === 'write' && <WrittenCounts written={current} />}
      <p className="max-w-prose text-muted text-sm">
        <Trans>You can leave this page. The import continues in the background.</Trans>
      </p>
      {canManage(`${resource}:write`) && <CancelButton id={id} />}
    </div>
  );
}

/** An import that was cancelled or has failed, with what it has done by then, and the ways on. */
export function InterruptedStep({ current }: { current: Import }) {
  const { t, i18n } = useLingui();
  const { canManage } = useRights();
  const { id, resource, step, status, failure, created, updated, unchanged, processed, total } = current;
  const resume = useResume(id);
  const isWritten = step === 'write';
  const [done, left] = [i18n.number(created + updated + unchanged), i18n.number(total - processed)];
  const title =
    status === 'failed'
      ? t`The import stopped because of a server error`
      : isWritten
        ? t`Cancelled: ${done} rows written, ${left} not written`
        : t`The check was cancelled. Nothing was saved`;
  return (
    <div className="flex flex-col gap-5">
      <Callout tone={status === 'failed' ? 'danger' : 'warning'} title={title}>
        {failure !== null && <p>{failure.detail}</p>}
      </Callout>
      {isWritten && <WrittenCounts written={current} />}
      {canManage(`${resource}:write`) && (
        <div className="flex flex-wrap gap-2">
          <Button look="primary" disabled={resume.isPending} onClick={() => resume.mutate(undefined)}>
            <Trans>Continue</Trans>
          </Button>
          {isWritten && created + updated > 0 && <UndoButton current={current} />}
          {!isWritten && <BackToColumns id={id} />}
        </div>
      )}
      {resume.isError && <ErrorBox error={resume.error} />}
    </div>
  );
}
