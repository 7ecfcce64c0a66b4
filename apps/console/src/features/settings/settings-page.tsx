import { Trans, useLingui } from '@lingui/react/macro';
import { useMutation, useQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { passkeyPlace } from '../../api/passkeys.ts';
import { signInMethodsQuery } from '../../api/sign-in.ts';
import { lazyComponent } from '../../ui/browser/lazy-components.ts';
import { activateLocale, languageOf, locales } from '../../ui/browser/locale.ts';
import { openShortcuts } from '../../ui/browser/overlays.ts';
import { setPreferences, usePreferences } from '../../ui/browser/preferences.ts';
import { Button } from '../../ui/button.tsx';
import { notifyError } from '../../ui/error-text.tsx';
import { Choice } from '../../ui/forms/choice.tsx';
import { CheckboxField } from '../../ui/forms/field.tsx';
import { SelectField } from '../../ui/forms/select.tsx';
import { Page } from '../../ui/page.tsx';
import { Account } from './account.tsx';
import { Directory } from './directory.tsx';
import { Section } from './section.tsx';
import { StoredData } from './stored-data.tsx';

const PasskeyList = lazyComponent(() => import('../people/sessions/passkey-list.tsx'), 'PasskeyList');

function PasskeysElsewhere({ origin }: { origin: string }) {
  const { caller, can } = useRights();
  const move = useMutation({
    mutationFn: () => roster.invitations.create.mutate({ personId: caller.id }),
    onSuccess: ({ link }) => window.location.assign(link),
    onError: notifyError,
  });
  return (
    <>
      <p className="text-sm">
        <Trans>
          Passkeys need a host name. Open{' '}
          <a className="text-accent underline" href={`${origin}/console/settings`}>
            {origin}
          </a>
          .
        </Trans>
      </p>
      {can('people:manage') && (
        <div>
          <Button disabled={move.isPending} onClick={() => move.mutate()}>
            <Trans>Set up a passkey there</Trans>
          </Button>
        </div>
      )}
    </>
  );
}

function OwnPasskeys() {
  const { t } = useLingui();
  const { caller } = useRights();
  const { data: methods } = useQuery(signInMethodsQuery);
  const place = methods && passkeyPlace(methods);
  if (caller.type !== 'person' || place === undefined) return null;
  const intro = <Trans>Use passkeys to sign in. Set up two so you can still sign in if you lose one.</Trans>;
  return (
    <Section title={t`Passkeys`} intro={intro}>
      {place === 'here' ? (
        <Suspense>
          <PasskeyList personId={caller.id} />
        </Suspense>
      ) : (
        <PasskeysElsewhere origin={place.origin} />
      )}
    </Section>
  );
}

function Appearance() {
  const { t, i18n } = useLingui();
  const { theme, timeZone } = usePreferences();
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <Section title={t`Appearance`} intro={t`For this browser.`}>
      <Choice
        label={t`Theme`}
        value={theme}
        options={[
          { value: 'system', label: t`System` },
          { value: 'light', label: t`Light` },
          { value: 'dark', label: t`Dark` },
        ]}
        onChange={(value) => setPreferences({ theme: value })}
      />
      <SelectField
        label={t`Language`}
        className="max-w-xs"
        value={languageOf(i18n.locale) ?? 'en'}
        onChange={(chosen) => {
          setPreferences({ locale: chosen });
          void activateLocale(chosen);
        }}
        options={Object.entries(locales).map(([tag, { name }]) => [tag, name])}
      />
      <Choice
        label={t`Times`}
        value={timeZone}
        options={[
          { value: 'local', label: t`This device (${zone})` },
          { value: 'UTC', label: t`UTC, as in the log` },
        ]}
        onChange={(value) => setPreferences({ timeZone: value })}
      />
    </Section>
  );
}

function Keyboard() {
  const { t } = useLingui();
  const { hasShortcuts } = usePreferences();
  return (
    <Section
      title={t`Keyboard`}
      intro={<Trans>Single-key shortcuts can interfere with speech input. You can turn them off.</Trans>}
    >
      <CheckboxField
        label={t`Single-key shortcuts`}
        checked={hasShortcuts}
        onChange={({ target }) => setPreferences({ hasShortcuts: target.checked })}
      />
      <div>
        <Button onClick={openShortcuts}>
          <Trans>Show all shortcuts</Trans>
        </Button>
      </div>
    </Section>
  );
}

export function SettingsPage() {
  const { t } = useLingui();
  return (
    <Page title={t`Settings`} width="text">
      <Appearance />
      <Keyboard />
      <Directory />
      <Account />
      <OwnPasskeys />
      <StoredData />
    </Page>
  );
}
