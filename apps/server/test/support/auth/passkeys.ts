import type { InvitationWithLink, Person } from '@roster/api';
import { bodyOf, next } from '../fixtures.ts';
import type { TestServer } from '../index.ts';
import { TestAuthenticator } from './authenticator.ts';
import { TestBrowser } from './browser.ts';

/** The address of a server at which browsers have passkeys. */
export function namedUrl({ url }: Pick<TestServer, 'url'>): string {
  return url.replace('127.0.0.1', 'localhost');
}

/** Invites a person with roles. */
export async function invited(server: TestServer, grants: unknown = [{ role: 'viewer' }]): Promise<Person> {
  const body = { name: 'Rui Costa', email: `rui-${next()}@atlantico.example`, grants };
  return bodyOf<Person>(await server.request('POST', '/people', body));
}

/** Asks for a link for a person, at an address that browsers can open. */
export function askForLink(
  server: TestServer,
  body: { personId: string; days?: number; isMailed?: boolean },
  headers?: { Authorization: string },
): Promise<Response> {
  return server.request('POST', '/invitations', body, headers);
}

/** Makes a link for a person. */
export async function linkFor(server: TestServer, personId: string): Promise<InvitationWithLink> {
  return bodyOf<InvitationWithLink>(await askForLink(server, { personId }));
}

/** The secret of a link. */
export function tokenOf({ link }: Pick<InvitationWithLink, 'link'>): string {
  return new URL(link).hash.slice(1);
}

/** A person at a browser with a device for passkeys. */
export class PasskeyUser {
  readonly browser: TestBrowser;
  readonly device: TestAuthenticator;
  readonly origin: string;

  constructor(origin: string, hosts: Record<string, string> = {}, device = new TestAuthenticator(origin)) {
    this.origin = origin;
    this.browser = new TestBrowser(hosts);
    this.device = device;
  }

  /** Posts as a page of the service does. */
  post(path: string, body: unknown = {}, headers: Record<string, string> = {}): Promise<Response> {
    return this.browser.fetch(`${this.origin}${path}`, { method: 'POST', body, headers });
  }

  async #options<Options>(path: string, body: unknown): Promise<Options> {
    const response = await this.post(path, body);
    if (response.status !== 200) throw new Error(`${path}: ${response.status} ${await response.text()}`);
    return bodyOf<Options>(response);
  }

  /** Opens an invitation, sets up a passkey and accepts. */
  async accept(token: string, name = 'Chrome on Windows'): Promise<Response> {
    type Options = Parameters<TestAuthenticator['create']>[0];
    const options = await this.#options<Options>('/sign-in/invitation/begin', { token });
    const passkey = { name, response: this.device.create(options) };
    return this.post('/sign-in/invitation', { token, passkey });
  }

  /** What the service asks the device for. */
  begin() {
    return this.#options<{ challenge: string; rpId: string }>('/sign-in/passkey/begin', {});
  }

  /** Signs in with the newest passkey. */
  async signIn(): Promise<Response> {
    return this.post('/sign-in/passkey', { response: this.device.get(await this.begin()) });
  }

  /** Adds a passkey while signed in. */
  async add(name: string): Promise<Response> {
    type Options = Parameters<TestAuthenticator['create']>[0];
    const options = await this.#options<Options>('/sign-in/new-passkey/begin', {});
    return this.post('/sign-in/new-passkey', { name, response: this.device.create(options) });
  }

  /** The status of a read with the session of the browser. */
  async status(path: string): Promise<number> {
    const response = await this.browser.fetch(`${this.origin}${path}`);
    await response.arrayBuffer();
    return response.status;
  }
}
