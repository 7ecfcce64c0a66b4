import { Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import type { Shortcut } from '../../ui/browser/keys.ts';
import { setPreferences, usePreferences } from '../../ui/browser/preferences.ts';
import { currentShortcuts } from '../../ui/browser/shortcuts.ts';
import { Dialog } from '../../ui/dialogs/dialog.tsx';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { ShortcutKeys } from './shortcut-keys.tsx';

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const { t } = useLingui();
  const { hasShortcuts } = usePreferences();
  const [shortcuts] = useState(currentShortcuts);
  const groups: { id: Shortcut['group']; label: string }[] = [
    { id: 'everywhere', label: t`Everywhere` },
    { id: 'go', label: t`Go to` },
    { id: 'list', label: t`In a list` },
    { id: 'record', label: t`In a record` },
  ];
  return (
    <Dialog title={t`Keyboard shortcuts`} onClose={onClose}>
      <div className="columns-1 gap-8 sm:columns-2">
        {groups
          .map((group) => ({ ...group, items: shortcuts.filter((one) => one.group === group.id) }))
          .filter(({ items }) => items.length > 0)
          .map(({ id, label, items }) => (
            <section key={id} className="break-inside-avoid pb-4">
              <h3 className="pb-1 font-medium text-muted text-xs">{label}</h3>
              <dl>
                {items.map(({ keys, label: does }) => (
                  <div
                    key={keys}
                    className="flex min-h-9 items-center justify-between gap-4 border-line border-b text-sm"
                  >
                    <dt>{t(does)}</dt>
                    <dd>
                      <ShortcutKeys keys={keys} />
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          ))}
      </div>
      <CheckboxField
        label={t`Single-key shortcuts`}
        checked={hasShortcuts}
        onChange={(event) => setPreferences({ hasShortcuts: event.target.checked })}
      />
      <p className="text-muted text-sm">
        <Trans>Off while you're typing or in a dialog.</Trans>
      </p>
    </Dialog>
  );
}
