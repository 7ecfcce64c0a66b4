/** Where the pages of an origin are served: a public origin may lead to any server. */
export type Hosts = Record<string, string>;

interface Sent {
  method?: string;
  /** Sent as JSON, unless it is text. */
  body?: unknown;
  headers?: Record<string, string>;
}

/**
 * As much of a browser as a sign-in needs: cookies by host, redirects, and the headers that tell where a request comes from
 * (`Sec-Fetch-Site`, `Origin`).
 */
export class TestBrowser {
  readonly #hosts: Hosts;
  /** The values of cookies by host and name. */
  readonly cookies = new Map<string, Map<string, string>>();
  /** Every Set-Cookie that it has got. */
  readonly setCookies: string[] = [];

  constructor(hosts: Hosts = {}) {
    this.#hosts = hosts;
  }

  /** Goes to an address, as if it was typed in unless a page led there, and follows the redirects. */
  async navigate(url: string, site = 'none'): Promise<Response & { at: string }> {
    let at = url;
    let from = site;
    for (let count = 0; count < 20; count += 1) {
      const response = await this.#send(at, { headers: { Accept: 'text/html', 'Sec-Fetch-Site': from } });
      const location = response.headers.get('Location');
      if (response.status < 300 || response.status >= 400 || location === null)
        return Object.assign(response, { at });
      await response.arrayBuffer();
      const next = new URL(location, at).href;
      // A chain that has once left its origin counts as from another site.
      if (from !== 'none' || new URL(next).origin !== new URL(at).origin) from = 'cross-site';
      at = next;
    }
    throw new Error(`${url} redirects for ever`);
  }

  /** Goes to an address and stops at its first response. */
  visit(url: string, headers: Record<string, string> = {}): Promise<Response> {
    return this.#send(url, { headers: { Accept: 'text/html', 'Sec-Fetch-Site': 'none', ...headers } });
  }

  /** A request that a page of the same origin makes. */
  fetch(url: string, { method = 'GET', body, headers }: Sent = {}): Promise<Response> {
    const origin = method === 'GET' ? {} : { Origin: new URL(url).origin };
    const type = method === 'POST' || body !== undefined ? { 'Content-Type': 'application/json' } : {};
    return this.#send(url, {
      method,
      body,
      headers: { 'Sec-Fetch-Site': 'same-origin', ...origin, ...type, ...headers },
    });
  }

  /** Sends a form. */
  submit(url: string, fields: Record<string, string>): Promise<Response> {
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    return this.#send(url, { method: 'POST', body: new URLSearchParams(fields).toString(), headers });
  }

  /** A cookie of the host of an address. */
  cookie(url: string, name: string): string | undefined {
    return this.cookies.get(new URL(url).host)?.get(name);
  }

  async #send(url: string, { method = 'GET', body, headers = {} }: Sent): Promise<Response> {
    const { origin, host } = new URL(url);
    const cookies = this.cookies.get(host) ?? new Map<string, string>();
    this.cookies.set(host, cookies);
    const sent = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const response = await fetch(url.replace(origin, this.#hosts[origin] ?? origin), {
      method,
      redirect: 'manual',
      headers: { ...headers, ...(sent !== '' && { Cookie: sent }) },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    for (const line of response.headers.getSetCookie()) {
      this.setCookies.push(line);
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) cookies.delete(name);
      else cookies.set(name, value);
    }
    return response;
  }
}
