import { Plural, Trans, useLingui } from '@lingui/react/macro';
import { useState } from 'react';
import { PREFERENCES_KEY } from '../../ui/browser/preferences.ts';
import { RECENT_KEY } from '../../ui/browser/storage.ts';
import { Button } from '../../ui/button.tsx';
import { Section } from './section.tsx';

/** Every key of this page in the storage of the browser begins with it. */
const PREFIX = 'roster.';

interface Stored {
  kind: string;
  keys: string[];
  /** In characters. */
  size: number;
}

function storedIn(storage: Pick<Storage, 'length' | 'key' | 'getItem'>): Stored[] {
  const all = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '');
  const groups = Object.groupBy(
    all.filter((key) => key.startsWith(PREFIX)).toSorted(),
    (key) => key.slice(PREFIX.length).split(/[.:]/, 1)[0] ?? '',
  );
  return Object.entries(groups).map(([kind, keys = []]) => ({
    kind,
    keys,
    size: keys.reduce((sum, key) => sum + (storage.getItem(key)?.length ?? 0), 0),
  }));
}

export function StoredData() {
  const { t, i18n } = useLingui();
  const [stored, setStored] = useState(() => storedIn(localStorage));
  const labels: Record<string, string> = {
    [PREFERENCES_KEY.slice(PREFIX.length)]: t`These settings`,
    [RECENT_KEY.slice(PREFIX.length)]: t`Recently opened records`,
    columns: t`List columns`,
    mappings: t`Columns of imported files`,
  };
  const remove = (keys: readonly string[]) => {
    for (const key of keys) localStorage.removeItem(key);
    setStored(storedIn(localStorage));
  };
  return (
    <Section
      title={t`In this browser`}
      intro={<Trans>Stored on this device only, without records of the directory.</Trans>}
    >
      {stored.length === 0 && (
        <p className="text-muted text-sm">
          <Trans>Nothing is stored.</Trans>
        </p>
      )}
      <ul>
        {stored.map(({ kind, keys, size }) => (
          <li key={kind} className="flex min-h-11 items-center gap-4 border-line border-b py-1 text-sm">
            <span className="min-w-0 grow">
              {labels[kind] ?? kind}
              <span className="block text-muted text-xs">
                <Plural value={keys.length} one="# entry" other="# entries" />
                {' · '}
                {i18n.number(size / 1_000, { maximumFractionDigits: 1 })} kB
              </span>
            </span>
            <Button
              look="destructive"
              aria-label={t`Delete: ${labels[kind] ?? kind}`}
              onClick={() => remove(keys)}
            >
              <Trans>Delete</Trans>
            </Button>
          </li>
        ))}
      </ul>
    </Section>
  );
}
