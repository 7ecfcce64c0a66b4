import { useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { isOneLine, knownFieldOf } from '../../api/contract/contracts.ts';
import { ChevronRight, Pencil } from '../../icons.tsx';
import type { FieldGroup } from '../../resources/definition.ts';
import { isEmpty } from '../../resources/record.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { classNames, IconButton } from '../../ui/button.tsx';
import { Opening } from '../../ui/popups/held-keys.ts';
import { fieldLabel, listText } from '../fields/field-labels.ts';
import { useRecord } from '../record/record-context.ts';
import { FieldValue } from '../record/values.tsx';

const InPlaceForm = lazyComponent(() => import('../record/edit/in-place-form.tsx'), 'InPlaceForm');

interface FieldGroupViewProps {
  group: FieldGroup;
  editing: readonly string[] | undefined;
  /** Undefined if the caller may not write. */
  onEdit: ((fields: readonly string[] | undefined) => void) | undefined;
  isEmptyShown: boolean;
  /** More values, each with its label, which are not of the record itself. */
  more?: ReactNode;
}

export const fieldClasses = 'group/row relative -mx-2 min-w-0 rounded-sm px-2 py-1.5 hover:bg-hover';
export const labelClasses = 'text-muted text-xs';

export function FieldGroupView({ group, editing, onEdit, isEmptyShown, more }: FieldGroupViewProps) {
  const { t, i18n } = useLingui();
  const { resource, record } = useRecord();
  const { fields, isFolded } = group;
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
  const isWide = (name: string) => {
    const { kind = 'text', parts } = knownFieldOf(resource, name) ?? {};
    if (isEdited(name)) return !isOneLine(kind);
    return kind === 'long-text' || (parts !== undefined && Array.isArray(record[name]));
  };
  const editButton = onEdit !== undefined && !isWhole && (
    <IconButton size="small" label={t`Edit: ${groupLabel}`} onClick={() => onEdit(fields)}>
      <Pencil aria-hidden />
    </IconButton>
  );
  const content = isWhole ? (
    form(fields)
  ) : (
    <dl className="grid grid-cols-1 items-start gap-x-6 @sm:grid-cols-2">
      {shown.map((name) => {
        const label = fieldLabel(i18n, resource, name);
        return (
          <div
            key={name}
            className={classNames(
              fieldClasses,
              isWide(name) && 'col-span-full',
              isEdited(name) && 'hover:bg-transparent',
              knownFieldOf(resource, name)?.kind === 'email' && 'col-span-full @2xl:col-span-1',
            )}
          >
            <dt className={isWide(name) || isEdited(name) ? 'sr-only' : labelClasses}>{label}</dt>
            <dd className="min-w-0 break-words text-md">
              {isEdited(name) ? (
                form([name])
              ) : (
                <>
                  <FieldValue resource={resource} path={name} value={record[name]} record={record} />
                  {onEdit !== undefined && (
                    <IconButton
                      size="small"
                      label={t`Edit: ${label}`}
                      className="absolute! end-1 top-1 bg-hover opacity-0 focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:bg-transparent pointer-coarse:opacity-100"
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
      {more}
    </dl>
  );
  if (isFolded)
    return (
      <section ref={section} aria-labelledby={`group-${group.id}`} className="border-line-soft border-t">
        <details className="group/fold" open={isOpen || isEmptyShown || undefined}>
          <summary className="flex min-h-10 items-center gap-2 text-sm">
            <ChevronRight
              aria-hidden
              className="size-3.5 shrink-0 text-muted group-open/fold:rotate-90 rtl:not-group-open/fold:rotate-180"
            />
            <h3 id={`group-${group.id}`} className="font-medium">
              {groupLabel}
            </h3>
            <span className="min-w-0 grow truncate text-muted">
              {listText(
                i18n,
                shown.map((name) => fieldLabel(i18n, resource, name)),
              )}
            </span>
          </summary>
          <div className="flex items-start gap-2 pb-3">
            <div className="min-w-0 grow">{content}</div>
            {editButton}
          </div>
        </details>
      </section>
    );
  return (
    <section ref={section} aria-labelledby={`group-${group.id}`}>
      <div className="mb-1 flex min-h-7 items-center gap-2">
        <h3 id={`group-${group.id}`} className="grow font-semibold text-sm">
          {groupLabel}
        </h3>
        {editButton}
      </div>
      {content}
    </section>
  );
}
