import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { ForecastCounts, LeftOutColumns, PhoneCountries } from '../import-labels.tsx';
import { BackToColumns, ErrorRowsDownload, MatchesDownload, useWrite } from './import-actions.tsx';
import { LookAlikes } from './look-alikes.tsx';
import { ErrorRows, GoodRows, type WarningKind, WarningRows } from './row-sections.tsx';

/** The forecast of an import, before anything is written: errors first, then warnings, then what changes. */
export function CheckedStep({ checked }: { checked: Import }) {
  const { t } = useLingui();
  const { canManage } = useRights();
  const { id, resource, findings, created, updated, unchanged, errors, warnings, columns } = checked;
  const [areAlikeLeftOut, leaveAlikeOut] = useState(false);
  const [accepted, setAccepted] = useState<readonly WarningKind[]>([]);
  const write = useWrite(id);
  if (findings === null) return null;
  const kinds = findings.warnings;
  const unwanted = kinds.filter((kind) => !accepted.includes(kind));
  const skipped = [...unwanted, ...(areAlikeLeftOut ? (['lookAlikes'] as const) : [])];
  // A row can have several warnings, and be a possible duplicate besides.
  const isCounted = kinds.length === 0 || (!areAlikeLeftOut && [0, kinds.length].includes(unwanted.length));
  const wanted = created + updated + unchanged + (unwanted.length < kinds.length ? warnings : 0);
  const good = wanted - (areAlikeLeftOut ? findings.lookAlikes : 0);
  const isAll = errors === 0 && skipped.length === 0;
  const accept = (kind: WarningKind, isAccepted: boolean) =>
    setAccepted((before) => (isAccepted ? [...before, kind] : before.filter((one) => one !== kind)));
  const importThem = () =>
    write.mutate({
      acceptWarnings: kinds.filter((kind) => accepted.includes(kind)),
      skip: [...skipped, ...(errors > 0 ? (['errors'] as const) : [])],
    });
  return (
    <div className="flex flex-col gap-5">
      <Callout
        tone={errors === 0 && kinds.length === 0 ? 'good' : 'warning'}
        title={
          errors === 0 && kinds.length > 0 ? (
            <Trans>Some rows need review before you import</Trans>
          ) : errors === 0 ? (
            <Plural
              value={created + updated + unchanged}
              one="The row can be imported"
              other="All # rows can be imported"
            />
          ) : (
            <Plural value={errors} one="# row has errors" other="# rows have errors" />
          )
        }
      >
        <p>
          <Trans>Nothing has been saved yet.</Trans>
        </p>
      </Callout>
      <LeftOutColumns columns={columns} />
      <ForecastCounts {...checked} />
      <PhoneCountries findings={findings} />
      {kinds.map((kind) => (
        <WarningRows
          key={kind}
          file={checked}
          kind={kind}
          isAccepted={accepted.includes(kind)}
          onAccept={(isAccepted) => accept(kind, isAccepted)}
        />
      ))}
      <LookAlikes file={checked} areLeftOut={areAlikeLeftOut} onLeaveOut={leaveAlikeOut} />
      {canManage(`${resource}:write`) && (
        <div className="flex flex-wrap gap-2">
          <BackToColumns id={id} />
          {created + updated + warnings > 0 && good > 0 && (
            <Button look="primary" disabled={write.isPending} onClick={importThem}>
              {isAll ? (
                <Plural value={good} one="Import # row" other="Import # rows" />
              ) : !isCounted ? (
                <Trans>Import the other rows</Trans>
              ) : (
                <Plural value={good} one="Import 1 valid row" other="Import # valid rows" />
              )}
            </Button>
          )}
        </div>
      )}
      {created + updated + warnings === 0 && unchanged > 0 && (
        <p className="text-sm">{t`Everything in this file is already up to date.`}</p>
      )}
      {write.isError && <ErrorBox error={write.error} />}
      <ErrorRows file={checked} actions={<ErrorRowsDownload file={checked} />} />
      <GoodRows file={checked} />
      <MatchesDownload file={checked} />
    </div>
  );
}
