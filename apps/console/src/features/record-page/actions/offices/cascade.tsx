import type { I18n } from '@lingui/core';
import { plural, t } from '@lingui/core/macro';
import { Plural, Trans, useLingui } from '@lingui/react/macro';
import type { OfficeDeactivated, OfficeReactivated } from '@roster/client';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRights } from '../../../../api/caller.ts';
import { queryClient, roster } from '../../../../api/client.ts';
import { type DirectoryRecord, nameOf } from '../../../../resources/record.ts';
import { recordChanged } from '../../../../resources/record-calls.ts';
import { closeOverlay } from '../../../../ui/browser/overlays.ts';
import { ErrorBox } from '../../../../ui/error-text.tsx';
import { CheckboxField } from '../../../../ui/forms/field.tsx';
import type { Notice } from '../../../../ui/notice-list.tsx';
import { notify } from '../../../../ui/notices.tsx';
import { pathLabels } from '../../../fields/field-labels.ts';
import { statusFields, whileUnchanged } from '../../../record/undo.ts';
import { UndoDialog, UndoPreview } from '../../../record/undo-dialog.tsx';

export type Deactivated = NonNullable<OfficeDeactivated['cascaded']>;
type Reactivated = NonNullable<OfficeReactivated['cascaded']>;

/** The records that a notice names; the service returns more of them, and the history all. */
const NAMED_MAX = 5;
const NAMED_MS = 60_000;

/** Counts the agents that a deactivation of an office would change: the active ones, and those who are affiliated with it. */
async function countAgents(officeId: string, signal: AbortSignal) {
  const count = async (filter: { affiliation: 'primary' | 'any'; status?: 'active' }) => {
    const query = { officeId: [officeId], limit: 1, includeTotal: true, affiliation: filter.affiliation };
    const status = filter.status && { status: [filter.status] };
    return (await roster.agents.list.query({ ...query, ...status }, { signal })).total ?? 0;
  };
  const [active, all, andAffiliated] = await Promise.all([
    count({ affiliation: 'primary', status: 'active' }),
    count({ affiliation: 'primary' }),
    count({ affiliation: 'any' }),
  ]);
  return { active, affiliated: Math.max(andAffiliated - all, 0) };
}

function countQuery(officeId: string) {
  return queryOptions({
    queryKey: ['agents', 'list', 'cascade', { officeId }] as const,
    queryFn: ({ signal }) => countAgents(officeId, signal),
    staleTime: 0,
  });
}

export function CascadeLabel({ officeId }: { officeId: string }) {
  const { can } = useRights();
  const { data } = useQuery({ ...countQuery(officeId), enabled: can('agents:read') });
  if (data === undefined) return <Trans>Deactivate office and agents</Trans>;
  return (
    <Plural value={data.active} one="Deactivate office and # agent" other="Deactivate office and # agents" />
  );
}

function CascadeCounts({ officeId, isChosen }: { officeId: string; isChosen: boolean }) {
  const counted = useQuery(countQuery(officeId));
  if (counted.isError) return <ErrorBox error={counted.error} onRetry={() => void counted.refetch()} />;
  if (counted.data === undefined) return null;
  const { active, affiliated } = counted.data;
  return (
    <div className="flex flex-col gap-1 text-muted text-sm">
      <p>
        <Plural value={active} one="The office has # active agent." other="The office has # active agents." />{' '}
        {affiliated > 0 && (
          <Plural
            value={affiliated}
            one="# other agent is affiliated with the office."
            other="# other agents are affiliated with the office."
          />
        )}
      </p>
      {isChosen && (
        <p>
          <Trans>
            This deactivates these agents and ends their affiliations. Undo restores them, unless their
            status, office or affiliations have changed since.
          </Trans>
        </p>
      )}
    </div>
  );
}

function RestoredPreview({ officeId }: { officeId: string }) {
  const preview = useQuery({
    queryKey: ['agents', 'list', 'restored', { officeId }],
    queryFn: ({ signal }) => roster.offices.previewReactivate.mutate({ id: officeId }, { signal }),
    staleTime: 0,
    gcTime: 0,
  });
  if (preview.isError) return <ErrorBox error={preview.error} onRetry={() => void preview.refetch()} />;
  return (
    <div className="mt-3 flex flex-col gap-4" aria-live="polite" aria-busy={preview.isPending}>
      {preview.isSuccess && <UndoPreview resource="agents" preview={preview.data} />}
    </div>
  );
}

