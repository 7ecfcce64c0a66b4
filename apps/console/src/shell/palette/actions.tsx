import { useLingui } from '@lingui/react/macro';
import { useNavigate } from '@tanstack/react-router';
import { useRights } from '../../api/caller.ts';
import { resourceNames } from '../../api/contract/contracts.ts';
import { signOut } from '../../api/session-end.ts';
import {
  Copy,
  type Icon,
  Keyboard,
  KeyRound,
  LogOut,
  Moon,
  Settings,
  Sun,
  SunMoon,
  Webhook,
} from '../../icons.tsx';
import { Languages, UserPlus } from '../../more-icons.tsx';
import { resources } from '../../resources/index.ts';
import { activateLocale, languageOf, locales } from '../../ui/browser/locale.ts';
import { openShortcuts } from '../../ui/browser/overlays.ts';
import { setPreferences, usePreferences } from '../../ui/browser/preferences.ts';
import { useCopyLink } from '../../ui/copy-link.ts';
import { allowedNavigation } from '../navigation.tsx';

export interface PaletteItem {
  id: string;
  label: string;
  detail?: string | undefined;
  icon: Icon;
  keys?: string;
  run: () => void;
}

export function useViews(): PaletteItem[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  return allowedNavigation(useRights())
    .flatMap(({ items }) => items)
    .map(({ to, label, icon, keys }) => ({
      id: to,
      label: t(label),
      icon,
      keys,
      run: () => void navigate({ to }),
    }));
}

function useCreateActions(): PaletteItem[] {
  const { t } = useLingui();
  const navigate = useNavigate();
  const { can, canManage } = useRights();
  const all = [
    ...resourceNames.map((name) => {
      const { labels, createIcon } = resources[name];
      return {
        to: `/${name}/new` as const,
        label: t(labels.create),
        icon: createIcon,
        isAllowed: can(`${name}:write`),
      };
    }),
    { to: '/keys', label: t`Create a key`, icon: KeyRound, isAllowed: can('keys:manage') },
    { to: '/webhooks', label: t`Create a webhook`, icon: Webhook, isAllowed: canManage('webhooks:manage') },
    { to: '/people', label: t`Invite people`, icon: UserPlus, isAllowed: can('people:manage') },
  ] as const;
  return all
    .filter(({ isAllowed }) => isAllowed)
    .map(({ to, label, icon }) => ({
      id: `create-${to}`,
      label,
      icon,
      run: () => void navigate({ to, search: to.endsWith('/new') ? {} : { create: 'true' } }),
    }));
}

export function useActions(): PaletteItem[] {
  const { t, i18n } = useLingui();
  const navigate = useNavigate();
  const { theme } = usePreferences();
  const creates = useCreateActions();
  const themes = [
    { id: 'system', label: t`Use the system theme`, icon: SunMoon },
    { id: 'light', label: t`Use the light theme`, icon: Sun },
    { id: 'dark', label: t`Use the dark theme`, icon: Moon },
  ] as const;
  const copyLink = useCopyLink();
  return [
    ...creates,
    { id: 'settings', label: t`Settings`, icon: Settings, run: () => void navigate({ to: '/settings' }) },
    { id: 'shortcuts', label: t`Keyboard shortcuts`, icon: Keyboard, keys: '?', run: openShortcuts },
    { id: 'copy-link', label: t`Copy the link to this view`, icon: Copy, run: () => void copyLink() },
    ...themes
      .filter(({ id }) => id !== theme)
      .map((one) => ({ ...one, run: () => setPreferences({ theme: one.id }) })),
    ...Object.entries(locales)
      .filter(([tag]) => tag !== languageOf(i18n.locale))
      .map(([tag, { name }]) => ({
        id: `language-${tag}`,
        label: t`Language: ${name}`,
        icon: Languages,
        run: () => {
          setPreferences({ locale: tag });
          void activateLocale(tag);
        },
      })),
    { id: 'sign-out', label: t`Sign out`, icon: LogOut, run: () => void signOut() },
  ];
}
