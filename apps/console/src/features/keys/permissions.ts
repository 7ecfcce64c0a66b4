import type { I18n } from '@lingui/core';
import { msg, plural } from '@lingui/core/macro';
import type { Scope } from '@roster/client';
import { roleNames, roleOf } from '../people/roles.tsx';

/** The role that has these scopes, or their number. */
export function permissionsText(i18n: I18n, scopes: readonly Scope[]): string {
  const role = roleOf(scopes);
  if (role !== undefined) return i18n._(roleNames[role]);
  const count = scopes.length;
  return i18n._(msg`Custom: ${plural(count, { one: '# permission', other: '# permissions' })}`);
}