export function CascadeField({
  id,
  isDeactivation,
  isChosen,
  onChange,
}: {
  id: string;
  isDeactivation: boolean;
  isChosen: boolean;
  onChange: (isChosen: boolean) => void;
}) {
  const { t } = useLingui();
  const { can } = useRights();
  if (!can('agents:write')) return null;
  return (
    <div>
      <CheckboxField
        label={
          isDeactivation
            ? t`Deactivate its active agents too`
            : t`Restore the agents that were deactivated with the office`
        }
        checked={isChosen}
        onChange={(event) => onChange(event.target.checked)}
      />
      {isDeactivation && can('agents:read') && <CascadeCounts officeId={id} isChosen={isChosen} />}
      {!isDeactivation && isChosen && <RestoredPreview officeId={id} />}
    </div>
  );
}

export const hasChangedOthers = ({ agents, affiliations }: Deactivated) => agents + affiliations > 0;

function countsText(i18n: I18n, { agents, affiliations }: Deactivated): string {
  const agentsText = t(i18n)`${plural(agents, { one: '# agent', other: '# agents' })}`;
  if (affiliations === 0) return agentsText;
  const affiliationsText = t(
    i18n,
  )`${plural(affiliations, { one: '# affiliation', other: '# affiliations' })}`;
  return t(i18n)`${agentsText} and ${affiliationsText}`;
}

export function deactivatedText(i18n: I18n, name: string, cascaded: Deactivated): string {
  const { agents, affiliations } = cascaded;
  const own = t(i18n)`${name} and ${plural(agents, { one: '# agent', other: '# agents' })} were deactivated`;
  if (affiliations === 0) return own;
  const ended = t(
    i18n,
  )`${plural(affiliations, { one: '# affiliation ended', other: '# affiliations ended' })}`;
  return `${own}; ${ended}`;
}

function changedFields(i18n: I18n, fields: Reactivated['errors'][number]['fields']): string {
  const names = fields.map(({ field }) => field);
  if (names.length === 0) return t(i18n)`changed since`;
  return t(i18n)`changed since: ${pathLabels(i18n, 'agents', names)}`;
}

function takenBackNotice(i18n: I18n, { rejected, errors, ...counts }: Reactivated): Notice {
  const back = countsText(i18n, counts);
  if (rejected === 0) return { text: t(i18n)`Office reactivated, ${back} restored` };
  const left = t(i18n)`${plural(rejected, {
    one: "# agent couldn't be restored.",
    other: "# agents couldn't be restored.",
  })}`;
  return {
    text: t(i18n)`Office reactivated, ${back} restored. ${left}`,
    records: errors.slice(0, NAMED_MAX).map(({ id, code, detail, fields }) => ({
      resource: 'agents',
      id,
      text: code === 'version_conflict' ? changedFields(i18n, fields) : detail,
    })),
    durationMs: NAMED_MS,
  };
}

export async function takeCascadeBack(
  i18n: I18n,
  input: { id: string; ifVersion: number; reason?: string | undefined; effectiveOn?: string },
): Promise<{ record: DirectoryRecord; notice: Notice | undefined }> {
  const { cascaded, ...office } = await roster.offices.reactivate.mutate({ ...input, cascade: true });
  const notice = cascaded && takenBackNotice(i18n, cascaded);
  return { record: office, notice };
}

export function UndoCascadeDialog({ office }: { office: DirectoryRecord }) {
  const { t, i18n } = useLingui();
  const { id } = office;
  const name = nameOf(office);
  const undo = async (why: { reason?: string | undefined }) => {
    const { record, notice } = await whileUnchanged('offices', office, statusFields, (ifVersion) =>
      takeCascadeBack(i18n, { id, ifVersion, ...why }),
    );
    recordChanged('offices', record);
    if (notice !== undefined) notify(notice);
    void queryClient.invalidateQueries();
  };
  return (
    <UndoDialog
      title={t`Undo the deactivation of ${name}?`}
      submitLabel={t`Undo all`}
      queryKey={['offices', 'deactivation', id]}
      preview={(signal) => roster.offices.previewReactivate.mutate({ id }, { signal })}
      undo={undo}
      onClose={closeOverlay}
    >
      {(preview) => (
        <>
          <p className="text-sm">
            <Trans>This reactivates the office. Its agents:</Trans>
          </p>
          <UndoPreview resource="agents" preview={preview} />
        </>
      )}
    </UndoDialog>
  );
}
