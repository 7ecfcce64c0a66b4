import { useLingui } from '@lingui/react/macro';
import { Suspense, useEffect, useRef } from 'react';
import { Pencil } from '../../icons.tsx';
import type { FieldGroup } from '../../resources/definition.ts';
import { isEmpty } from '../../resources/record.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { IconButton } from '../../ui/button.tsx';
import { Opening } from '../../ui/popups/held-keys.ts';
import { fieldLabel } from '../fields/field-labels.ts';
import { useRecord } from '../record/record-context.ts';
import { FieldValue } from '../record/values.tsx';

const InPlaceForm = lazyComponent(() => import('../record/edit/in-place-form.tsx'), 'InPlaceForm');

interface FieldGroupViewProps {
  group: FieldGroup;
  editing: readonly string[] | undefined;
  /** Undefined if the caller may not write. */
  onEdit: ((fields: readonly string[] | undefined) => void) | undefined;
  isEmptyShown: boolean;
}

export function FieldGroupView({ group, editing, onEdit, isEmptyShown }: FieldGroupViewProps) {
  const { t, i18n } = useLingui();
  const { resource, record } = useRecord();
  const { fields } = group;
  const isEdited = (name: string) => editing?.includes(name) === true && onEdit !== undefined;
  const isWhole = fields.every(isEdited);
  const isOpen = fields.some(isEdited);
  const section = useRef<HTMLElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    // The form has taken the focus away with it.
    if (wasOpen.current && !isOpen) section.current?.querySelector('button')?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  const shown = fields.filter((name) => isEmptyShown || !isEmpty(record[name]) || isEdited(name));
  if (shown.length === 0) return null;
  const groupLabel = t(group.label);
  const form = (names: readonly string[]) => (
    <Suspense fallback={<Opening />}>
      <InPlaceForm
        resource={resource}
        record={record}
        fields={names}
        label={names.length > 1 ? groupLabel : undefined}
        onClose={() => onEdit?.(undefined)}
      />
    </Suspense>
  );
  return (
    <section ref={section} aria-labelledby={`group-${group.id}`}>
      <div className="mb-1 flex items-center gap-2 border-line border-b">
        <h3 id={`group-${group.id}`} className="grow py-1 font-semibold text-sm">
          {groupLabel}
        </h3>
        {onEdit !== undefined && !isWhole && (
          <IconButton label={t`Edit: ${groupLabel}`} onClick={() => onEdit(fields)}>
            <Pencil aria-hidden />
          </IconButton>
        )}
      </div>
      {isWhole ? (
        form(fields)
      ) : (
        <dl>
          {shown.map((name) => {
            const label = fieldLabel(i18n, resource, name);
            return (
              <div
                key={name}
                className="group/row grid grid-cols-1 rounded-sm hover:bg-hover sm:grid-cols-[9rem_1fr]"
              >
                <dt className="pt-1.5 text-muted text-sm sm:py-1.5">{label}</dt>
                <dd className="flex min-w-0 items-start gap-1 text-sm">
                  {isEdited(name) ? (
                    form([name])
                  ) : (
                    <>
                      <div className="min-w-0 grow py-1.5">
                        <FieldValue resource={resource} path={name} value={record[name]} record={record} />
                      </div>
                      {onEdit !== undefined && (
                        <IconButton
                          label={t`Edit: ${label}`}
                          className="opacity-0 focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100"
                          onClick={() => onEdit([name])}
                        >
                          <Pencil aria-hidden />
                        </IconButton>
                      )}
                    </>
                  )}
                </dd>
              </div>
            );
          })}
        </dl>
      )}
    </section>
  );
}
