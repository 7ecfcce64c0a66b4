import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { TaskLayout } from '../../../ui/task-layout.tsx';
import { FileLine, Forecast, LeftOutColumns, PhoneCountries } from '../import-labels.tsx';
import { ErrorGroups, useCorrections } from './error-groups.tsx';
import { BackToColumns, ErrorRowsDownload, MatchesDownload, useWrite } from './import-actions.tsx';
import { LookAlikes, type SameRecords } from './look-alikes.tsx';
import { GoodRows, type WarningKind, WarningRows } from './row-sections.tsx';

/**
 * The forecast of an import, before anything is written: errors first, which are corrected here, then warnings, then what changes.
 *
 * @param isChecking Whether corrected rows are being checked again; the forecast is that of before then
 */
export function CheckedStep({ checked, isChecking }: { checked: Import; isChecking: boolean }) {
  const { t } = useLingui();
  const { canManage } = useRights();
  const { id, resource, findings, total, created, updated, unchanged, errors, warnings, columns } = checked;
  const [chosen, chooseSame] = useState<SameRecords>();
  const [accepted, setAccepted] = useState<readonly WarningKind[]>([]);
  const write = useWrite(id);
  const corrections = useCorrections(checked, isChecking);
  if (findings === null) return null;
  const canWrite = canManage(`${resource}:write`);
  const same = chosen ?? (findings.isUpdateSuggested && findings.certainLookAlikes > 0 ? 'update' : 'create');
  const kinds = findings.warnings;
  const unwanted = kinds.filter((kind) => !accepted.includes(kind));
  const areAlikeSkipped = same === 'skip' && findings.lookAlikes > 0;
  const skipped = [...unwanted, ...(areAlikeSkipped ? (['lookAlikes'] as const) : [])];
  // A row can have several warnings, and be a possible duplicate besides.
  const isCounted = kinds.length === 0 || (!areAlikeSkipped && [0, kinds.length].includes(unwanted.length));
  const wanted = created + updated + unchanged + (unwanted.length < kinds.length ? warnings : 0);
  const good = wanted - (areAlikeSkipped ? findings.lookAlikes : 0);
  const isAll = errors === 0 && skipped.length === 0;
  const changing = created + updated + warnings;
  const accept = (kind: WarningKind, isAccepted: boolean) =>
    setAccepted((before) => (isAccepted ? [...before, kind] : before.filter((one) => one !== kind)));
  const importThem = () =>
    write.mutate({
      acceptWarnings: kinds.filter((kind) => accepted.includes(kind)),
      skip: [...skipped, ...(errors > 0 ? (['errors'] as const) : [])],
      updateLookAlikes: same === 'update' && findings.certainLookAlikes > 0,
    });
  return (
    <TaskLayout
      label={t`What this import does`}
      aside={
        <>
          <h2 className="font-semibold text-md">
            <Trans>What this import does</Trans>
          </h2>
          <Forecast {...checked} />
          <PhoneCountries findings={findings} />
          <MatchesDownload file={checked} />
          {canWrite && (
            <div className="flex flex-col gap-2">
              {changing > 0 && good > 0 && (
                <Button
                  look={errors * 2 > total ? 'secondary' : 'primary'}
                  disabled={write.isPending || corrections.isChecking}
                  onClick={importThem}
                >
                  {isAll ? (
                    <Plural value={good} one="Import # row" other="Import # rows" />
                  ) : !isCounted ? (
                    <Trans>Import the other rows</Trans>
                  ) : (
                    <ImportSome good={good} total={total} />
                  )}
                </Button>
              )}
              <BackToColumns id={id} />
            </div>
          )}
          {changing === 0 && unchanged > 0 && errors === 0 && (
            <p className="text-sm">{t`Everything in this file is already up to date.`}</p>
          )}
          {write.isError && <ErrorBox error={write.error} />}
          <p className="text-muted text-xs">
            <FileLine file={checked} />
          </p>
        </>
      }
    >
      {errors === 0 && <Good count={created + updated + unchanged} isReviewed={kinds.length > 0} />}
      <ErrorGroups
        file={checked}
        title={
          errors === 0 ? (
            <Trans>Corrections</Trans>
          ) : (
            <Plural value={errors} one="# row needs a correction" other="# rows need a correction" />
          )
        }
        actions={<ErrorRowsDownload file={checked} />}
        {...(canWrite && { corrections })}
      />
      <LeftOutColumns columns={columns} />
      {kinds.map((kind) => (
        <WarningRows
          key={kind}
          file={checked}
          kind={kind}
          isAccepted={accepted.includes(kind)}
          onAccept={(isAccepted) => accept(kind, isAccepted)}
        />
      ))}
      <LookAlikes file={checked} same={same} onChoose={chooseSame} />
      <GoodRows file={checked} />
    </TaskLayout>
  );
}

/** Says that no row has an error, and whether some need a look. */
function Good({ count, isReviewed }: { count: number; isReviewed: boolean }) {
  return (
    <Callout
      tone={isReviewed ? 'warning' : 'good'}
      title={
        isReviewed ? (
          <Trans>Some rows need review before you import</Trans>
        ) : (
          <Plural value={count} one="The row can be imported" other="All # rows can be imported" />
        )
      }
    >
      <p>
        <Trans>Nothing has been saved yet.</Trans>
      </p>
    </Callout>
  );
}

/** The words of the button that imports a part of the rows. */
function ImportSome({ good, total }: { good: number; total: number }) {
  const { i18n } = useLingui();
  const [some, all] = [i18n.number(good), i18n.number(total)];
  return (
    <Trans>
      Import {some} of {all} rows
    </Trans>
  );
}
