import { describe, expect, it } from 'vitest';
import { emailLink, phoneLink, shownWebsite, webLink } from './safe-links.ts';

describe('a link of a record', () => {
  it('calls a telephone number with its extension', () => {
    expect(phoneLink('+351 (210) 000-042', '12')).toBe('tel:+351210000042;ext=12');
    expect(phoneLink('+351 210 000 042')).toBe('tel:+351210000042');
    expect(phoneLink('210', 'none')).toBe('tel:210');
  });

  it('does not call what is no number', () => {
    expect(phoneLink('ask at the desk')).toBeUndefined();
  });

  it('writes to an e-mail address, which adds no header', () => {
    expect(emailLink('ana@atlantico.example')).toBe('mailto:ana@atlantico.example');
    expect(emailLink('ana@a.example?bcc=all@b.example')).toBe('mailto:ana@a.example%3Fbcc%3Dall@b.example');
  });

  it.each(['javascript:alert(1)', 'data:text/html,x', 'not an address', 'file:///etc/passwd'])(
    'never opens %s',
    (website) => {
      expect(webLink(website)).toBeUndefined();
    },
  );

  it('opens a website', () => {
    expect(webLink('https://atlantico.example/lisboa')).toBe('https://atlantico.example/lisboa');
    expect(shownWebsite('https://www.atlantico.example/')).toBe('atlantico.example');
  });
});
