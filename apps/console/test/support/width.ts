import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

/** The narrowest window that the page is for. */
const NARROWEST_PX = 320;
/** The least width and height of what a finger hits. */
const TARGET_PX = 44;

/** What reaches beyond an edge of the window, but for what is in a box of its own that scrolls, such as a wide table or the cells of a row. */
function tooWide(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isScrolled = (element: Element) =>
      element.closest('pre, :has(> table), section[tabindex="0"]') !== null;
    // The end of a text that is cut with an ellipsis.
    const isCut = (element: Element) => element.parentElement?.closest('.truncate') != null;
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true });
    const isBeyond = (element: Element) => {
      const { left, right, width } = element.getBoundingClientRect();
      return width > 1 && (left < -1 || right > window.innerWidth + 1);
    };
    return [...document.querySelectorAll('main *, dialog *')]
      .filter((element) => isBeyond(element) && isShown(element) && !isScrolled(element) && !isCut(element))
      .map((element) => element.outerHTML.slice(0, 200));
  });
}

/** Expects that the page as it is now fits into a window of 320 px, in both directions of writing. */
export async function expectNarrow(page: Page): Promise<void> {
  const before = page.viewportSize();
  await page.setViewportSize({ width: NARROWEST_PX, height: 800 });
  for (const direction of ['ltr', 'rtl']) {
    await page.evaluate((dir) => document.documentElement.setAttribute('dir', dir), direction);
    // What depends on the width by script changes after the window.
    await expect.poll(() => tooWide(page), { message: `320 px, ${direction}` }).toEqual([]);
  }
  await page.evaluate(() => document.documentElement.setAttribute('dir', 'ltr'));
  if (before !== null) await page.setViewportSize(before);
}

/** The controls that are shown, but smaller than a finger hits on a telephone. */
export function smallTargets(controls: Locator): Promise<string[]> {
  return controls.evaluateAll(
    (elements, least) =>
      elements
        .filter((element) => {
          const { width, height } = element.getBoundingClientRect();
          return element.checkVisibility() && Math.min(width, height) < least;
        })
        .map((element) => element.outerHTML.slice(0, 200)),
    TARGET_PX,
  );
}
