import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { Keyboard, LogOut, Moon, Settings, Sun, SunMoon } from 'lucide-react';
import type { ReactNode } from 'react';
import { signOut } from '../api/session-end.ts';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { openShortcuts } from '../page/overlays.ts';
import { setPreferences, usePreferences } from '../page/preferences.ts';

/** The theme, the settings, the shortcuts, and signing out. */
export function AccountMenu({ label, trigger }: { label: string; trigger: ReactNode }) {
  const { t } = useLingui();
  const { theme } = usePreferences();
  const navigate = useNavigate();
  const themes = [
    { id: 'system', label: t`Theme of the system`, icon: <SunMoon aria-hidden /> },
    { id: 'light', label: t`Light`, icon: <Sun aria-hidden /> },
    { id: 'dark', label: t`Dark`, icon: <Moon aria-hidden /> },
  ] as const;
  const items: MenuItem[] = [
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
  ];
  return <Menu look="quiet" label={label} trigger={trigger} items={items} isInitiallyOpen />;
}
