import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const themes = ['light', 'dark'] as const;

/**
 * Expects that axe finds nothing wrong with the page as it is now, in the light and in the dark theme. The page has to follow the
 * theme of the system, as it does by default.
 *
 * @param part a selector, if only a part of the page counts
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  const before = await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  for (const colorScheme of themes) {
    await page.emulateMedia({ colorScheme });
    // Colours change with the next frame.
    await page.evaluate(
      () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
    );
    expect(await violationsOf(page, part), `axe, ${colorScheme}`).toEqual([]);
  }
  await page.emulateMedia({ colorScheme: before ? 'dark' : 'light' });
}

async function violationsOf(page: Page, part: string | undefined): Promise<string[]> {
  // Without the legacy mode axe would open another page, for frames, of which there are none.
  const builder = new AxeBuilder({ page }).setLegacyMode(true);
  const { violations } = await (part === undefined ? builder : builder.include(part)).analyze();
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, failureSummary, html }) => {
      const why = failureSummary?.split('\n').slice(1).join(';').trim();
      return `${id} (${help}) at ${target.join(' ')}: ${why}\n  ${html.slice(0, 300)}`;
    }),
  );
}
