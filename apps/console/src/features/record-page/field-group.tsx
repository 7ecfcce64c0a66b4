import { useLingui } from '@lingui/react/macro';
import { type ReactNode, Suspense, useEffect, useRef } from 'react';
import { isOneLine, knownFieldOf } from '../../api/contract/contracts.ts';
import { ChevronRight, Pencil } from '../../icons.tsx';
import type { FieldGroup } from '../../resources/definition.ts';
import { isEmpty } from '../../resources/record.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { classNames, IconButton } from '../../ui/button.tsx';
import { recordHeadingClasses } from '../../ui/page.tsx';
import { Opening } from '../../ui/popups/held-keys.ts';
import { fieldLabel, listText } from '../fields/field-labels.ts';
import { type OpenRecord, useRecord } from '../record/record-context.ts';
import { FieldValue } from '../record/values.tsx';

const InPlaceForm = lazyComponent(() => import('../record/edit/in-place-form.tsx'), 'InPlaceForm');

export interface FieldGroupProps {
  group: FieldGroup;
  editing: readonly string[] | undefined;
  /** Undefined if the caller may not write. */
  onEdit: ((fields: readonly string[] | undefined) => void) | undefined;
  isEmptyShown: boolean;
  /** More values, each with its label, which are not of the record itself. */
  more?: ReactNode;
  /** A list that shows the values of some fields, with their buttons. One without a value, or under edit, stands before it. */
  list?: FieldList | undefined;
}

export interface FieldList {
  fields: readonly string[];
  show: (editButtonOf: (field: string) => ReactNode, isShown: (field: string) => boolean) => ReactNode;
}

/** A list of lines, which has the edge of its group on a telephone. */
const listClasses = 'max-sm:min-h-0! max-sm:p-0! max-sm:[&_ul]:border-0';

/** A value under its label; on a telephone a row of a group. */
export const fieldClasses =
  'group/row relative -mx-2 min-w-0 rounded-sm px-2 py-1.5 hover:bg-hover ' +
  'max-sm:mx-0 max-sm:min-h-13 max-sm:rounded-none max-sm:px-3 max-sm:py-2';
export const labelClasses = 'text-muted text-xs';

/** A button of one value; on a telephone only the group has one. */
const shownOnHover =
  'max-sm:hidden opacity-0 focus-visible:opacity-100 group-focus-within/row:opacity-100 group-hover/row:opacity-100 pointer-coarse:opacity-100';

function EditButton({ label, ...button }: { label: string; className?: string; onClick: () => void }) {
  const { t } = useLingui();
  return (
    <IconButton size="small" label={t`Edit: ${label}`} {...button}>
      <Pencil aria-hidden />
    </IconButton>
  );
}

function isWideField({ resource, record }: OpenRecord, name: string, isEdited: boolean): boolean {
  const { kind = 'text', parts } = knownFieldOf(resource, name) ?? {};
  if (isEdited) return !isOneLine(kind);
  return kind === 'long-text' || (parts !== undefined && Array.isArray(record[name]));
}

export function FieldGroupView(props: FieldGroupProps) {
  const { group, editing, onEdit, isEmptyShown, more, list } = props;
  const { t, i18n } = useLingui();
  const open = useRecord();
  const { resource, record } = open;
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
  if (shown.length === 0 && list === undefined) return null;
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
  const editButton = onEdit !== undefined && !isWhole && (
    <EditButton label={groupLabel} onClick={() => onEdit(fields)} />
  );
  const buttonOf = (name: string, className: string) =>
    onEdit !== undefined && (
      <EditButton
        label={fieldLabel(i18n, resource, name)}
        className={classNames(shownOnHover, className)}
        onClick={() => onEdit([name])}
      />
    );
  const isListed = (name: string) => list?.fields.includes(name) === true;
  const isInList = (name: string) => isListed(name) && !isEmpty(record[name]) && !isEdited(name);
  const values = (names: readonly string[], others?: ReactNode) => (
    <dl className="grid grid-cols-1 items-start gap-x-6 empty:hidden max-sm:divide-y max-sm:divide-line-soft max-sm:rounded-md max-sm:border max-sm:border-line sm:@sm:grid-cols-2">
      {names.map((name) => {
        const isWide = isWideField(open, name, isEdited(name));
        return (
          <div
            key={name}
            className={classNames(
              fieldClasses,
              isWide && 'col-span-full',
              isWide && !isEdited(name) && Array.isArray(record[name]) && listClasses,
              isEdited(name) && 'hover:bg-transparent',
              knownFieldOf(resource, name)?.kind === 'email' && 'col-span-full @2xl:col-span-1',
            )}
          >
            <dt className={isWide || isEdited(name) ? 'sr-only' : labelClasses}>
              {fieldLabel(i18n, resource, name)}
            </dt>
            <dd className="min-w-0 break-words text-md">
              {isEdited(name) ? (
                form([name])
              ) : (
                <>
                  <FieldValue resource={resource} path={name} value={record[name]} record={record} />
                  {buttonOf(name, 'absolute! end-1 top-1 bg-hover pointer-coarse:bg-transparent')}
                </>
              )}
            </dd>
          </div>
        );
      })}
      {others}
    </dl>
  );
  const content = isWhole ? (
    form(fields)
  ) : (
    <>
      {list !== undefined && values(shown.filter((name) => isListed(name) && !isInList(name)))}
      {list?.show((name) => buttonOf(name, ''), isInList)}
      {values(
        shown.filter((name) => !isListed(name)),
        more,
      )}
    </>
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
        <h3 id={`group-${group.id}`} className={`grow ${recordHeadingClasses}`}>
          {groupLabel}
        </h3>
        {editButton}
      </div>
      {content}
    </section>
  );
}
