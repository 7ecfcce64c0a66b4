'use no memo';

import { useLingui } from '@lingui/react/macro';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useRights } from '../api/caller.ts';
import { rosterQuery } from '../api/client.ts';
import { resourceNames } from '../api/contract/contracts.ts';
import { useOtherTabsViews } from '../features/directory/views/view-changes.ts';
import { searchOf } from '../features/directory/views/view-query.ts';
import { Bookmark, Clock } from '../icons.tsx';
import { navigationHeadingClasses, navigationLinkClasses } from './navigation.tsx';

/** More are in the tabs of their lists. */
const SHOWN_MAX = 6;

/** The saved views of all lists, on top of the sidebar. */
export function SidebarViews({ onNavigate }: { onNavigate: (() => void) | undefined }) {
  const { t } = useLingui();
  const { can } = useRights();
  useOtherTabsViews();
  const { data } = useQuery(rosterQuery('views', 'list', { sort: 'name', limit: SHOWN_MAX }));
  const readable = resourceNames.filter((name) => can(`${name}:read`));
  const views = (data?.items ?? []).filter(({ resource }) => readable.includes(resource));
  if (views.length === 0) return null;
  return (
    <div>
      <h2 id="navigation-views" className={navigationHeadingClasses}>
        {t`Views`}
      </h2>
      <ul aria-labelledby="navigation-views" className="flex flex-col gap-px">
        {views.map((view) => {
          const isOfTime = Object.keys(view.query).some((name) => /(Since|Before)$/.test(name));
          const Icon = isOfTime ? Clock : Bookmark;
          return (
            <li key={view.id}>
              <Link
                to={`/${view.resource}`}
                search={searchOf(view)}
                activeOptions={{ exact: true }}
                onClick={onNavigate}
                className={navigationLinkClasses}
              >
                <Icon aria-hidden />
                <span className="truncate">{view.name}</span>
              </Link>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
