import { Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useRef } from 'react';
import type { FieldContract } from '../../../api/contract/types.ts';
import { Plus, Trash2 } from '../../../icons.tsx';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { partLabel } from '../../fields/field-labels.ts';
import { displayName } from '../values.tsx';
import { SwitchControl, TextControl } from './field-control.tsx';
import { emptyParts, fromForm, type Pair, type Parts, type Row, row } from './values/form-values.ts';

export type ErrorAt = (path: string) => string | undefined;

const withoutRequirement = ({ isRequired: _, ...part }: FieldContract): FieldContract => part;

interface PartsControlProps {
  path: string;
  contract: FieldContract;
  value: Parts;
  errorAt: ErrorAt;
  onChange: (value: Parts) => void;
}

export function PartsControl({ path, contract, value, errorAt, onChange }: PartsControlProps) {
  const { i18n } = useLingui();
  // Nothing is required of an object that is left out.
  const isLeftOut = contract.kind === 'object' && fromForm(contract, value) === null;
  const country = typeof value.country === 'string' ? value.country : '';
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {(contract.parts ?? []).map((part) => {
        const label = partLabel(i18n, contract.name, part.name);
        const partPath = `${path}/${part.name}`;
        const set = (next: string | boolean) => onChange({ ...value, [part.name]: next });
        return (
          <div key={part.name} data-path={partPath} className="min-w-0">
            {part.kind === 'switch' ? (
              <SwitchControl label={label} value={value[part.name] === true} onChange={set} />
            ) : (
              <TextControl
                path={partPath}
                label={label}
                contract={isLeftOut ? withoutRequirement(part) : part}
                value={String(value[part.name] ?? '')}
                error={errorAt(partPath)}
                country={part.name === 'region' ? country : undefined}
                onChange={set}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

interface RowsProps<Value> {
  path: string;
  label: string;
  rows: readonly Row<Value>[];
  empty: () => Value;
  maxItems: number | undefined;
  onChange: (rows: readonly Row<Value>[]) => void;
  children: (value: Value, index: number, set: (value: Value) => void) => ReactNode;
}

/** Items that can be added and removed. The focus goes to what was added, or to the button that adds if one was removed. */
function Rows<Value>({ path, label, rows, empty, maxItems, onChange, children }: RowsProps<Value>) {
  const { t } = useLingui();
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const isFull = maxItems !== undefined && rows.length >= maxItems;
  return (
    <>
      <ul ref={list} className="flex flex-col gap-3">
        {rows.map((one, index) => {
          const number = index + 1;
          return (
            <li
              key={one.key}
              data-path={`${path}/${index}`}
              className="flex items-start gap-2 rounded-sm border border-line p-2"
            >
              <div className="min-w-0 grow">
                {children(one.value, index, (value) =>
                  onChange(rows.map((other) => (other.key === one.key ? { ...other, value } : other))),
                )}
              </div>
              <IconButton
                label={t`Remove ${label} ${number}`}
                onClick={() => {
                  onChange(rows.filter((other) => other.key !== one.key));
                  add.current?.focus();
                }}
              >
                <Trash2 aria-hidden />
              </IconButton>
            </li>
          );
        })}
      </ul>
      <div>
        <Button
          ref={add}
          aria-disabled={isFull}
          onClick={() => {
            if (isFull) return;
            onChange([...rows, row(empty())]);
            setTimeout(() => list.current?.lastElementChild?.querySelector('input')?.focus());
          }}
        >
          <Plus aria-hidden />
          <Trans>
            Add: <span>{label}</span>
          </Trans>
        </Button>
      </div>
    </>
  );
}

interface ListControlProps {
  path: string;
  label: string;
  contract: FieldContract;
  rows: readonly Row<unknown>[];
  errorAt: ErrorAt;
  onChange: (rows: readonly Row<never>[]) => void;
}

export function ListControl({ path, label, contract, rows, errorAt, onChange }: ListControlProps) {
  const { t, i18n } = useLingui();
  const { kind, name, maxItems } = contract;
  const common = { path, label, maxItems, onChange: onChange as (rows: readonly Row<unknown>[]) => void };
  if (kind === 'records')
    return (
      <Rows {...common} rows={rows} empty={() => emptyParts(contract)}>
        {(value, index, set) => (
          <PartsControl
            path={`${path}/${index}`}
            contract={contract}
            value={value as Parts}
            errorAt={errorAt}
            onChange={set}
          />
        )}
      </Rows>
    );
  if (kind === 'map')
    return (
      <Rows {...common} rows={rows} empty={(): Pair => ({ name: '', text: '' })}>
        {(value, _, set) => {
          const pair = value as Pair;
          return (
            <div className="grid grid-cols-1 gap-3 sm:grid-cols-2" data-path={`${path}/${pair.name}`}>
              <TextField
                label={t`Name`}
                value={pair.name}
                onChange={(event) => set({ ...pair, name: event.target.value })}
              />
              <TextField
                label={t`Value`}
                value={pair.text}
                error={errorAt(`${path}/${pair.name}`)}
                onChange={(event) => set({ ...pair, text: event.target.value })}
              />
            </div>
          );
        }}
      </Rows>
    );
  return (
    <Rows {...common} rows={rows} empty={() => ''}>
      {(value, index, set) => {
        const text = String(value);
        const number = index + 1;
        const spoken =
          name === 'languages' && text !== '' ? displayName('language', text, i18n.locale) : text;
        return (
          <TextField
            label={`${label} ${number}`}
            value={text}
            spellCheck={false}
            error={errorAt(`${path}/${index}`)}
            hint={name !== 'languages' ? undefined : spoken === text ? t`A tag such as pt-PT or en` : spoken}
            onChange={(event) => set(event.target.value)}
          />
        );
      }}
    </Rows>
  );
}
