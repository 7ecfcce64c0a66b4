import { Trans, useLingui } from '@lingui/react/macro';
import type { ReactNode } from 'react';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { ErrorBox } from '../../components/error-text.tsx';
import { ProgressBar } from '../../components/progress.tsx';
import { stopRun, useFailure, useRun } from '../../import/run-state.ts';
import type { ImportDocument } from '../../import/types.ts';

interface RunProgressProps {
  document: ImportDocument;
  /** What is going on: "Rows are being checked". */
  label: string;
  /** Batches that are done. */
  done: number;
  /** Goes on after an interruption. */
  onContinue: () => void;
  /** What is known so far. */
  children?: ReactNode;
}

/** The progress of a check, an import or an undo, which can be stopped and go on at any time. */
export function RunProgress({ document, label, done, onContinue, children }: RunProgressProps) {
  const { t, i18n } = useLingui();
  const { id, batches, isRead } = document;
  const run = useRun(id);
  const failure = useFailure(id);
  return (
    <div className="flex flex-col gap-4">
      <p role="status" className="font-medium">
        {run === undefined ? t`Interrupted` : label}
      </p>
      {isRead ? (
        <ProgressBar value={done} max={batches.length} label={label} />
      ) : (
        <p className="text-muted text-sm">
          <Trans>{i18n.number(Math.floor(run?.readRows ?? 0))} rows are read</Trans>
        </p>
      )}
      {run?.waitsFor !== undefined && (
        <Callout tone="warning" title={t`The service does not answer. The page keeps trying.`}>
          <p>{run.waitsFor}</p>
        </Callout>
      )}
      {run === undefined && failure !== undefined && <ErrorBox error={failure} />}
      {children}
      <div className="flex flex-wrap gap-2">
        {run === undefined ? (
          <Button look="primary" onClick={onContinue}>
            <Trans>Continue</Trans>
          </Button>
        ) : (
          <Button onClick={() => stopRun(id)}>
            <Trans>Stop</Trans>
          </Button>
        )}
      </div>
    </div>
  );
}
