/**
 * What can be typed before a name: `funds kira`, `view as kira`, `restrict kira`. Choosing such a result opens the dialog on the
 * user's page; the search itself never changes anything. Pure.
 */
import type { UserRole } from '@fulcrum/contract';
import { actionsFor, type DialogAction, restrictLabel } from '../user-dialogs/index.ts';
import type { FoundUser } from './results.ts';

export type Verb = Exclude<DialogAction, 'add'>;

const aliases: Readonly<Record<Verb, readonly string[]>> = {
  funds: ['funds', 'fund', 'deposit'],
  impersonate: ['view as', 'impersonate'],
  restrict: ['restrict', 'unrestrict', 'lift restriction'],
  edit: ['edit'],
  assign: ['assign'],
  delete: ['delete'],
};
const verbs = Object.keys(aliases) as readonly Verb[];

/** The verb at the beginning of `text`, and what follows it; null without one for the role. */
export function parseVerb(
  role: UserRole,
  text: string,
): { readonly verb: Verb; readonly rest: string } | null {
  if (role !== 'admin' && role !== 'manager') return null;
  const typed = text.trimStart().toLowerCase().replaceAll(/\s+/g, ' ');
  for (const verb of verbs) {
    const alias = aliases[verb].find((one) => typed === one || typed.startsWith(`${one} `));
    if (alias !== undefined) return { verb, rest: typed.slice(alias.length).trim() };
  }
  return null;
}

/** Whether the role may use the verb on that user. */
export const isOffered = (role: UserRole, verb: Verb, user: FoundUser): boolean =>
  actionsFor(user, role === 'manager' ? 'manager' : 'users').includes(verb);

export function verbLabel(verb: Verb, user: FoundUser): string {
  const labels: Readonly<Record<Verb, string>> = {
    funds: 'Manage funds…',
    impersonate: 'Impersonate…',
    restrict: restrictLabel(user),
    edit: 'Edit…',
    assign: 'Assign manager…',
    delete: 'Delete…',
  };
  return labels[verb];
}
