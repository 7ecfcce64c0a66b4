import { expect, it } from 'vitest';
import { clientName } from './client-name.ts';

it.each([
  ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · Windows'],
  [
    'Mozilla/5.0 (Linux; Android 15) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    'Chrome · Android',
  ],
  [
    'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
    'Edge · Windows',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15',
    'Safari · macOS',
  ],
  ['curl/8.14.1', 'curl'],
])('the browser and the system of %s are named', (userAgent, name) => {
  expect(clientName(userAgent)).toBe(name);
});

it('a client that is not known is shown as it names itself', () => {
  expect(clientName('roster-cli/0.1.0')).toBe('roster-cli/0.1.0');
});
