import type { BrowserContext } from 'playwright-core';

/** What the pages of a browser do that they must not. */
export interface PageFaults {
  /** What was found and not expected, in the order it happened. */
  found(): string[];
  /** From now on, what matches is expected: `faults.expect(/503/)`. */
  expect(...patterns: RegExp[]): void;
}

declare global {
  interface Window {
    /** Made by Playwright's `exposeFunction`. */
    __rosterFault(text: string): void;
  }
}

/**
 * Collects what every page of a browser must not do: throw, log an error (which a failed request does too) or a warning (such as one
 * about a text without a translation), violate its policy, or send a request to anything but its own server. With `isKeyboardOnly`
 * also every use of a pointer.
 */
export async function watchContext(
  context: BrowserContext,
  { origin, isKeyboardOnly }: { origin: string; isKeyboardOnly: boolean },
): Promise<PageFaults> {
  const faults: string[] = [];
  const expected: RegExp[] = [];
  const note = (text: string) => {
    if (!expected.some((pattern) => pattern.test(text))) faults.push(text);
  };
  context.on('weberror', (webError) => {
    const error = webError.error();
    note(`threw ${error.stack ?? error}`);
  });
  context.on('console', (message) => {
    if (!['error', 'warning'].includes(message.type())) return;
    const { url } = message.location();
    note(`logged: ${message.text()}${url === '' ? '' : ` (${url})`}`);
  });
  context.on('request', (request) => {
    const url = new URL(request.url());
    if (/^(?:https?|wss?):$/.test(url.protocol) && url.origin !== origin) note(`asked ${url.href}`);
  });
  await context.exposeFunction('__rosterFault', note);
  await context.addInitScript((watchesPointer) => {
    document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sourceFile }) => {
      window.__rosterFault(`violated ${effectiveDirective}: ${blockedURI} in ${sourceFile}`);
    });
    if (!watchesPointer) return;
    for (const type of ['pointerdown', 'wheel', 'touchstart'])
      document.addEventListener(type, () => window.__rosterFault(`used a pointer: ${type}`), {
        capture: true,
        passive: true,
      });
  }, isKeyboardOnly);
  return { found: () => [...faults], expect: (...patterns) => void expected.push(...patterns) };
}
