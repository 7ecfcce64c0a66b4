import { useRights } from '../../api/caller.ts';
import { CompareForm } from '../../history/compare-form.tsx';
import { useHistory } from '../../history/history-query.ts';
import { Timeline } from '../../history/timeline.tsx';
import { useRecord } from '../../record/record-context.ts';

/**
 * Every change of a record: who, when, why, from what, old and new; any two versions can be compared, and those who may change
 * the record take changes back from here.
 */
export function HistoryPage() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const history = useHistory(resource, record.id);
  const { versions } = history;
  return (
    <div className="flex flex-col gap-5 p-4">
      {versions.length > 1 && <CompareForm versions={versions} />}
      <Timeline
        resource={resource}
        history={history}
        record={can(`${resource}:write`) ? record : undefined}
      />
    </div>
  );
}
