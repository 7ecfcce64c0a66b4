import { choiceOf } from '../cell-values.ts';

/** Words that files have for choices, beside their own names. */
const words: Readonly<Record<string, string>> = {
  a: 'active',
  yes: 'active',
  sim: 'active',
  ativo: 'active',
  ativa: 'active',
  current: 'active',
  i: 'inactive',
  no: 'inactive',
  não: 'inactive',
  inativo: 'inactive',
  inativa: 'inactive',
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

/** The choice that the text of a cell probably stands for; undefined if no word for one is known. */
export function guessChoice(text: string, choices: readonly string[]): string | undefined {
  const name = choiceOf(text);
  const found = choices.includes(name) ? name : words[name];
  return found !== undefined && choices.includes(found) ? found : undefined;
}
