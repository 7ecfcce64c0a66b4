import { isMonth, partsOfDay, toIsoDay } from '@roster/import';
import type { ResourceName } from '../contract/contracts.ts';
import { choicesOf } from './importables.ts';
import type { DateFormat, Mapping, SurveyedColumn } from './types.ts';

/**
 * How the dates of a column are probably written. A number above 12 says which is the day; if none does, the day is first, as nearly
 * everywhere.
 */
export function guessDateFormat(values: readonly string[]): DateFormat {
  const days = values.map(partsOfDay).filter((parts) => parts !== undefined);
  if (days.length === 0 || values.every((value) => /^\d{4}-\d{2}-\d{2}$/.test(value.trim()))) return 'iso';
  if (days.every(([first]) => first > 31)) return 'year-first';
  if (days.some(([, second]) => !isMonth(second))) return 'month-first';
  return 'day-first';
}

/** A value of a column of choices as the import reads it: `Stand Alone` is `stand_alone`. */
const choiceText = (text: string) =>
  text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');

/** Words that files have for the choices, beside their own names. */
const usual: Readonly<Record<string, string>> = {
  a: 'active',
  yes: 'active',
  ativo: 'active',
  ativa: 'active',
  current: 'active',
  i: 'inactive',
  no: 'inactive',
  inativo: 'inactive',
  inativa: 'inactive',
  terminated: 'inactive',
  main_office: 'main',
  headquarters: 'main',
  sede: 'main',
  branch_office: 'branch',
  sucursal: 'branch',
  standalone: 'stand_alone',
  independent: 'stand_alone',
};

/** The choice that a value of a file probably stands for; undefined if that is not known. */
function guessChoice(resource: ResourceName, field: string, value: string): string | undefined {
  const choices = choicesOf(resource, field) ?? [];
  const text = choiceText(value);
  const found = choices.includes(text) ? text : usual[text];
  return found !== undefined && choices.includes(found) ? found : undefined;
}

/** A mapping with what the values of its columns probably mean; what was said before stays. */
export function guessValues(
  resource: ResourceName,
  mapping: Mapping,
  survey: readonly SurveyedColumn[],
): Mapping {
  const values = { ...mapping.values };
  const dateFormats = { ...mapping.dateFormats };
  for (const { header, field, kind, values: found } of survey) {
    const texts = found.map(([value]) => value);
    if (kind === 'date') dateFormats[header] ??= guessDateFormat(texts);
    else {
      const guessed = texts.flatMap((text): [string, string][] => {
        const choice = guessChoice(resource, field, text);
        return choice === undefined ? [] : [[text, choice]];
      });
      values[header] = { ...Object.fromEntries(guessed), ...values[header] };
    }
  }
  return { ...mapping, values, dateFormats };
}

/** The columns whose values need someone to look at them: a choice that is not known, dates that are not as the service takes them. */
export function openColumns(
  resource: ResourceName,
  mapping: Mapping,
  survey: readonly SurveyedColumn[],
): SurveyedColumn[] {
  return survey.filter(({ header, field, kind, values }) =>
    kind === 'date'
      ? guessDateFormat(values.map(([value]) => value)) !== 'iso'
      : values.some(
          ([value]) =>
            guessChoice(resource, field, value) === undefined ||
            mapping.values[header]?.[value] !== choiceText(value),
        ),
  );
}

/** The text of a cell after its review: a choice by what it stands for, a day as the service takes it. */
export function reviewedCell(text: string, header: string, { values, dateFormats }: Mapping): string {
  const choice = values[header]?.[text.trim()];
  if (choice !== undefined) return choice;
  const format = dateFormats[header];
  return format === undefined ? text : toIsoDay(text, format);
}
