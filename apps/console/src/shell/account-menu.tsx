import { useLingui } from '@lingui/react/macro';
import { LogOut, Moon, Sun, SunMoon, UserRound } from 'lucide-react';
import { useRights } from '../api/caller.ts';
import { activateLocale, locales } from '../app/locale.ts';
import { setPreferences, usePreferences } from '../app/preferences.ts';
import { Menu, type MenuItem } from '../components/menu.tsx';
import { signOut } from '../sign-in/sign-out.ts';

/** Who is signed in, the theme, the language, and signing out. */
export function AccountMenu() {
  const { t, i18n } = useLingui();
  const { caller } = useRights();
  const { theme } = usePreferences();
  const themes = [
    { id: 'system', label: t`Theme of the system`, icon: <SunMoon aria-hidden /> },
    { id: 'light', label: t`Light`, icon: <Sun aria-hidden /> },
    { id: 'dark', label: t`Dark`, icon: <Moon aria-hidden /> },
  ] as const;
  const items: MenuItem[] = [
    ...themes.map((one) => ({
      ...one,
      isChecked: theme === one.id,
      onSelect: () => setPreferences({ theme: one.id }),
    })),
    ...Object.entries(locales).map(([tag, { name }]) => ({
      id: tag,
      label: <span lang={tag}>{name}</span>,
      isChecked: i18n.locale === tag,
      onSelect: () => {
        setPreferences({ locale: tag });
        void activateLocale(tag);
      },
    })),
    { id: 'sign-out', label: t`Sign out`, icon: <LogOut aria-hidden />, onSelect: () => void signOut() },
  ];
  return (
    <Menu
      look="quiet"
      label={t`Account of ${caller.name}`}
      trigger={
        <>
          <UserRound aria-hidden />
          <span className="hidden max-w-40 truncate sm:inline">{caller.name}</span>
        </>
      }
      items={items}
    />
  );
}
