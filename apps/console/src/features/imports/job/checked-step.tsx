import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { Import } from '@roster/client';
import { useState } from 'react';
import { useRights } from '../../../api/caller.ts';
import { Callout } from '../../../ui/badge.tsx';
import { Button } from '../../../ui/button.tsx';
import { ErrorBox } from '../../../ui/error-text.tsx';
import { ForecastCounts, LeftOutColumns, PhoneCountries } from '../import-labels.tsx';
import { BackToColumns, MatchesDownload, RejectedDownload, useWrite } from './import-actions.tsx';
import { LookAlikes } from './look-alikes.tsx';
import { GoodRows, RejectedRows, type Suspicion, SuspiciousRows } from './row-sections.tsx';

/** The forecast of an import, before anything is written: errors first, then what is suspicious, then what changes. */
export function CheckedStep({ checked }: { checked: Import }) {
  const { t } = useLingui();
  const { canManage } = useRights();
  const { id, resource, findings, unconfirmed, rejected, columns } = checked;
  const [areAlikeLeftOut, leaveAlikeOut] = useState(false);
  const [confirmed, setConfirmed] = useState<readonly Suspicion[]>([]);
  const write = useWrite(id);
  if (findings === null) return null;
  const { created, updated, unchanged } = findings;
  const kinds = unconfirmed.filter((kind) => kind !== 'rejected');
  const unwanted = kinds.filter((kind) => !confirmed.includes(kind));
  const skipped = [...unwanted, ...(areAlikeLeftOut ? (['lookAlikes'] as const) : [])];
  const [only, ...others] = skipped;
  const good = created + updated + unchanged - (only === undefined ? 0 : findings[only]);
  const isAll = rejected === 0 && skipped.length === 0;
  const confirm = (kind: Suspicion, isConfirmed: boolean) =>
    setConfirmed((before) => (isConfirmed ? [...before, kind] : before.filter((one) => one !== kind)));
  const importThem = () =>
    write.mutate({
      confirm: kinds.filter((kind) => confirmed.includes(kind)),
      skip: [...skipped, ...(rejected > 0 ? (['rejected'] as const) : [])],
    });
  return (
    <div className="flex flex-col gap-5">
      <Callout
        tone={rejected === 0 && kinds.length === 0 ? 'good' : 'warning'}
        title={
          rejected === 0 && kinds.length > 0 ? (
            <Trans>Some rows need review before you import</Trans>
          ) : rejected === 0 ? (
            <Plural
              value={created + updated + unchanged}
              one="The row can be imported"
              other="All # rows can be imported"
            />
          ) : (
            <Plural value={rejected} one="# row has errors" other="# rows have errors" />
          )
        }
      >
        <p>
          <Trans>Nothing has been saved yet.</Trans>
        </p>
      </Callout>
      <LeftOutColumns columns={columns} />
      <ForecastCounts {...findings} />
      <PhoneCountries findings={findings} />
      {kinds.map((kind) => (
        <SuspiciousRows
          key={kind}
          file={checked}
          kind={kind}
          isConfirmed={confirmed.includes(kind)}
          onConfirm={(isConfirmed) => confirm(kind, isConfirmed)}
        />
      ))}
      <LookAlikes file={checked} areLeftOut={areAlikeLeftOut} onLeaveOut={leaveAlikeOut} />
      {canManage(`${resource}:write`) && (
        <div className="flex flex-wrap gap-2">
          <BackToColumns id={id} />
          {created + updated > 0 && good > 0 && (
            <Button look="primary" disabled={write.isPending} onClick={importThem}>
              {isAll ? (
                <Plural value={good} one="Import # row" other="Import # rows" />
              ) : others.length > 0 ? (
                <Trans>Import the other rows</Trans>
              ) : (
                <Plural value={good} one="Import 1 valid row" other="Import # valid rows" />
              )}
            </Button>
          )}
        </div>
      )}
      {created + updated === 0 && unchanged > 0 && (
        <p className="text-sm">{t`Everything in this file is already up to date.`}</p>
      )}
      {write.isError && <ErrorBox error={write.error} />}
      <RejectedRows file={checked} actions={<RejectedDownload file={checked} />} />
      <GoodRows file={checked} />
      <MatchesDownload file={checked} />
    </div>
  );
}
