import { queryOptions, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { settingsQuery } from '../../api/settings.ts';
import { loadPart } from '../../ui/browser/lazy-chunks.ts';

export type ReadPhone = (number: string) => string;

/** The forms of phone numbers of all countries, loaded when the first number is shown. */
const formsQuery = queryOptions({
  queryKey: ['phone-forms'],
  queryFn: async () => {
    const { readablePhone } = await loadPart(() => import('@roster/contract/phones'));
    return { readablePhone };
  },
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
});

const asStored: ReadPhone = (number) => number;

/**
 * Makes the function that shows phone numbers: those of the default country as they are dialled there, others in the international form.
 * Until the forms are loaded, and if they cannot be, a number is shown as it is stored.
 *
 * @param isNeeded whether there is a number to show
 */
export function useReadPhone(isNeeded = true): ReadPhone {
  const { data: forms } = useQuery({ ...formsQuery, enabled: isNeeded });
  const { data: settings } = useQuery({ ...settingsQuery, enabled: isNeeded });
  const readablePhone = forms?.readablePhone;
  const home = settings?.defaultCountry;
  return useMemo(() => {
    if (readablePhone === undefined || home === undefined) return asStored;
    const known = new Map<string, string>();
    return (number) => {
      const shown = known.get(number) ?? readablePhone(number, home);
      known.set(number, shown);
      return shown;
    };
  }, [readablePhone, home]);
}
