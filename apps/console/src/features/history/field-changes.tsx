import { Trans, useLingui } from '@lingui/react/macro';
import type { FieldChange } from '@roster/client';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { MoveRight } from '../../more-icons.tsx';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { pathLabel } from '../fields/field-labels.ts';
import { FieldValue } from '../record/values.tsx';

interface FieldChangesProps {
  resource: ResourceName;
  changes: readonly FieldChange[];
  isCreation?: boolean;
  chosen?: ReadonlySet<string>;
  onChoose?: (field: string, isChosen: boolean) => void;
}

/** Fields with their values before and after. The change is also told without its colours and arrows. */
export function FieldChanges({ resource, changes, isCreation = false, chosen, onChoose }: FieldChangesProps) {
  const { i18n } = useLingui();
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {changes.map(({ field, before, after }) => {
        const label = pathLabel(i18n, resource, field);
        return (
          <li key={field} className="grid grid-cols-1 gap-x-3 sm:grid-cols-[10rem_1fr]">
            {onChoose === undefined ? (
              <span className="break-words text-muted">{label}</span>
            ) : (
              <CheckboxField
                className="*:min-w-0 *:break-words"
                label={label}
                checked={chosen?.has(field) === true}
                onChange={(event) => onChoose(field, event.target.checked)}
              />
            )}
            <div className="flex min-w-0 flex-wrap items-center gap-x-2">
              {!isCreation && (
                <>
                  <del className="min-w-0 break-words text-muted">
                    <FieldValue resource={resource} path={field} value={before} />
                  </del>
                  <MoveRight aria-hidden className="size-4 shrink-0 text-muted rtl:rotate-180" />
                  <span className="sr-only">
                    <Trans>is now</Trans>
                  </span>
                </>
              )}
              <ins className="min-w-0 break-words no-underline">
                <FieldValue resource={resource} path={field} value={after} />
              </ins>
            </div>
          </li>
        );
      })}
    </ul>
  );
}
