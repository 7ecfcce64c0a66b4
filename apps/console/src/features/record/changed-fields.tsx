import { Trans, useLingui } from '@lingui/react/macro';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { ArrowRight } from '../../more-icons.tsx';
import { classNames } from '../../ui/button.tsx';
import { pathLabel } from '../fields/field-labels.ts';
import { FieldValue } from './values.tsx';

interface ChangedFieldsProps {
  resource: ResourceName;
  changes: readonly { field: string; from?: unknown; to?: unknown }[];
  isNamed?: boolean;
}

/** Fields with their values before and after: one whose name is said above them all in two columns. */
export function ChangedFields({ resource, changes, isNamed = true }: ChangedFieldsProps) {
  const { i18n } = useLingui();
  return changes.map(({ field, from, to }) => (
    <div key={field} className={classNames('break-words', !isNamed && 'grid gap-x-4 sm:grid-cols-2')}>
      <span>
        {isNamed && <span className="text-muted">{pathLabel(i18n, resource, field)}: </span>}
        <del className="text-muted no-underline">
          <FieldValue resource={resource} path={field} value={from} />
        </del>{' '}
      </span>
      <span>
        <ArrowRight aria-hidden className="me-2 inline size-3.5 text-muted rtl:rotate-180" />
        <span className="sr-only">
          <Trans>becomes</Trans>{' '}
        </span>
        <ins className="font-medium no-underline">
          <FieldValue resource={resource} path={field} value={to} />
        </ins>
      </span>
    </div>
  ));
}

interface KeptFieldsProps {
  resource: ResourceName;
  fields: readonly { field: string; current?: unknown }[];
}

/** Fields that an undo keeps, because they have changed since, each with its value. */
export function KeptFields({ resource, fields }: KeptFieldsProps) {
  const { i18n } = useLingui();
  return fields.map(({ field, current }, index) => (
    <span key={field} className="break-words">
      {index > 0 && '; '}
      <span className="text-muted">{pathLabel(i18n, resource, field)}:</span>{' '}
      <Trans>
        now <FieldValue resource={resource} path={field} value={current} />
      </Trans>
    </span>
  ));
}
