'use no memo';

import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useRights } from '../api/caller.ts';
import { signOut } from '../api/session-end.ts';
import { Keyboard, LogOut, Moon, Settings, Sun, SunMoon } from '../icons.tsx';
import { Avatar } from '../ui/avatar.tsx';
import { openShortcuts } from '../ui/browser/overlays.ts';
import { setPreferences, usePreferences } from '../ui/browser/preferences.ts';
import { Menu } from '../ui/popups/menu.tsx';

export function AccountButton() {
  const { t } = useLingui();
  const { caller } = useRights();
  const { theme } = usePreferences();
  const navigate = useNavigate();
  const themes = [
    { id: 'system', label: t`System theme`, icon: <SunMoon aria-hidden /> },
    { id: 'light', label: t`Light`, icon: <Sun aria-hidden /> },
    { id: 'dark', label: t`Dark`, icon: <Moon aria-hidden /> },
  ] as const;
  return (
    <Menu
      look="quiet"
      className="h-9! min-w-0 grow justify-start gap-2! px-2!"
      label={t`Account of ${caller.name}`}
      trigger={
        <>
          <Avatar name={caller.name} id={caller.id} size={20} />
          <span className="truncate">{caller.name}</span>
        </>
      }
      items={[
        {
          id: 'settings',
          label: t`Settings`,
          icon: <Settings aria-hidden />,
          onSelect: () => void navigate({ to: '/settings' }),
        },
        {
          id: 'shortcuts',
          label: t`Keyboard shortcuts`,
          icon: <Keyboard aria-hidden />,
          onSelect: openShortcuts,
        },
        ...themes.map((one) => ({
          ...one,
          isChecked: theme === one.id,
          onSelect: () => setPreferences({ theme: one.id }),
        })),
        { id: 'sign-out', label: t`Sign out`, icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
      ]}
    />
  );
}
