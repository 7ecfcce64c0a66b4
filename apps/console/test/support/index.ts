/**
 * How to test the console. The page is the real build, the server a real one with a database of its own, the browser the Chromium of
 * this machine (without one these tests are skipped).
 *
 *     describe.skipIf(!hasBrowser)('the list', () => {
 *       const scene = useConsole({ seed: (server) => seedOffices(server, 100) });
 *
 *       it('shows what it found, without a mouse', async () => {
 *         await using opened = await scene.open('/offices', { as: 'viewer', isKeyboardOnly: true });
 *         const { page } = opened;
 *         await typeInto(page, page.getByRole('searchbox'), 'Office 000042');
 *         await page.getByRole('link', { name: 'Office 000042' }).waitFor();
 *         await expectAccessible(page);
 *       });
 *     });
 *
 * `await using` closes the pages and fails the test for what its pages must not do: throw, log an error or a warning, violate their
 * policy, ask another host.
 * What a test provokes it expects: `opened.faults.expect(/status of 503/)`. Wait for what a person sees (`waitFor`, `expect.poll`),
 * never for a time, and give no number of seconds (`patience.ts` has them). One scene for all tests of a file: they run one after the other, so name records so that none meets another's.
 */
export { expectAccessible } from './accessibility.ts';
export { addDevice, findSharedBrowser, hasBrowser, openBrowser } from './browser.ts';
export { activate, choose, chooseOption, focused, press, tabTo, typeInto } from './keyboard.ts';
export { copyRelease } from './releases.ts';
export {
  type OpenedConsole,
  type OpenOptions,
  openConsole,
  type Scene,
  signIn,
  startConsoleServer,
  useConsole,
} from './scene.ts';
export { seedAgents, seedOffices, settleChanges, spreadOverMonths } from './seeds.ts';
export { startService } from './service.ts';
export { unfoldOperations } from './sidebar.ts';
export { expectNarrow, smallTargets } from './width.ts';
