import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { chooseOption } from '../support/index.ts';

/**
 * The tasks of an office manager, each with the most steps that it may take: a click, a key, or a text that is typed. `like` is the
 * product that sets the measure, with its steps; signing in and opening the page where one begins are none.
 */
export const tasks = {
  find: { most: 3, like: 'Google Contacts: the search box, a name, the result' },
  telephone: { most: 3, like: 'HubSpot, at a contact: the value, the new one, Enter' },
  transfer: { most: 8, like: 'BambooHR: a menu and its item, office (2), day (3), save' },
  deactivateOffice: { most: 4, like: 'Google Workspace, an organisational unit: menu, item, tick, confirm' },
  undo: { most: 2, like: 'Gmail, of one message: Undo; of several records, what it would do is confirmed' },
  importFile: {
    most: 9,
    like: 'HubSpot: the file (2), a column it does not know (3), a value (2), the check, import',
  },
  export: { most: 3, like: 'Airtable: menu, Export, Download' },
  revert: { most: 3, like: 'Google Docs: version history, Restore this version, Restore' },
  bulk: { most: 10, like: 'HubSpot: all, Edit, property (2), value (2), Update, the number (2), confirm' },
  invite: {
    most: 15,
    like: 'Slack Connect, with a name and two channels: Invite, name (2), address (2), access (2), channels (5), send; accept, passkey',
  },
  licences: { most: 4, like: 'Linear: F, words, the filter, the span' },
  moveFive: { most: 13, like: 'Attio: five ticks, the action, the record (2), the day (2), check, run' },
  exportPorto: {
    most: 13,
    like: 'Airtable: two filters of the field and its value (10), menu, Export, Download',
  },
  keyboard: { most: 7, like: 'Superhuman: Ctrl+K, a name, Enter; edit, select, type, Enter' },
} as const satisfies Record<string, { most: number; like: string }>;

/** What a person does in a page, counted. */
export class Steps {
  readonly taken: string[] = [];
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Clicks a control: one step. */
  async click(target: Locator): Promise<void> {
    this.taken.push(`click ${target}`);
    await target.click();
  }

  /** Presses one key, or keys together: one step. */
  async press(key: string): Promise<void> {
    this.taken.push(`press ${key}`);
    await this.#page.keyboard.press(key);
  }

  /** Types a text where the focus is, in place of what is selected: one step. */
  async type(text: string): Promise<void> {
    this.taken.push(`type ${text}`);
    await this.#page.keyboard.type(text);
  }

  /** Goes to a field by a click, unless it has the focus already, and replaces its text: two steps, or one. */
  async enter(field: Locator, text: string): Promise<void> {
    await field.waitFor();
    if (!(await field.evaluate((element) => element === document.activeElement))) await this.click(field);
    this.taken.push(`type ${text}`);
    await field.fill(text);
  }

  /** Opens a list of choices and takes one: two steps. */
  async choose(field: Locator, label: string): Promise<void> {
    this.taken.push(`open ${field}`, `choose ${label}`);
    await chooseOption(field, label);
  }

  /** Expects that a task has taken no more steps than it may. */
  expectAtMost(task: keyof typeof tasks): void {
    const { most, like } = tasks[task];
    expect(
      this.taken.length,
      `${this.taken.join('\n')}\n\nAt most ${most}, like ${like}`,
    ).toBeLessThanOrEqual(most);
  }
}
