/** What the quick search lists, each with where it leads for whom; what somebody has no page for is left out. Pure. */
import type { UserRole } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { formatDay } from '../../../shared/time/dates.ts';
import { type Place, placesOf } from './places.ts';

export type QuickFound = Database['public']['Functions']['quick_search']['Returns'];
export type FoundUser = QuickFound['users'][number];
export type FoundPosition = QuickFound['positions'][number];

interface Listed {
  /** Of its element too. */
  readonly id: string;
  readonly to: string;
}
export type Entry = Listed &
  (
    | { readonly kind: 'user'; readonly user: FoundUser }
    | { readonly kind: 'position'; readonly position: FoundPosition; readonly opened: string }
    | { readonly kind: 'place'; readonly place: Place }
  );

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Null: they have no page for that person. */
function pathOf(role: UserRole, { id, chat_session_id: chat }: FoundUser): string | null {
  switch (role) {
    case 'admin':
      return `/admin/users/${id}`;
    case 'manager':
      return `/manager?user=${id}`;
    case 'support':
      return chat === null ? null : `/support?session=${chat}`;
    case 'trader':
      return null;
  }
}

function pathOfPosition(role: UserRole, { id, user_id: userId }: FoundPosition): string | null {
  if (role === 'admin') return `/admin/users/${userId}?section=positions&position=${id}`;
  return role === 'manager' ? `/manager?user=${userId}&position=${id}` : null;
}

const userEntry = (role: UserRole, user: FoundUser): readonly Entry[] => {
  const to = pathOf(role, user);
  return to === null ? [] : [{ kind: 'user', id: `user-${user.id}`, to, user }];
};

const positionEntry = (role: UserRole, position: FoundPosition): readonly Entry[] => {
  const to = pathOfPosition(role, position);
  if (to === null) return [];
  const opened = `${position.status === 'open' ? 'opened' : 'closed'} ${formatDay(position.at)}`;
  return [{ kind: 'position', id: `position-${position.id}`, to, position, opened }];
};

const placeEntry = (place: Place): Entry => ({
  kind: 'place',
  id: `place-${place.to.replace(/\W+/g, '-')}`,
  to: place.to,
  place,
});

/** `found` is the answer to `text`, or to whom one looked at before where nothing is typed. Groups without entries are left out. */
export function groupsOf(role: UserRole, text: string, found: QuickFound | undefined): readonly Group[] {
  const isAsked = text.trim() !== '';
  const groups: readonly Group[] = [
    {
      title: isAsked ? 'Users' : 'Recent',
      entries: found?.users.flatMap((user) => userEntry(role, user)) ?? [],
    },
    {
      title: 'Positions',
      entries: found?.positions.flatMap((position) => positionEntry(role, position)) ?? [],
    },
    { title: 'Go to', entries: placesOf(role, text).map(placeEntry) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** `2 users, 1 page`: what was found, for those who hear it. */
export function foundWords(groups: readonly Group[]): string {
  const words = { user: ['user', 'users'], position: ['position', 'positions'], place: ['page', 'pages'] };
  const entries = groups.flatMap((group) => group.entries);
  const parts = (['user', 'position', 'place'] as const).flatMap((kind) => {
    const count = entries.filter((entry) => entry.kind === kind).length;
    return count === 0 ? [] : [`${count} ${words[kind][count === 1 ? 0 : 1]}`];
  });
  return parts.length === 0 ? 'Nothing found' : parts.join(', ');
}
