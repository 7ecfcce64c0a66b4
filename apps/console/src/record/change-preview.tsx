import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { roster } from '../api/client.ts';
import { RecordLink } from '../components/record-name.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { ChangedValue } from '../fields/change-labels.tsx';
import { pathLabel } from '../fields/field-labels.ts';

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
    <p key={field} className="break-words">
      <span className="text-muted">{pathLabel(i18n, resource, field)}:</span>{' '}
      <del className="text-danger">
        <ChangedValue resource={resource} name={field} value={from} />
      </del>{' '}
      <span aria-hidden>→</span>
      <span className="sr-only">
        <Trans>becomes</Trans>
      </span>{' '}
      <ins className="text-good no-underline">
        <ChangedValue resource={resource} name={field} value={to} />
      </ins>
    </p>
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
  why: string;
}

/** Lists the records that a change or an undo leaves as they are. */
export function LeftRecords({ records }: { records: readonly LeftRecord[] }) {
  return (
    <ul className="flex flex-col gap-1 text-sm">
      {records.map(({ resource, id, why }) => (
        <li key={`${id} ${why}`}>
          <RecordLink resource={resource} id={id} />: {why}
        </li>
      ))}
    </ul>
  );
}

/** The records that would stay as they are, each with the reason. */
function Rejected({ resource, preview: { errors } }: PreviewProps) {
  const more = errors.length - ERRORS_SHOWN;
  return (
    <section aria-labelledby="preview-errors" className="flex flex-col gap-2">
      <h3 id="preview-errors" className="font-semibold text-danger text-sm">
        <Plural
          value={errors.length}
          one="# record would stay as it is, because of an error"
          other="# records would stay as they are, because of errors"
        />
      </h3>
      <LeftRecords
        records={errors.slice(0, ERRORS_SHOWN).map(({ id, detail }) => ({ resource, id, why: detail }))}
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
  const { samples, errors } = props.preview;
  return (
    <>
      {samples.length > 0 && <Samples {...props} />}
      {errors.length > 0 && <Rejected {...props} />}
    </>
  );
}
