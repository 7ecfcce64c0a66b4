import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Link } from '@tanstack/react-router';
import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Dialog } from '../../components/dialogs/dialog.tsx';
import { applyImport } from '../../import/run-import.ts';
import type { ImportDocument } from '../../import/types.ts';
import { undoImport } from '../../import/undo-import.ts';
import { resources } from '../../resources/index.ts';
import { FaultyRows } from './faulty-rows.tsx';
import { RowCountList } from './row-count-list.tsx';
import { RunProgress } from './run-progress.tsx';

/** The import itself, while it runs. What is written by then is said, also after an interruption. */
export function ApplyingStep({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { applied, appliedBatches } = document;
  return (
    <RunProgress
      document={document}
      label={t`The rows are being imported`}
      done={appliedBatches}
      onContinue={() => void applyImport(document)}
    >
      <RowCountList counts={applied} />
      <p className="max-w-prose text-muted text-sm">
        <Trans>
          You can leave this page, reload it or close it: the import goes on here when you come back, and no
          row is written twice.
        </Trans>
      </p>
    </RunProgress>
  );
}

function UndoDialog({ document, onClose }: { document: ImportDocument; onClose: () => void }) {
  const { t } = useLingui();
  const { created, updated } = document.applied;
  return (
    <Dialog
      title={t`Undo this import?`}
      width="small"
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>
            <Trans>Keep the import</Trans>
          </Button>
          <Button
            look="danger"
            onClick={() => {
              onClose();
              void undoImport(document);
            }}
          >
            <Trans>Undo all</Trans>
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2 text-sm">
        <p>
          <Plural value={created} one="# new record is deleted." other="# new records are deleted." />{' '}
          <Plural
            value={updated}
            one="# changed record gets its previous values."
            other="# changed records get their previous values."
          />
        </p>
        <p>
          <Trans>Records that have been changed since then stay as they are, and are listed.</Trans>
        </p>
      </div>
    </Dialog>
  );
}

/** What the import has done, and its undo. */
export function AppliedStep({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const [isAsking, setAsking] = useState(false);
  const { applied, checked, resource, rejected } = document;
  const written = applied.created + applied.updated;
  // Rows that the check rejected were not sent.
  const left = applied.rejected + checked.rejected;
  return (
    <div className="flex flex-col gap-5">
      <Callout
        tone={left === 0 ? 'good' : 'warning'}
        title={left === 0 ? t`The import is complete` : t`The good rows are imported, the others are not`}
      />
      <RowCountList counts={{ ...applied, rejected: left }} />
      <div className="flex flex-wrap items-center gap-3">
        <Link to={`/${resource}`} search={{ sort: '-updatedAt' }} className="text-accent underline">
          {t(resources[resource].labels.show)}
        </Link>
        {written > 0 && (
          <Button onClick={() => setAsking(true)}>
            <Undo2 aria-hidden />
            <Trans>Undo all</Trans>
          </Button>
        )}
      </div>
      <FaultyRows document={document} count={left} version={1 + rejected} />
      {isAsking && <UndoDialog document={document} onClose={() => setAsking(false)} />}
    </div>
  );
}

/** The undo, while it runs and afterwards. */
export function UndoStep({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { stage, undone, undoneBatches, checked, applied } = document;
  const result = (
    <p>
      <Plural value={undone.done} one="# record is as it was." other="# records are as they were." />{' '}
      {undone.left > 0 && (
        <Plural value={undone.left} one="# could not be undone." other="# could not be undone." />
      )}
    </p>
  );
  if (stage === 'undoing')
    return (
      <RunProgress
        document={document}
        label={t`The import is being undone`}
        done={undoneBatches}
        onContinue={() => void undoImport(document)}
      >
        {result}
      </RunProgress>
    );
  return (
    <div className="flex flex-col gap-5">
      <Callout tone={undone.left === 0 ? 'good' : 'warning'} title={t`The import is undone`}>
        {result}
      </Callout>
      <FaultyRows
        document={document}
        count={undone.left + checked.rejected + applied.rejected}
        version={-1 - undone.left}
      />
    </div>
  );
}
