import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useRights } from '../../api/caller.ts';
import type { roster } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { RecordLink } from '../../ui/record-name.tsx';
import { pathLabel, pathLabels } from '../fields/field-labels.ts';
import { ActorName } from './actor-name.tsx';
import { FieldValue } from './values.tsx';

const ERRORS_SHOWN = 20;

type Preview = Awaited<ReturnType<typeof roster.jobs.previewUndo.mutate>>;

export interface PreviewProps {
  resource: ResourceName;
  preview: Preview;
}

interface ChangedFieldsProps {
  resource: ResourceName;
  changes: readonly { field: string; from?: unknown; to?: unknown }[];
}

export function ChangedFields({ resource, changes }: ChangedFieldsProps) {
  const { i18n } = useLingui();
  return changes.map(({ field, from, to }) => (
    <div key={field} className="break-words">
      <span className="text-muted">{pathLabel(i18n, resource, field)}:</span>{' '}
      <del className="text-danger">
        <FieldValue resource={resource} path={field} value={from} />
      </del>{' '}
      <span aria-hidden>→</span>
      <span className="sr-only">
        <Trans>becomes</Trans>
      </span>{' '}
      <ins className="font-medium no-underline">
        <FieldValue resource={resource} path={field} value={to} />
      </ins>
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

function Samples({ resource, preview: { samples, changed } }: PreviewProps) {
  return (
    <section aria-labelledby="preview-samples" className="flex flex-col gap-2">
      <h3 id="preview-samples" className="font-semibold text-sm">
        {samples.length < changed ? (
          <Trans>The first {samples.length} that will change</Trans>
        ) : (
          <Trans>What will change</Trans>
        )}
      </h3>
      <ul className="divide-y divide-line rounded-md border border-line text-sm">
        {samples.map(({ id, name, changes }) => (
          <li key={id} className="px-3 py-2">
            <p className="font-medium">{name}</p>
            <ChangedFields resource={resource} changes={changes} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface LeftRecord {
  resource: ResourceName;
  id: string;
  why: ReactNode;
}

export function LeftRecords({ records }: { records: readonly LeftRecord[] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {records.map(({ resource, id, why }, index) => (
        <li key={`${id} ${index}`}>
          <RecordLink resource={resource} id={id} />: {why}
        </li>
      ))}
    </ul>
  );
}

export function ChangedSince({ resource, id }: { resource: ResourceName; id: string }) {
  const { i18n } = useLingui();
  const { can } = useRights();
  const input = { id, limit: 1 };
  const { data } = useQuery({
    queryKey: [resource, 'history', input] as const,
    queryFn: ({ signal }) => callsOf(resource).history.query(input, { signal }),
    enabled: can('events:read'),
  });
  const [last] = data?.items ?? [];
  if (last === undefined) return <Trans>changed since</Trans>;
  const fields = pathLabels(
    i18n,
    resource,
    last.changes.map(({ field }) => field),
  );
  return (
    <>
      <Trans>
        changed since, last by <ActorName change={last} />
      </Trans>
      {fields !== '' && `: ${fields}`}
    </>
  );
}

interface RejectedProps {
  resource: ResourceName;
  errors: Preview['errors'];
  title: ReactNode;
  whyOf: (error: Preview['errors'][number]) => ReactNode;
}

function Rejected({ resource, errors, title, whyOf }: RejectedProps) {
  const id = useId();
  const more = errors.length - ERRORS_SHOWN;
  if (errors.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-2">
      <h3 id={id} className="font-semibold text-sm">
        {title}
      </h3>
      <LeftRecords
        records={errors
          .slice(0, ERRORS_SHOWN)
          .map((error) => ({ resource, id: error.id, why: whyOf(error) }))}
      />
      {more > 0 && (
        <p className="text-muted text-sm">
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </section>
  );
}

export function ChangePreview(props: PreviewProps) {
  const { resource, preview } = props;
  const { samples, errors } = preview;
  // Changes made since are kept on purpose: that is no error.
  const kept = errors.filter(({ fields }) => fields.length > 0);
  const changed = errors.filter(({ code, fields }) => code === 'version_conflict' && fields.length === 0);
  const failed = errors.filter(({ code }) => code !== 'version_conflict');
  return (
    <>
      {samples.length > 0 && <Samples {...props} />}
      <Rejected
        resource={resource}
        errors={kept}
        title={
          <Plural
            value={kept.length}
            one="# record keeps fields that have since changed"
            other="# records keep fields that have since changed"
          />
        }
        whyOf={({ fields }) => <KeptFields resource={resource} fields={fields} />}
      />
      <Rejected
        resource={resource}
        errors={changed}
        title={
          <Plural
            value={changed.length}
            one="# record won't change, because it has been changed since"
            other="# records won't change, because they have been changed since"
          />
        }
        whyOf={({ id }) => <ChangedSince resource={resource} id={id} />}
      />
      <Rejected
        resource={resource}
        errors={failed}
        title={
          <span className="text-danger">
            <Plural
              value={failed.length}
              one="# record won't change, because of an error"
              other="# records won't change, because of errors"
            />
          </span>
        }
        whyOf={({ detail }) => detail}
      />
    </>
  );
}
