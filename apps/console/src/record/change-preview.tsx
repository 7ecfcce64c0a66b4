import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { type ReactNode, useId } from 'react';
import type { roster } from '../api/client.ts';
import { RecordLink } from '../components/record-name.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { pathLabel } from '../fields/field-labels.ts';
import { ChangedSince } from './changed-since.tsx';
import { FieldValue } from './values.tsx';

const ERRORS_SHOWN = 20;

/** The effects of a change of many records before it is made, as the client reads them. */
type Preview = Awaited<ReturnType<typeof roster.jobs.previewUndo.mutate>>;

export interface PreviewProps {
  resource: ResourceName;
  preview: Preview;
}

interface ChangedFieldsProps {
  resource: ResourceName;
  changes: readonly { field: string; from?: unknown; to?: unknown }[];
}

/** Fields of a record, each with its value before and after a change. */
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
      <ins className="text-good no-underline">
        <FieldValue resource={resource} path={field} value={to} />
      </ins>
    </div>
  ));
}

/** The first of the records that a change would be made in, with their old and new values. */
function Samples({ resource, preview: { samples, count } }: PreviewProps) {
  return (
    <section aria-labelledby="preview-samples" className="flex flex-col gap-2">
      <h3 id="preview-samples" className="font-semibold text-sm">
        {samples.length < count ? (
          <Trans>The first {samples.length} of them</Trans>
        ) : (
          <Trans>All of them</Trans>
        )}
      </h3>
      <ul className="divide-y divide-line rounded-lg border border-line text-sm">
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

/** A record that stays as it is, and why. */
interface LeftRecord {
  resource: ResourceName;
  id: string;
  why: ReactNode;
}

/** Lists the records that a change or an undo leaves as they are. */
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

interface RejectedProps {
  resource: ResourceName;
  errors: Preview['errors'];
  title: ReactNode;
  whyOf: (error: Preview['errors'][number]) => ReactNode;
}

/** The first of the records that would stay as they are, each with the reason. */
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

/** Shows what a change of many records, or its undo, would do: the first of the records, and those that would stay as they are. */
export function ChangePreview(props: PreviewProps) {
  const { resource, preview } = props;
  const { samples, errors } = preview;
  // A record that was changed since is left on purpose: that is no error.
  const changed = errors.filter(({ code }) => code === 'version_conflict');
  const failed = errors.filter(({ code }) => code !== 'version_conflict');
  return (
    <>
      {samples.length > 0 && <Samples {...props} />}
      <Rejected
        resource={resource}
        errors={changed}
        title={
          <Plural
            value={changed.length}
            one="# record would stay as it is, because it was changed since"
            other="# records would stay as they are, because they were changed since"
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
              one="# record would stay as it is, because of an error"
              other="# records would stay as they are, because of errors"
            />
          </span>
        }
        whyOf={({ detail }) => detail}
      />
    </>
  );
}
