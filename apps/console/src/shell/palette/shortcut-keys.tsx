import { Trans } from '@lingui/react/macro';
import { Fragment } from 'react';
import { modifierName } from '../../ui/browser/keys.ts';

function keyName(key: string): string {
  const names: Record<string, string> = {
    Mod: modifierName,
    ArrowUp: '↑',
    ArrowDown: '↓',
    ArrowLeft: '←',
    ArrowRight: '→',
    Escape: 'Esc',
    ' ': 'Space',
  };
  return names[key] ?? (key.length === 1 ? key.toUpperCase() : key);
}

/** Letters are shown as on the keys; a capital one therefore with Shift. */
function partsOf(combination: string): string[] {
  const parts = combination.split('+').filter(Boolean);
  return parts.flatMap((key) => (/^\p{Lu}$/u.test(key) ? ['Shift', key] : [key])).map(keyName);
}

export function ShortcutKeys({ keys }: { keys: string }) {
  return (
    <span className="flex shrink-0 items-center gap-1 text-muted text-xs">
      {keys.split(' ').map((combination, index) => (
        <Fragment key={`${combination}${index}`}>
          {index > 0 && (
            <span>
              <Trans>then</Trans>
            </span>
          )}
          {partsOf(combination).map((key) => (
            <kbd
              key={key}
              className="min-w-5 rounded-xs border border-line bg-surface px-1.5 text-center font-sans"
            >
              {key}
            </kbd>
          ))}
        </Fragment>
      ))}
    </span>
  );
}
