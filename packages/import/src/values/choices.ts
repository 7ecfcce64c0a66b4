import { trimmedText } from '@roster/fields/text';
import { findCountry } from './countries.ts';

/** Words that files have for choices, beside their own names. */
const words: Readonly<Record<string, string>> = {
  a: 'active',
  yes: 'active',
  sim: 'active',
  ativo: 'active',
  ativa: 'active',
  activo: 'active',
  activa: 'active',
  current: 'active',
  current_active: 'active',
  current_and_active: 'active',
  i: 'inactive',
  no: 'inactive',
  não: 'inactive',
  inativo: 'inactive',
  inativa: 'inactive',
  inactivo: 'inactive',
  inactiva: 'inactive',
  terminated: 'inactive',
  current_inactive: 'inactive',
  main_office: 'main',
  headquarters: 'main',
  sede: 'main',
  branch_office: 'branch',
  sucursal: 'branch',
  filial: 'branch',
  standalone: 'stand_alone',
  independent: 'stand_alone',
  independente: 'stand_alone',
  team_lead: 'lead',
  team_leader: 'lead',
  leader: 'lead',
  líder: 'lead',
  team_member: 'member',
  membro: 'member',
  administration_assistant: 'assistant',
  administrative_assistant: 'assistant',
  assistente: 'assistant',
  transaction_coordinator: 'coordinator',
  coordenador: 'coordinator',
  coordenadora: 'coordinator',
};

/** Normalises a text as the name of a choice: `Stand Alone` is `stand_alone`. */
function wordOf(text: string): string {
  return trimmedText(text)
    .toLowerCase()
    .replaceAll(/[\s,-]+/g, '_');
}

/** The choice that the text of a cell probably stands for; undefined if no word for one is known. A country has its names too. */
export function guessChoice(text: string, choices: readonly string[], isCountry = false): string | undefined {
  if (isCountry) return findCountry(text, choices);
  const name = wordOf(text);
  const found = choices.includes(name) ? name : words[name];
  return found !== undefined && choices.includes(found) ? found : undefined;
}

/** Reads the text of a cell as a choice; what is no word for one is its name, which the service accepts or rejects. */
export function readChoice(text: string, choices: readonly string[] = [], isCountry = false): string {
  return guessChoice(text, choices, isCountry) ?? (isCountry ? text : wordOf(text));
}
