import { expect, it } from 'vitest';
import { readablePhone } from './phones.ts';

it.each([
  ['+351910000001', 'PT', '910 000 001'],
  ['+351910000001', 'BR', '+351 910 000 001'],
  ['+351910000001', null, '+351 910 000 001'],
  ['+13055550123', 'US', '(305) 555-0123'],
  ['+14165550123', 'US', '(416) 555-0123'],
  ['+442079460018', 'US', '+44 20 7946 0018'],
])('%s is read at home in %s as %s', (number, home, shown) => {
  expect(readablePhone(number, home)).toBe(shown);
});

it.each(['', '5550123', 'abc', '+1 305 555 0123', '+999', '305-555-0123 x12'])(
  'what is no number in E.164 is shown as it is: "%s"',
  (text) => {
    expect(readablePhone(text, 'US')).toBe(text);
  },
);
