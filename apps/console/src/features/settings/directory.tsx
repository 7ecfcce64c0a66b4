import { Trans, useLingui } from '@lingui/react/macro';
import { phoneCountries } from '@roster/contract/countries';
import { countryName } from '@roster/import';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useRights } from '../../api/caller.ts';
import { roster } from '../../api/client.ts';
import { settingsQuery } from '../../api/settings.ts';
import { messageOf } from '../../ui/error-message.ts';
import { ErrorBox } from '../../ui/error-text.tsx';
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

export function Directory() {
  const { t, i18n } = useLingui();
  const { canEverywhere } = useRights();
  const client = useQueryClient();
  const { data, error } = useQuery(settingsQuery);
  const change = useMutation({
    mutationFn: (defaultCountry: string | null) => roster.settings.update.mutate({ defaultCountry }),
    onSuccess: (saved) => {
      client.setQueryData(settingsQuery.queryKey, saved);
      notify({ text: t`Saved`, durationMs: 3_000 });
    },
  });
  const label = t`Phone numbers without a country code are from`;
  const intro = <Trans>For everyone who uses this directory.</Trans>;
  const hint = t`Used if neither the address nor the office has a country. Stored phone numbers don't change.`;
  if (data === undefined)
    return error === null ? null : (
      <Section title={t`Directory`} intro={intro}>
        <ErrorBox error={error} />
      </Section>
    );
  const { defaultCountry, isDefaultCountryFixed } = data;
  const country = change.isPending ? change.variables : defaultCountry;
  return (
    <Section title={t`Directory`} intro={intro}>
      {isDefaultCountryFixed || !canEverywhere('people:manage') ? (
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
          onChange={(code) => change.mutate(code === '' ? null : code)}
        />
      )}
    </Section>
  );
}
