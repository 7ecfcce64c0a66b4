import { trimmedText } from '@roster/fields/text';

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
  i: 'inactive',
  no: 'inactive',
  não: 'inactive',
  inativo: 'inactive',
  inativa: 'inactive',
  inactivo: 'inactive',
  inactiva: 'inactive',
  terminated: 'inactive',
  main_office: 'main',
  headquarters: 'main',
  sede: 'main',
  branch_office: 'branch',
  sucursal: 'branch',
  filial: 'branch',
  standalone: 'stand_alone',
  independent: 'stand_alone',
  independente: 'stand_alone',
};

/** Normalises a text as the name of a choice: `Stand Alone` is `stand_alone`. */
function wordOf(text: string): string {
  return trimmedText(text)
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '_');
}

/** The choice that the text of a cell probably stands for; undefined if no word for one is known. */
export function guessChoice(text: string, choices: readonly string[]): string | undefined {
  const name = wordOf(text);
  const found = choices.includes(name) ? name : words[name];
  return found !== undefined && choices.includes(found) ? found : undefined;
}

/** Reads the text of a cell as a choice; what is no word for one is its name, which the service accepts or rejects. */
export function readChoice(text: string, choices: readonly string[] = []): string {
  return guessChoice(text, choices) ?? wordOf(text);
}
