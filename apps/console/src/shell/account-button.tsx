// It is rendered seldom: what the compiler adds would be bytes of the first load for nothing.
'use no memo';

import { useLingui } from '@lingui/react/macro';
import { UserRound } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useRights } from '../api/caller.ts';
import { Button } from '../components/button.tsx';
import { lazyComponent } from '../page/lazy-components.ts';

const AccountMenu = lazyComponent(() => import('./account-menu.tsx'), 'AccountMenu');

/** The name of the person who is signed in. The menu behind it is loaded when someone is about to open it. */
export function AccountButton() {
  const { t } = useLingui();
  const { caller } = useRights();
  const [isWanted, setWanted] = useState(false);
  const label = t`Account of ${caller.name}`;
  const trigger = (
    <>
      <UserRound aria-hidden />
      <span className="hidden max-w-40 truncate lg:inline">{caller.name}</span>
    </>
  );
  const preload = () => void AccountMenu.preload?.();
  const button = (
    <Button
      look="quiet"
      aria-label={label}
      title={label}
      aria-haspopup="menu"
      aria-expanded={isWanted}
      onPointerEnter={preload}
      onFocus={preload}
      onClick={() => setWanted(true)}
    >
      {trigger}
    </Button>
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <AccountMenu label={label} trigger={trigger} />
    </Suspense>
  );
}
