import { Trans, useLingui } from '@lingui/react/macro';
import type { BlameAnswer } from '@roster/client';
import { Link } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { Suspense, useEffect, useRef } from 'react';
import { IconButton } from '../../components/button.tsx';
import { Opening } from '../../components/popups/held-keys.ts';
import { RelativeTime } from '../../components/time.tsx';
import { fieldLabel } from '../../fields/field-labels.ts';
import { lazyComponent } from '../../page/lazy-components.ts';
import { ActorName } from '../../record/actor-name.tsx';
import { recordPath, useRecord } from '../../record/record-context.ts';
import { FieldValue } from '../../record/values.tsx';
import type { FieldGroup } from '../../resources/definition.ts';
import { isEmpty } from '../../resources/record.ts';

const InPlaceForm = lazyComponent(() => import('../../edit/in-place-form.tsx'), 'InPlaceForm');

type Blame = BlameAnswer['items'][number];

/** The newest change of a field and its parts. */
function blameOf(field: string, all: readonly Blame[] | undefined): Blame | undefined {
  const own = all?.filter((one) => one.field === field || one.field.startsWith(`${field}.`));
  return own?.toSorted((a, b) => (b.version ?? 0) - (a.version ?? 0))[0];
}

function BlameLine({ blame }: { blame: Blame }) {
  const { resource, record } = useRecord();
  const { version, occurredAt, details, merge } = blame;
  // Only the survivor of a merge has values of the other record.
  const from = details?.mergedFrom && (merge?.duplicate?.name ?? details.mergedFrom);
  if (version === null || occurredAt === null)
    return (
      <p className="text-muted text-xs">
        <Trans>Set before the history begins</Trans>
      </p>
    );
  return (
    <p className="text-muted text-xs">
      <ActorName change={blame} /> · <RelativeTime time={occurredAt} /> ·{' '}
      <Link
        to={`${recordPath(resource)}/history`}
        params={{ id: record.id }}
        search={true}
        hash={`version-${version}`}
        className="text-accent underline underline-offset-2"
      >
        <Trans>version {version}</Trans>
      </Link>
      {from !== undefined && (
        <>
          {' · '}
          <Trans>from {from}, which was merged into this record</Trans>
        </>
      )}
    </p>
  );
}

interface FieldGroupViewProps {
  group: FieldGroup;
  /** The fields that are being edited, of any group. */
  editing: readonly string[] | undefined;
  /** Undefined if the caller may not write. */
  onEdit: ((fields: readonly string[] | undefined) => void) | undefined;
  isEmptyShown: boolean;
  blame: readonly Blame[] | undefined;
}

/** One group of fields of a record. All of it or one field at a time is edited in its place. */
export function FieldGroupView({ group, editing, onEdit, isEmptyShown, blame }: FieldGroupViewProps) {
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
            const set = blameOf(name, blame);
            return (
              <div
                key={name}
                className="group/row grid grid-cols-1 rounded-md hover:bg-hover sm:grid-cols-[9rem_1fr]"
              >
                <dt className="pt-1.5 text-muted text-sm sm:py-1.5">{label}</dt>
                <dd className="flex min-w-0 items-start gap-1 text-sm">
                  {isEdited(name) ? (
                    form([name])
                  ) : (
                    <>
                      <div className="min-w-0 grow py-1.5">
                        <FieldValue resource={resource} path={name} value={record[name]} record={record} />
                        {set !== undefined && <BlameLine blame={set} />}
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
