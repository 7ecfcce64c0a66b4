import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { ConfigError, readConfig } from './config.ts';

const provider = {
  ROSTER_PUBLIC_URL: 'https://roster.example',
  ROSTER_OIDC_ISSUER: 'https://id.example',
  ROSTER_OIDC_CLIENT_ID: 'roster',
};

const page = new URL('../../../../docs/operations/configure.md', import.meta.url);

it('reads the settings that the page Configure shows', () => {
  const [, block = ''] = /```ini\n(ROSTER_PUBLIC_URL[\s\S]*?)```/.exec(readFileSync(page, 'utf8')) ?? [];
  const shown = Object.fromEntries(
    block
      .trim()
      .split('\n')
      .map((line) => line.split('=', 2)),
  );
  const { ROSTER_OIDC_CLIENT_SECRET_FILE: file, ...others } = shown;
  expect(file).toMatch(/^\//);
  expect(readConfig({ ...others, ROSTER_OIDC_CLIENT_SECRET: 'a secret' })).toMatchObject({
    publicUrl: 'https://roster.example',
    identityProvider: { issuer: 'https://id.example/realms/atlantico', clientSecret: 'a secret' },
  });
});

it('needs none of them', () => {
  expect(readConfig({})).toMatchObject({ publicUrl: undefined, identityProvider: undefined });
});

it('gives no role above manager by claims unless a setting says so', () => {
  const role = { ROSTER_OIDC_ROLE_CLAIM: 'roles' };
  expect(readConfig({ ...provider, ...role }).identityProvider?.claims?.roleMax).toBe('manager');
  expect(
    readConfig({ ...provider, ...role, ROSTER_OIDC_ROLE_MAX: 'admin' }).identityProvider?.claims?.roleMax,
  ).toBe('admin');
});

it.each([
  ['a public URL without encryption', { ROSTER_PUBLIC_URL: 'http://roster.example' }],
  ['a public URL with a path', { ROSTER_PUBLIC_URL: 'https://roster.example/directory' }],
  ['an issuer without encryption', { ...provider, ROSTER_OIDC_ISSUER: 'http://id.example' }],
  ['an issuer without a client', { ...provider, ROSTER_OIDC_CLIENT_ID: '' }],
  ['an issuer without a public URL', { ...provider, ROSTER_PUBLIC_URL: '' }],
  ['a client without an issuer', { ...provider, ROSTER_OIDC_ISSUER: '' }],
  ['offices without roles', { ...provider, ROSTER_OIDC_OFFICES_CLAIM: 'offices' }],
  ['scopes without openid', { ...provider, ROSTER_OIDC_SCOPES: 'email' }],
  ['a role that there is not', { ...provider, ROSTER_OIDC_ROLE_MAX: 'owner' }],
])('rejects %s', (_, settings) => {
  expect(() => readConfig(settings)).toThrow(ConfigError);
});

it.each(['http://127.0.0.1:3000', 'http://localhost:3000/', 'http://[::1]:3000'])(
  'takes %s, which is this computer itself, as the public URL',
  (url) => {
    expect(readConfig({ ROSTER_PUBLIC_URL: url }).publicUrl).toBe(new URL(url).origin);
  },
);
