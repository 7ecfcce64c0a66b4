import { msg } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { useRef } from 'react';
import { type FieldValues, useFieldArray, useWatch } from 'react-hook-form';
import type { FieldContract } from '../../../api/contract/types.ts';
import { Plus } from '../../../icons.tsx';
import { Trash2 } from '../../../more-icons.tsx';
import { addLabels } from '../../../resources/shared-labels.ts';
import { Button, IconButton } from '../../../ui/button.tsx';
import { TextField } from '../../../ui/forms/field.tsx';
import { displayName } from '../../fields/display-name.ts';
import { partLabel } from '../../fields/field-labels.ts';
import { SwitchControl, TextControl, useText } from './field-control.tsx';
import { emptyRow, fromForm, type Parts } from './form-values.ts';

const withoutRequirement = ({ isRequired: _, ...part }: FieldContract): FieldContract => part;

interface ControlProps {
  path: string;
  contract: FieldContract;
}

export function PartsControl({ path, contract }: ControlProps) {
  const { i18n } = useLingui();
  const value: Parts = useWatch<FieldValues>({ name: path }) ?? {};
  // Nothing is required of an object that is left out.
  const isLeftOut = contract.kind === 'object' && fromForm(contract, value) === null;
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      {(contract.parts ?? []).map((part) => {
        const { name, kind } = part;
        const common = { path: `${path}.${name}`, label: partLabel(i18n, contract.name, name) };
        return (
          <div key={name} className="min-w-0">
            {kind === 'switch' ? (
              <SwitchControl {...common} />
            ) : (
              <TextControl
                {...common}
                contract={isLeftOut ? withoutRequirement(part) : part}
                country={name === 'region' ? String(value.country ?? '') : undefined}
              />
            )}
          </div>
        );
      })}
    </div>
  );
}

function PairControl({ path }: { path: string }) {
  const { t } = useLingui();
  const name = useText(`${path}.name`);
  const text = useText(`${path}.text`);
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <TextField {...name} label={t`Name`} onChange={({ target }) => name.onChange(target.value)} />
      <TextField {...text} label={t`Value`} onChange={({ target }) => text.onChange(target.value)} />
    </div>
  );
}

function ItemControl({ path, label, isLanguage }: { path: string; label: string; isLanguage: boolean }) {
  const { t, i18n } = useLingui();
  const text = useText(`${path}.value`);
  const { value } = text;
  const spoken = isLanguage && value !== '' ? displayName('language', value, i18n.locale) : value;
  return (
    <TextField
      {...text}
      label={label}
      spellCheck={false}
      hint={isLanguage ? (spoken === value ? t`A tag such as pt-PT or en` : spoken) : undefined}
      onChange={({ target }) => text.onChange(target.value)}
    />
  );
}

/** Items that can be added and removed. The focus goes to what was added, or to the button that adds if one was removed. */
export function RowsControl({ path, label, contract }: ControlProps & { label: string }) {
  const { t } = useLingui();
  const { fields, append, remove } = useFieldArray<FieldValues>({ name: path });
  const list = useRef<HTMLUListElement>(null);
  const add = useRef<HTMLButtonElement>(null);
  const { kind, name, maxItems } = contract;
  const isFull = maxItems !== undefined && fields.length >= maxItems;
  return (
    <>
      <ul ref={list} className="flex flex-col gap-3">
        {fields.map(({ id }, index) => {
          const number = index + 1;
          const rowPath = `${path}.${index}`;
          return (
            <li key={id} className="flex items-start gap-2 rounded-sm border border-line p-2">
              <div className="min-w-0 grow">
                {kind === 'records' ? (
                  <PartsControl path={rowPath} contract={contract} />
                ) : kind === 'map' ? (
                  <PairControl path={rowPath} />
                ) : (
                  <ItemControl
                    path={rowPath}
                    label={`${label} ${number}`}
                    isLanguage={name === 'languages'}
                  />
                )}
              </div>
              <IconButton
                label={t`Remove ${label} ${number}`}
                onClick={() => {
                  remove(index);
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
            append(emptyRow(contract), { shouldFocus: false });
            setTimeout(() => list.current?.lastElementChild?.querySelector('input')?.focus());
          }}
        >
          <Plus aria-hidden />
          {t(addLabels[name] ?? msg`Add`)}
        </Button>
      </div>
    </>
  );
}
