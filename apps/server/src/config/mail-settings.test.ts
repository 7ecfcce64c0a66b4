import { expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const from = 'Roster <roster@example.com>';
const mailOf = (url: string, more: Record<string, string> = {}) =>
  readConfig({ ROSTER_SMTP_URL: url, ROSTER_SMTP_FROM: from, ...more }).mail;

it('no e-mail is sent unless a mail server is named', () => {
  expect(readConfig({}).mail).toBeUndefined();
});

it('the URL of a mail server has its host, port, user and encryption', () => {
  expect(mailOf('smtp://roster:p%40ss@mail.example')).toEqual({
    host: 'mail.example',
    port: 587,
    isSecure: false,
    isTlsRequired: true,
    from,
    user: { name: 'roster', password: 'p@ss' },
  });
  expect(mailOf('smtps://mail.example')).toMatchObject({ port: 465, isSecure: true, user: undefined });
  expect(mailOf('smtp://[::1]:2525')).toMatchObject({ host: '::1', port: 2525, isTlsRequired: false });
});

it('without encryption e-mail goes to this machine alone, unless the setting allows it', () => {
  expect(mailOf('smtp://127.0.0.1:25')?.isTlsRequired).toBe(false);
  expect(mailOf('smtp://relay.example:25')?.isTlsRequired).toBe(true);
  expect(mailOf('smtp://relay.example:25', { ROSTER_SMTP_ALLOW_PLAIN: 'true' })?.isTlsRequired).toBe(false);
});

it.each([
  [{ ROSTER_SMTP_URL: 'smtp://mail.example' }, 'ROSTER_SMTP_FROM: is required'],
  [{ ROSTER_SMTP_FROM: from }, 'ROSTER_SMTP_URL: is required'],
  [{ ROSTER_SMTP_URL: 'https://mail.example', ROSTER_SMTP_FROM: from }, 'ROSTER_SMTP_URL'],
  [{ ROSTER_SMTP_URL: 'smtp://mail.example/inbox', ROSTER_SMTP_FROM: from }, 'must have no path'],
  [{ ROSTER_SMTP_URL: 'smtp://mail.example?tls=no', ROSTER_SMTP_FROM: from }, 'must have no parameters'],
  [{ ROSTER_SMTP_URL: 'smtp://mail.example', ROSTER_SMTP_FROM: 'Roster\r\nBcc: x@y' }, 'ROSTER_SMTP_FROM'],
])('rejects %o', (settings, message) => {
  expect(() => readConfig(settings)).toThrow(ConfigError);
  expect(() => readConfig(settings)).toThrow(message);
});
