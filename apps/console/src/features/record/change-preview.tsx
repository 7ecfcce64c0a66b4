import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useId } from 'react';
import { useRights } from '../../api/caller.ts';
import type { roster } from '../../api/client.ts';
import type { ResourceName } from '../../api/contract/contracts.ts';
import { resources } from '../../resources/index.ts';
import { callsOf } from '../../resources/record-calls.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { groupClasses } from '../../ui/page.tsx';
import { RecordLink } from '../../ui/record-name.tsx';
import { pathLabel, pathLabels } from '../fields/field-labels.ts';
import { ActorName } from './actor-name.tsx';
import { ChangedFields, KeptFields } from './changed-fields.tsx';
import { ValueLinks } from './record-context.ts';

const ERRORS_SHOWN = 20;

type Preview = Awaited<ReturnType<typeof roster.jobs.previewUndo.mutate>>;

export interface PreviewProps {
  resource: ResourceName;
  preview: Preview;
}

/** The one field that is all that changes in some records. */
function onlyField(samples: Preview['samples']): string | undefined {
  const fields = new Set(samples.flatMap(({ changes }) => changes.map(({ field }) => field)));
  return fields.size === 1 ? [...fields][0] : undefined;
}

function Samples({ resource, preview: { samples, changed } }: PreviewProps) {
  const { i18n } = useLingui();
  const only = onlyField(samples);
  const isFew = samples.length < changed;
  const title = isFew ? (
    <Trans>The first {samples.length} that will change</Trans>
  ) : (
    <Trans>What will change</Trans>
  );
  return (
    <section aria-labelledby="preview-samples" className="flex flex-col gap-1.5">
      <h3 id="preview-samples" className="font-medium text-sm">
        {title}
        {only !== undefined && `: ${pathLabel(i18n, resource, only)}`}
      </h3>
      <ul className={groupClasses}>
        {samples.map(({ id, name, changes }) => (
          <li
            key={id}
            className="grid min-h-9 items-center gap-x-4 border-line-soft px-3 py-1 text-sm not-first:border-t sm:grid-cols-[10rem_1fr]"
          >
            <span className="flex min-w-0 items-center gap-2">
              {resources[resource].isPerson && <Avatar name={name} id={id} size={20} />}
              <span className="truncate">{name}</span>
            </span>
            <div className="min-w-0">
              <ValueLinks value={false}>
                <ChangedFields resource={resource} changes={changes} isNamed={only === undefined} />
              </ValueLinks>
            </div>
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
