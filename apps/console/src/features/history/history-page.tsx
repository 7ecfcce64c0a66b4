import { useRights } from '../../api/caller.ts';
import { useRecord } from '../record/record-context.ts';
import { Timeline, useHistory } from './timeline.tsx';

export function History() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const history = useHistory(resource, record.id);
  return (
    <Timeline resource={resource} history={history} record={can(`${resource}:write`) ? record : undefined} />
  );
}

export function HistoryPage() {
  return (
    <div className="p-4 sm:px-6">
      <History />
    </div>
  );
}
