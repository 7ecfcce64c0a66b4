import { trimmedText } from '@roster/fields/text';
import { findCountry } from './countries.ts';

/** Words that files have for choices, beside their own names: in English, Portuguese and Spanish, without accents. */
const wordsFor: Readonly<Record<string, string>> = {
  active:
    'a y yes s si sim true t 1 x on ok ativo ativa activo activa verdadeiro verdadero current current_active current_and_active enabled licensed in_good_standing em_vigor vigente',
  inactive:
    'i n no nao false f 0 off inativo inativa inactivo inactiva falso terminated current_inactive disabled expired suspended retired resigned closed cancelled former left deactivated suspenso suspendido cancelado encerrado baja de_baja caducado',
  main: 'main_office head_office headquarters hq sede casa_mae casa_matriz oficina_principal escritorio_principal principal',
  branch: 'branch_office sucursal filial agencia delegacion delegacao',
  stand_alone: 'standalone independent independente independiente unica',
  lead: 'team_lead team_leader leader lider chefe_de_equipa jefe_de_equipo',
  member: 'team_member membro miembro',
  assistant: 'administration_assistant administrative_assistant assistente asistente',
  coordinator: 'transaction_coordinator coordenador coordenadora coordinador coordinadora',
};

const words = new Map(
  Object.entries(wordsFor).flatMap(([choice, texts]) =>
    texts.split(' ').map((text): [string, string] => [text, choice]),
  ),
);

/** Normalises a text as the name of a choice: `Stand Alone` is `stand_alone`. */
function wordOf(text: string): string {
  return trimmedText(text)
    .toLowerCase()
    .replaceAll(/[\s,-]+/g, '_');
}

const unaccented = (text: string) => text.normalize('NFD').replaceAll(/[\p{M}.]/gu, '');

/** The choice that the text of a cell stands for; undefined if no word for one is known. A country has its names too. */
export function guessChoice(text: string, choices: readonly string[], isCountry = false): string | undefined {
  if (isCountry) return findCountry(text, choices);
  const name = wordOf(text);
  const found = choices.includes(name) ? name : words.get(unaccented(name));
  return found !== undefined && choices.includes(found) ? found : undefined;
}

/** Reads the text of a cell as a choice; what is no word for one is its name, which the service accepts or rejects. */
export function readChoice(text: string, choices: readonly string[] = [], isCountry = false): string {
  return guessChoice(text, choices, isCountry) ?? (isCountry ? text : wordOf(text));
}
