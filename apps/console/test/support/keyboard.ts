import type { Locator, Page } from 'playwright-core';

/** Stops in a page that a person may have to pass on the way to another. */
const STOPS_MAX = 80;

/** What has the focus, as `button "Save"`, and whether that is the target or inside it. */
function readFocus(target: Locator): Promise<{ isThere: boolean; text: string }> {
  return target.evaluateAll((elements) => {
    const element = document.activeElement;
    if (element === null || element === document.body) return { isThere: false, text: 'nothing' };
    const role = element.getAttribute('role') ?? element.tagName.toLowerCase();
    const labels = element instanceof HTMLInputElement ? element.labels : null;
    const name = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent ?? '';
    return {
      isThere: elements.some((one) => one.contains(element)),
      text: `${role} "${name.trim().slice(0, 60)}"`,
    };
  });
}

/** What has the focus, for messages: `button "Save"`. */
export async function focused(page: Page): Promise<string> {
  return (await readFocus(page.locator('body'))).text;
}

/** Presses keys one after the other: `press(page, 'Control+K', 'ArrowDown', 'Enter')`. */
export async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/**
 * Presses Tab (or `Shift+Tab`) until an element has the focus, as someone without a mouse does. Throws with the way it went if the
 * element is never reached.
 */
export async function tabTo(page: Page, target: Locator, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  await target.first().waitFor({ state: 'attached' });
  const way: string[] = [];
  let focus = await readFocus(target.first());
  while (!focus.isThere) {
    if (way.length === STOPS_MAX) throw new Error(`${target} is not reached by ${key}: ${way.join(' → ')}`);
    await page.keyboard.press(key);
    focus = await readFocus(target.first());
    way.push(focus.text);
  }
}

/** Goes to a control by Tab and presses a key on it, by default the one that activates it. */
export async function activate(page: Page, target: Locator, key = 'Enter'): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

/** Opens a menu by its button and chooses an item with the arrow keys, as soon as the menu has the focus. */
export async function choose(page: Page, button: Locator, name: string | RegExp): Promise<void> {
  await activate(page, button);
  const item = page.getByRole('menuitem', { name });
  await item.waitFor();
  while (!(await readFocus(item)).isThere) await press(page, 'ArrowDown');
  await press(page, 'Enter');
}

/** Goes to a field by Tab and replaces its text. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field);
  await page.keyboard.press('ControlOrMeta+A');
  if (text === '') await page.keyboard.press('Delete');
  else await page.keyboard.type(text);
}

/** Opens a list of choices and takes the one with a label. */
export async function chooseOption(field: Locator, label: string | RegExp): Promise<void> {
  await field.click();
  await field.page().getByRole('option', { name: label, exact: true }).click();
}
