import { Trans, useLingui } from '@lingui/react/macro';
import type { BulkPreview } from '@roster/client';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { resources } from '../../../resources/index.ts';
import { Callout } from '../../../ui/badge.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { Day } from '../../../ui/time.tsx';
import { FilterWords } from '../../fields/filter-words.tsx';
import { ChangePreview } from '../../record/change-preview.tsx';
import { type BulkDraft, type ChangeType, dayOf } from './bulk-change.ts';

interface PreviewProps {
  resource: ResourceName;
  filter: Record<string, unknown>;
  draft: BulkDraft;
  preview: BulkPreview;
  shownCount: number;
}

function Forecast({ type, changed, unchanged }: { type: ChangeType; changed: string; unchanged: string }) {
  switch (type) {
    case 'deactivate':
      return (
        <Trans>
          {changed} will be deactivated. {unchanged} are already inactive.
        </Trans>
      );
    case 'reactivate':
      return (
        <Trans>
          {changed} will be reactivated. {unchanged} are already active.
        </Trans>
      );
    case 'transfer':
      return (
        <Trans>
          {changed} will be transferred. {unchanged} are already in this office.
        </Trans>
      );
    case 'delete':
      return <Trans>{changed} will be deleted.</Trans>;
    case 'update':
      return (
        <Trans>
          {changed} will change. {unchanged} already have these values.
        </Trans>
      );
  }
}

export function Preview({ resource, filter, draft, preview, shownCount }: PreviewProps) {
  const { t, i18n } = useLingui();
  const { count, checked, changed, unchanged } = preview;
  const day = dayOf(draft);
  const number = (value: number) => i18n.number(value);
  return (
    <div className="flex flex-col gap-4">
      {count !== shownCount && (
        <Callout
          tone="warning"
          title={t`The list showed ${number(shownCount)} records; ${number(count)} match now`}
        />
      )}
      <div className="text-sm">
        <p className="font-semibold text-2xl tabular-nums">{t(resources[resource].counted(count))}</p>
        <FilterWords resource={resource} filter={filter} />
        <p className="mt-2 text-muted">
          {checked < count && <Trans>Preview of the first {number(checked)} records: </Trans>}
          <Forecast type={draft.type} changed={number(changed)} unchanged={number(unchanged)} />
        </p>
        {day !== undefined && (
          <p>
            <Trans>
              On <Day day={day} />, at midnight, office time. You can cancel it until then.
            </Trans>
          </p>
        )}
      </div>
      <ChangePreview resource={resource} preview={preview} />
    </div>
  );
}

export function CountField({
  count,
  value,
  onChange,
}: {
  count: number;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useLingui();
  return (
    <TextField
      label={t`Type ${String(count)} to confirm`}
      inputMode="numeric"
      isRequired
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
