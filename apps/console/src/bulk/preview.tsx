import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { BulkPreview } from '@roster/client';
import { Callout } from '../components/badge.tsx';
import { TextField } from '../components/forms/field.tsx';
import { RecordLink } from '../components/record-name.tsx';
import type { ResourceName } from '../contract/contracts.ts';
import { ChangedValue, FilterWords } from '../fields/change-labels.tsx';
import { pathLabel } from '../fields/field-labels.ts';
import { resources } from '../resources/index.ts';

const ERRORS_SHOWN = 20;

interface PreviewProps {
  resource: ResourceName;
  filter: Record<string, unknown>;
  preview: BulkPreview;
  /** The number of records that the list had shown. */
  shownCount: number;
}

function Samples({
  resource,
  samples,
  count,
}: { resource: ResourceName } & Pick<BulkPreview, 'samples' | 'count'>) {
  const { i18n } = useLingui();
  return (
    <section aria-labelledby="bulk-samples" className="flex flex-col gap-2">
      <h3 id="bulk-samples" className="font-semibold text-sm">
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
            {changes.map(({ field, from, to }) => (
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
            ))}
          </li>
        ))}
      </ul>
    </section>
  );
}

function Rejected({ resource, errors }: { resource: ResourceName } & Pick<BulkPreview, 'errors'>) {
  const more = errors.length - ERRORS_SHOWN;
  return (
    <section aria-labelledby="bulk-errors" className="flex flex-col gap-2">
      <h3 id="bulk-errors" className="font-semibold text-danger text-sm">
        <Plural
          value={errors.length}
          one="# record would stay as it is, because of an error"
          other="# records would stay as they are, because of errors"
        />
      </h3>
      <ul className="flex flex-col gap-1 text-sm">
        {errors.slice(0, ERRORS_SHOWN).map(({ id, detail }) => (
          <li key={id}>
            <RecordLink resource={resource} id={id} />: {detail}
          </li>
        ))}
      </ul>
      {more > 0 && (
        <p className="text-muted text-sm">
          <Plural value={more} one="and # more" other="and # more" />
        </p>
      )}
    </section>
  );
}

/** Shows what a change would do: how many records, which, and the first of them with their old and new values. */
export function Preview({ resource, filter, preview, shownCount }: PreviewProps) {
  const { t, i18n } = useLingui();
  const { count, checked, changed, unchanged, samples, errors } = preview;
  const number = (value: number) => i18n.number(value);
  return (
    <div className="flex flex-col gap-4">
      {count !== shownCount && (
        <Callout
          tone="warning"
          title={t`The list showed ${number(shownCount)}; ${number(count)} match now`}
        />
      )}
      <div className="text-sm">
        <p className="font-semibold text-2xl tabular-nums">{t(resources[resource].counted(count))}</p>
        <FilterWords resource={resource} filter={filter} />
        <p className="mt-2 text-muted">
          {checked < count && <Trans>The change was tried on the first {number(checked)}. Of these: </Trans>}
          <Trans>
            {number(changed)} would change, {number(unchanged)} already have these values.
          </Trans>
        </p>
      </div>
      {samples.length > 0 && <Samples resource={resource} samples={samples} count={count} />}
      {errors.length > 0 && <Rejected resource={resource} errors={errors} />}
    </div>
  );
}

/** Asks to type the number of records, so that nobody changes thousands by a slip. */
export function CountField({
  count,
  value,
  onChange,
}: {
  count: number;
  value: string;
  onChange: (value: string) => void;
}) {
  const { t } = useLingui();
  return (
    <TextField
      label={t`Type ${String(count)} to confirm`}
      inputMode="numeric"
      isRequired
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
