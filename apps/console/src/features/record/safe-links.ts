/** The address of a link to call a telephone number; undefined if there is nothing to dial. */
export function phoneLink(phone: string, extension?: string | null): string | undefined {
  const digits = phone.replaceAll(/[^\d+*#]/g, '');
  if (!/\d/.test(digits)) return undefined;
  const suffix =
    extension === undefined || extension === null ? '' : `;ext=${extension.replaceAll(/\D/g, '')}`;
  return `tel:${digits}${suffix === ';ext=' ? '' : suffix}`;
}

/** The address of a link to write to an e-mail address; nothing of it becomes a header of the message. */
export function emailLink(email: string): string {
  return `mailto:${encodeURIComponent(email).replaceAll('%40', '@')}`;
}

/** The address of a website, if its protocol is one of the web: a record may come from anywhere. */
export function webLink(website: string): string | undefined {
  if (!URL.canParse(website)) return undefined;
  const { protocol, href } = new URL(website);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

export function shownWebsite(website: string): string {
  return website.replace(/^https?:\/\/(www\.)?/i, '').replace(/\/$/, '');
}
