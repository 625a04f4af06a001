/** The entries of the quick search, each with its link for the role; entries without a page for the role are left out. Pure. */
import type { UserRole } from '@fulcrum/contract';
import { formatDay } from '../../../shared/time/dates.ts';
import { findPages, type StaffPage } from './pages.ts';
import type { FoundChat, FoundMessage, FoundPosition, FoundUser, QuickSearchResults } from './results.ts';
import { isOffered, parseVerb, type Verb } from './verbs.ts';

interface ListedEntry {
  /** Also the id of the entry's element. */
  readonly id: string;
  readonly to: string;
}
export type Entry = ListedEntry &
  (
    | { readonly kind: 'user'; readonly user: FoundUser; readonly verb: Verb | null }
    | { readonly kind: 'chat'; readonly chat: FoundChat; readonly opened: string }
    | { readonly kind: 'message'; readonly message: FoundMessage; readonly opened: string }
    | { readonly kind: 'position'; readonly position: FoundPosition; readonly opened: string }
    | { readonly kind: 'page'; readonly page: StaffPage }
  );

export interface Group {
  readonly title: string;
  readonly entries: readonly Entry[];
}

/** Null when the role has no page for that user. */
function getUserPath(role: UserRole, { id, chat_session_id: chat }: FoundUser): string | null {
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

function getPositionPath(role: UserRole, { id, user_id: userId }: FoundPosition): string | null {
  if (role === 'admin') return `/admin/users/${userId}?section=positions&position=${id}`;
  return role === 'manager' ? `/manager?user=${userId}&position=${id}` : null;
}

const userEntries = (role: UserRole, user: FoundUser, verb: Verb | null): readonly Entry[] => {
  const to = getUserPath(role, user);
  if (to === null || (verb !== null && !isOffered(role, verb, user))) return [];
  const opens = verb === null ? '' : `${to.includes('?') ? '&' : '?'}do=${verb}`;
  return [{ kind: 'user', id: `user-${user.id}`, to: `${to}${opens}`, user, verb }];
};

const chatEntry = (role: UserRole, chat: FoundChat): Entry => ({
  kind: 'chat',
  id: `chat-${chat.id}`,
  to:
    role === 'admin'
      ? `/admin/users/${chat.user_id}?section=chats&chat=${chat.id}`
      : `/support?session=${chat.id}`,
  chat,
  opened: formatDay(chat.created_at),
});

const messageEntry = (message: FoundMessage): Entry => ({
  kind: 'message',
  id: `message-${message.id}`,
  to: `/admin?tab=contact&form=${message.id}`,
  message,
  opened: formatDay(message.created_at),
});

const positionEntries = (role: UserRole, position: FoundPosition): readonly Entry[] => {
  const to = getPositionPath(role, position);
  if (to === null) return [];
  const opened = `${position.status === 'open' ? 'opened' : 'closed'} ${formatDay(position.at)}`;
  return [{ kind: 'position', id: `position-${position.id}`, to, position, opened }];
};

const pageEntry = (page: StaffPage): Entry => ({
  kind: 'page',
  id: `place-${page.to.replace(/\W+/g, '-')}`,
  to: page.to,
  page,
});

/** What the server is asked for: the text without the verb before it. */
export const toSearchText = (role: UserRole, text: string): string =>
  parseVerb(role, text)?.rest ?? text.trim();

/**
 * Groups the results. `found` is the answer to what `toSearchText` makes of `text`, or the recent users when that is empty. Empty
 * groups are left out.
 */
export function groupEntries(
  role: UserRole,
  text: string,
  found: QuickSearchResults | undefined,
): readonly Group[] {
  const verb = parseVerb(role, text)?.verb ?? null;
  const isSearch = toSearchText(role, text) !== '';
  const groups: readonly Group[] = [
    {
      title: isSearch ? 'Users' : 'Recent',
      entries: found?.users.flatMap((user) => userEntries(role, user, verb)) ?? [],
    },
    {
      title: 'Positions',
      entries: found?.positions.flatMap((position) => positionEntries(role, position)) ?? [],
    },
    { title: 'Chats', entries: found?.chats.map((chat) => chatEntry(role, chat)) ?? [] },
    { title: 'Contact messages', entries: found?.messages.map(messageEntry) ?? [] },
    { title: 'Go to', entries: findPages(role, text).map(pageEntry) },
  ];
  return groups.filter(({ entries }) => entries.length > 0);
}

/** The announcement for screen readers: `2 users, 1 page`. */
export function resultLabel(groups: readonly Group[]): string {
  const entries = groups.flatMap((group) => group.entries);
  const parts = (['user', 'position', 'chat', 'message', 'page'] as const).flatMap((kind) => {
    const count = entries.filter((entry) => entry.kind === kind).length;
    return count === 0 ? [] : [`${count} ${kind}${count === 1 ? '' : 's'}`];
  });
  return parts.length === 0 ? 'Nothing found' : parts.join(', ');
}
