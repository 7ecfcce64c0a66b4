import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { Callout } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { updateImport } from '../../import/documents.ts';
import { applyImport, checkImport } from '../../import/run-import.ts';
import type { ImportDocument } from '../../import/types.ts';
import { FaultyRows } from './faulty-rows.tsx';
import { MatchesButton, RenamesBox } from './matched-rows.tsx';
import { RowCountList } from './row-count-list.tsx';
import { RunProgress } from './run-progress.tsx';

/** The check of all rows, while it runs. */
export function CheckingStep({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { id, checked, checkedBatches } = document;
  return (
    <div className="flex flex-col gap-4">
      <RunProgress
        document={document}
        label={t`The rows are being checked; nothing is written`}
        done={checkedBatches}
        onContinue={() => void checkImport(document)}
      >
        <RowCountList counts={checked} isForecast />
      </RunProgress>
      <Button
        className="self-start"
        look="quiet"
        onClick={() => void updateImport(id, () => ({ stage: 'columns' }))}
      >
        <Trans>Back to the columns</Trans>
      </Button>
    </div>
  );
}

/** What the import would do, with the rows that have errors, before anything is written. */
export function CheckedStep({ document }: { document: ImportDocument }) {
  const { t } = useLingui();
  const { id, checked } = document;
  const good = checked.created + checked.updated + checked.unchanged;
  const writes = checked.created + checked.updated;
  return (
    <div className="flex flex-col gap-5">
      <Callout
        tone={checked.rejected === 0 ? 'good' : 'warning'}
        title={
          checked.rejected === 0 ? (
            <Plural value={good} one="The row can be imported" other="All # rows can be imported" />
          ) : (
            <Plural value={checked.rejected} one="# row has errors" other="# rows have errors" />
          )
        }
      >
        <p>
          <Trans>Nothing is written yet.</Trans>
        </p>
      </Callout>
      <RowCountList counts={checked} isForecast />
      <RenamesBox document={document} />
      <MatchesButton document={document} />
      <div className="flex flex-wrap gap-2">
        <Button onClick={() => void updateImport(id, () => ({ stage: 'columns' }))}>
          <Trans>Back to the columns</Trans>
        </Button>
        {writes > 0 && (
          <Button look="primary" onClick={() => void applyImport(document)}>
            {checked.rejected === 0 ? (
              <Plural value={good} one="Import # row" other="Import # rows" />
            ) : (
              <Plural value={good} one="Import only the good row" other="Import only the # good rows" />
            )}
          </Button>
        )}
      </div>
      {writes === 0 && good > 0 && (
        <p className="text-sm">{t`The directory has all of that already: there is nothing to write.`}</p>
      )}
      <FaultyRows document={document} count={checked.rejected} version={0} />
    </div>
  );
}
