// It is rendered seldom: what the compiler adds would be bytes of the first load for nothing.
'use no memo';

import { useLingui } from '@lingui/react/macro';
import { Menu, Search } from 'lucide-react';
import { Suspense } from 'react';
import { modifierName } from '../browser/keys.ts';
import { lazyComponent } from '../browser/lazy-components.ts';
import { openPalette } from '../browser/overlays.ts';
import { Button, IconButton } from '../button.tsx';
import { AccountButton } from './account-button.tsx';
import { Brand } from './sidebar.tsx';

const ConnectionState = lazyComponent(() => import('./connection-state.tsx'), 'ConnectionState');

export function Header({
  follows,
  isOpen,
  onOpen,
}: {
  follows: boolean;
  isOpen: boolean;
  onOpen: () => void;
}) {
  const { t } = useLingui();
  const label = t`Search or go to …`;
  return (
    <header className="flex h-14 min-w-0 items-center gap-2 px-3 print:hidden">
      <IconButton label={t`Navigation`} aria-expanded={isOpen} className="md:hidden" onClick={onOpen}>
        <Menu aria-hidden />
      </IconButton>
      <div className="md:hidden">
        <Brand isCollapsed />
      </div>
      <Button
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        className="min-w-0 shrink grow justify-start border-line font-normal text-muted sm:max-w-sm"
        onClick={openPalette}
      >
        <Search aria-hidden />
        <span className="min-w-0 grow truncate text-start">{label}</span>
        <kbd aria-hidden className="hidden rounded border border-line px-1.5 font-sans text-xs sm:inline">
          {modifierName} K
        </kbd>
      </Button>
      <div className="hidden grow sm:block" />
      <Suspense fallback={null}>{follows && <ConnectionState />}</Suspense>
      <AccountButton />
    </header>
  );
}
