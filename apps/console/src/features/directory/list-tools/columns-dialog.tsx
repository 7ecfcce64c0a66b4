import { Trans, useLingui } from '@lingui/react/macro';
import { ArrowDown, ArrowUp, ListFilter } from 'lucide-react';
import { useState } from 'react';
import { contracts } from '../../../api/contract/contracts.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx';
import { CheckboxField } from '../../../ui/forms/field.tsx';
import { columnLabel, defaultWidth, WIDTH_MAX, WIDTH_MIN } from '../list/columns.ts';
import type { ListView } from '../list/list-view.ts';
import { columnsOf, defaultColumnsOf } from '../resources/index.ts';
import { findColumnFilters } from './filters/column-filters.ts';

interface ColumnChoice {
  name: string;
  isVisible: boolean;
  width: number;
}

function choicesOf(view: ListView, visible: readonly string[], widths: ListView['widths']): ColumnChoice[] {
  const others = columnsOf(view.resource).filter((name) => !visible.includes(name));
  return [...visible, ...others].map((name) => ({
    name,
    isVisible: visible.includes(name),
    width: widths[name] ?? defaultWidth(name),
  }));
}

export function ColumnsDialog({ view, onClose }: { view: ListView; onClose: () => void }) {
  const { t, i18n } = useLingui();
  const { resource } = view;
  const [choices, setChoices] = useState(() => choicesOf(view, view.columns, view.widths));
  const fixed = contracts[resource].nameField;
  const set = (name: string, change: Partial<ColumnChoice>) =>
    setChoices(choices.map((one) => (one.name === name ? { ...one, ...change } : one)));
  const move = (at: number, by: -1 | 1) => {
    const next = [...choices];
    const [one] = next.splice(at, 1);
    if (one === undefined) return;
    next.splice(at + by, 0, one);
    setChoices(next);
  };
  const apply = () => {
    const widths = { ...view.widths };
    for (const { name, width } of choices) {
      if (width !== (widths[name] ?? defaultWidth(name)))
        widths[name] = Math.max(WIDTH_MIN, Math.min(width, WIDTH_MAX));
    }
    onClose();
    view.setColumns(
      choices.filter(({ isVisible }) => isVisible).map(({ name }) => name),
      widths,
    );
  };
  return (
    <FormDialog
      title={t`Columns`}
      submitLabel={<Trans>Apply</Trans>}
      width="medium"
      isPending={false}
      error={null}
      footerStart={
        <Button onClick={() => setChoices(choicesOf(view, defaultColumnsOf(resource), {}))}>
          <Trans>Default columns</Trans>
        </Button>
      }
      onSubmit={apply}
      onClose={onClose}
    >
      <ul>
        {choices.map(({ name, isVisible, width }, at) => {
          const label = columnLabel(i18n, resource, name);
          return (
            <li key={name} className="flex items-center gap-2 border-line border-b py-0.5">
              <CheckboxField
                className="min-w-0 grow *:truncate"
                label={label}
                checked={isVisible}
                disabled={name === fixed}
                onChange={({ target }) => set(name, { isVisible: target.checked })}
              />
              {findColumnFilters(resource, name).length > 0 && (
                <span role="img" aria-label={t`Can be filtered`} data-tooltip={t`Can be filtered`}>
                  <ListFilter aria-hidden className="size-4 text-muted" />
                </span>
              )}
              <input
                type="number"
                aria-label={t`Width of ${label} in pixels`}
                data-tooltip={t`Width of ${label} in pixels`}
                min={WIDTH_MIN}
                max={WIDTH_MAX}
                step={10}
                value={width}
                onChange={({ target }) => set(name, { width: target.valueAsNumber || defaultWidth(name) })}
                className="min-h-9 w-20 rounded-md border border-control bg-surface px-2 text-base tabular-nums sm:text-sm"
              />
              <IconButton
                label={t`Move ${label} up`}
                aria-disabled={at === 0}
                onClick={() => at > 0 && move(at, -1)}
              >
                <ArrowUp aria-hidden />
              </IconButton>
              <IconButton
                label={t`Move ${label} down`}
                aria-disabled={at === choices.length - 1}
                onClick={() => at < choices.length - 1 && move(at, 1)}
              >
                <ArrowDown aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ul>
    </FormDialog>
  );
}
