import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

declare global {
  interface Window {
    /** The library, once `loadAxe` has evaluated it in the page. */
    axe?: typeof import('axe-core');
  }
}

/** The rules, of those that axe has on by default, whose result depends on colours. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

let script: Promise<string> | undefined;

/**
 * Expects that axe finds nothing wrong with the page as it is now: by all rules in its theme, and by the rules of colours in the other
 * theme. The page has to follow the theme of the system, as it does by default.
 *
 * @param part a selector, if only a part of the page counts
 */
export async function expectAccessible(page: Page, part?: string): Promise<void> {
  // A page without its heading has not been loaded yet.
  if (part === undefined) await page.locator('h1').first().waitFor({ state: 'attached' });
  const { isDark, hasAxe } = await page.evaluate(() => ({
    isDark: matchMedia('(prefers-color-scheme: dark)').matches,
    hasAxe: 'axe' in window,
  }));
  const [own, other] = isDark ? (['dark', 'light'] as const) : (['light', 'dark'] as const);
  if (!hasAxe) await loadAxe(page);
  expect(await findViolations(page, part), `axe, ${own}`).toEqual([]);
  await page.emulateMedia({ colorScheme: other });
  await awaitColours(page);
  expect(await findViolations(page, part, { runOnly: COLOUR_RULES }), `axe, ${other}`).toEqual([]);
  await page.emulateMedia({ colorScheme: own });
}

/** Waits until colours have changed: it begins with the next frame, and some change gradually. What moves for ever is not waited for. */
function awaitColours(page: Page): Promise<void> {
  return page.evaluate(async () => {
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    const changes = document.getAnimations().filter((one) => one instanceof CSSTransition);
    await Promise.allSettled(changes.map(({ finished }) => finished));
  });
}

/** Evaluates axe in a page. The debugger does it, so the policy of the page needs no exception. */
async function loadAxe(page: Page): Promise<void> {
  script ??= readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  await page.evaluate(await script);
}

async function findViolations(
  page: Page,
  part: string | undefined,
  options: RunOptions = {},
): Promise<string[]> {
  return page.evaluate(
    async ([context, given]) => {
      if (window.axe === undefined) throw new Error('The page was loaded anew while it was examined.');
      // Of rules that are kept, axe describes every element unless it is told to describe only those that violate one: most of its work.
      const { violations } = await window.axe.run(context, { ...given, resultTypes: ['violations'] });
      return violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ target, failureSummary, html }) => {
          const why = failureSummary?.split('\n').slice(1).join(';').trim();
          return `${id} (${help}) at ${target.join(' ')}: ${why}\n  ${html.slice(0, 300)}`;
        }),
      );
    },
    [part === undefined ? 'html' : part, options] as const,
  );
}
