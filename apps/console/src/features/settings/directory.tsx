import { Trans, useLingui } from '@lingui/react/macro';
import type { SettingsPatch } from '@roster/client';
import { phoneCountries } from '@roster/contract/countries';
import { countryName } from '@roster/import';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { settingsQuery } from '../../api/settings.ts';
import { messageOf } from '../../ui/error-message.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
import { TextField } from '../../ui/forms/field.tsx';
import { notify } from '../../ui/notices.tsx';
import { CountryControl } from '../record/edit/place-controls.tsx';
import { Section } from './section.tsx';

function WhyFixed({ isFixed }: { isFixed: boolean }) {
  return isFixed ? (
    <Trans>
      Set by the server in ROSTER_DEFAULT_COUNTRY. To change it here, ask your operator to remove that
      setting.
    </Trans>
  ) : (
    <Trans>Only an administrator of the whole directory can change it.</Trans>
  );
}

function useSettingsChange() {
  const { t } = useLingui();
  const client = useQueryClient();
  return useMutation({
    mutationFn: (patch: SettingsPatch) => roster.settings.update.mutate(patch),
    onSuccess: (saved) => {
      client.setQueryData(settingsQuery.queryKey, saved);
      notify({ text: t`Saved`, durationMs: 3_000 });
    },
  });
}

/** The name of the directory, which is saved when the field is left or Enter is pressed. An empty one sets the default name. */
function NameField({ name }: { name: string }) {
  const { t } = useLingui();
  const change = useSettingsChange();
  const [typed, setTyped] = useState<string>();
  const save = () => {
    const text = typed?.trim();
    if (text === undefined || text === name) return setTyped(undefined);
    change.mutate({ name: text === '' ? null : text }, { onSuccess: () => setTyped(undefined) });
  };
  return (
    <TextField
      className="max-w-xs"
      label={t`Name of the directory`}
      hint={t`Shown in the corner of every page.`}
      maxLength={100}
      value={typed ?? name}
      error={change.isError ? messageOf(change.error) : undefined}
      onChange={({ target }) => setTyped(target.value)}
      onBlur={save}
      onKeyDown={({ key }) => {
        if (key === 'Enter') save();
      }}
    />
  );
}

export function Directory() {
  const { t, i18n } = useLingui();
  const { canEverywhere } = useRights();
  const { data, error } = useQuery(settingsQuery);
  const change = useSettingsChange();
  const label = t`Phone numbers without a country code are from`;
  const intro = <Trans>For everyone who uses this directory.</Trans>;
  const hint = t`Used if neither the address nor the office has a country. Stored phone numbers don't change.`;
  if (data === undefined)
    return error === null ? null : (
      <Section title={t`Directory`} intro={intro}>
        <ErrorBox error={error} />
      </Section>
    );
  const { name, defaultCountry, isDefaultCountryFixed } = data;
  const isAdmin = canEverywhere('people:manage');
  const asked = change.isPending ? change.variables.defaultCountry : undefined;
  const country = asked === undefined ? defaultCountry : asked;
  return (
    <Section title={t`Directory`} intro={intro}>
      {isAdmin && <NameField name={name} />}
      {isDefaultCountryFixed || !isAdmin ? (
        <div className="text-sm">
          <p className="font-medium">{label}</p>
          <p>{country === null ? t`No country` : countryName(country, i18n.locale)}</p>
          <p className="text-muted text-xs">
            <WhyFixed isFixed={isDefaultCountryFixed} />
          </p>
        </div>
      ) : (
        <CountryControl
          className="max-w-xs"
          label={label}
          hint={hint}
          codes={phoneCountries}
          value={country ?? ''}
          error={change.isError ? messageOf(change.error) : undefined}
          onChange={(code) => change.mutate({ defaultCountry: code === '' ? null : code })}
        />
      )}
    </Section>
  );
}
