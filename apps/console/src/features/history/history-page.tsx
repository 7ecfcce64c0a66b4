import { useRights } from '../../api/caller.ts';
import { useRecord } from '../record/record-context.ts';
import { useHistory } from './history-query.ts';
import { Timeline } from './timeline.tsx';

export function HistoryPage() {
  const { resource, record } = useRecord();
  const { can } = useRights();
  const history = useHistory(resource, record.id);
  return (
    <div className="p-4">
      <Timeline
        resource={resource}
        history={history}
        record={can(`${resource}:write`) ? record : undefined}
      />
    </div>
  );
}
