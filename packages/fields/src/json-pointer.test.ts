import { describe, expect, it } from 'vitest';
import { pathOfPointer, pointerTo } from './json-pointer.ts';

describe('a pointer of the service', () => {
  it.each([
    ['#/phone', 'phone'],
    ['#/licenses/0/number', 'licenses/0/number'],
    ['#/metadata/cost%20centre', 'metadata/cost centre'],
    ['#/metadata/a~1b~0c', 'metadata/a/b~c'],
    ['#/', ''],
    ['#/metadata/100%', 'metadata/100%'],
  ])('%s is the path %s', (pointer, path) => {
    expect(pathOfPointer(pointer).join('/')).toBe(path);
  });

  it.each([
    [[], '#'],
    [['licenses', '0', 'number'], '#/licenses/0/number'],
    [['metadata', 'a/b~c %'], '#/metadata/a~1b~0c%20%25'],
    [['metadata', '\ud800'], '#/metadata/%EF%BF%BD'],
  ])('is made of the path %j', (path, pointer) => {
    expect(pointerTo(path)).toBe(pointer);
  });
});
