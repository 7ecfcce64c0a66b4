import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../../api/contract/contracts.ts';
import { Callout } from '../../../ui/badge.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { FilterWords } from '../../fields/filter-words.tsx';
import { ChangePreview } from '../../record/change-preview.tsx';
import type { ChangeType } from './bulk-change.ts';
import type { Previewed } from './use-preview.ts';

interface PreviewProps {
  resource: ResourceName;
  filter: Record<string, unknown>;
  previewed: Previewed;
  shownCount: number;
}

function Forecast({ type, changed }: { type: ChangeType; changed: string }) {
  switch (type) {
    case 'deactivate':
      return <Trans>{changed} will be deactivated.</Trans>;
    case 'reactivate':
      return <Trans>{changed} will be reactivated.</Trans>;
    case 'transfer':
      return <Trans>{changed} will be transferred.</Trans>;
    case 'delete':
      return <Trans>{changed} will be deleted.</Trans>;
    case 'update':
      return <Trans>{changed} will change.</Trans>;
  }
}

export function Preview({ resource, filter, previewed: { preview, draft }, shownCount }: PreviewProps) {
  const { t, i18n } = useLingui();
  const { count, checked, changed, unchanged } = preview;
  const number = (value: number) => i18n.number(value);
  return (
    <div className="flex flex-col gap-4">
      {count !== shownCount && (
        <Callout
          tone="warning"
          title={t`The list showed ${number(shownCount)} records; ${number(count)} match now`}
        />
      )}
      <ChangePreview resource={resource} preview={preview} />
      <div className="text-muted text-xs">
        {checked < count && <Trans>Preview of the first {number(checked)} records: </Trans>}
        <Forecast type={draft.type} changed={number(changed)} />{' '}
        {unchanged > 0 && <Plural value={unchanged} one="# needs no change." other="# need no change." />}
        {!('ids' in filter) && <FilterWords resource={resource} filter={filter} />}
      </div>
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
