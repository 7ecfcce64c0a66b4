import { plural } from '@lingui/core/macro';
import { useLingui } from '@lingui/react/macro';
import { checkFields } from '@roster/fields/check';
import type { Members } from '@roster/fields/objects';
import { contracts, kindAt, type ResourceName } from '../../../api/contract/contracts.ts';
import type { FieldContract } from '../../../api/contract/types.ts';
import { fieldLabel } from '../../fields/field-labels.ts';
import { type FormValue, fromForm } from './form-values.ts';

export interface FieldProblem {
  /** The path in the body: `phone`, or `licenses`, `0` and `number`. */
  path: readonly string[];
  /** It follows the name of the field. */
  text: string;
}

/** The path in a form of a path in a body. What is about a whole list or object is at its `root`. */
export function formPath(
  contract: FieldContract,
  value: FormValue,
  [name = '', ...rest]: readonly string[],
): string {
  const [item = '', ...parts] = rest;
  if (typeof value !== 'object') return name;
  if (contract.kind === 'object' && item !== '') return `${name}.${item}`;
  if (!Array.isArray(value) || item === '') return `${name}.root`;
  if (contract.kind === 'records') return [name, item, ...parts].join('.');
  if (contract.kind === 'list') return `${name}.${item}.value`;
  const index = value.findIndex((row) => row.name === item);
  return index === -1 ? `${name}.root` : `${name}.${index}.text`;
}

/** A value without its members that are null: the service takes those that are not there for the same. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (typeof value !== 'object' || value === null) return value ?? undefined;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutNulls(part)]));
}

type Values = Readonly<Record<string, FormValue>>;

/** The problems that a form finds by itself, in the language of the page; the service finds the others. */
export function useChecks(
  resource: ResourceName,
  fields: readonly FieldContract[],
  record: Members,
): (values: Values) => FieldProblem[] {
  const { t, i18n } = useLingui();
  const { nameParts = [] } = contracts[resource];

  /** Checks that one of the fields that make a name is set, of which a form may show only some. */
  const checkName = (sent: Members): FieldProblem[] => {
    const path = nameParts.find((name) => name in sent);
    const unless = nameParts.find((name) => name !== path);
    const isNamed = nameParts.some((name) => (name in sent ? sent : record)[name]);
    if (path === undefined || unless === undefined || isNamed) return [];
    const other = fieldLabel(i18n, resource, unless);
    return [{ path: [path], text: t`is required unless “${other}” is set` }];
  };

  return (values) => {
    const sent = Object.fromEntries(
      fields.map((field) => [field.name, withoutNulls(fromForm(field, values[field.name] ?? ''))]),
    );
    const found = checkFields(fields, sent).flatMap(({ path, code, max = 0 }): FieldProblem[] => {
      if (code === 'required') return [{ path, text: t`is required` }];
      if (code === 'invalid_format' && kindAt(resource, path.join('.')) === 'date')
        return [{ path, text: t`isn't a date` }];
      if (code === 'too_long')
        return [
          { path, text: t`must have at most ${plural(max, { one: '# character', other: '# characters' })}` },
        ];
      return code === 'too_many'
        ? [{ path, text: t`must have at most ${plural(max, { one: '# item', other: '# items' })}` }]
        : [];
    });
    return [...checkName(sent), ...found];
  };
}
