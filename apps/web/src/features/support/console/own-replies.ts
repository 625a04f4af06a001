/** The canned replies that an agent stores for their own use (table `canned_replies`), and those of the team. */

import type { TeamReply } from '@fulcrum/contract';
import type { Database } from '@fulcrum/contract/database';
import { cannedReplyLimits, isReplyShortcut } from '@fulcrum/domain';
import { useQuery } from '@tanstack/react-query';
import { useSignedIn } from '../../../shared/session/index.ts';
import {
  type CamelCased,
  fromWire,
  type Supabase,
  unwrap,
  unwrapOrNull,
} from '../../../shared/supabase/index.ts';

export type OwnReply = CamelCased<Database['public']['Tables']['canned_replies']['Row']>;

export const ownRepliesKey = (userId: string) => ['canned-replies', userId] as const;

export function useOwnReplies() {
  const { supabase, user } = useSignedIn();
  return useQuery<readonly OwnReply[]>({
    queryKey: ownRepliesKey(user.id),
    queryFn: async ({ signal }) => {
      const request = supabase.rest.from('canned_replies').select('*').eq('user_id', user.id);
      const inOrder = request.order('shortcut').limit(cannedReplyLimits.count).abortSignal(signal);
      return (await unwrap(inOrder)).map(fromWire);
    },
  });
}

export const teamRepliesKey = ['team-replies'] as const;

/** The replies of the whole team, by shortcut. */
export function useTeamReplies() {
  const { supabase } = useSignedIn();
  return useQuery<readonly TeamReply[]>({
    queryKey: teamRepliesKey,
    queryFn: async ({ signal }) =>
      (await unwrap(supabase.rest.rpc('get_team_replies', {}).abortSignal(signal))).replies,
  });
}

export type ReplyText = Pick<OwnReply, 'shortcut' | 'content'>;

/** Whose replies are edited. */
export type ReplyScope = 'own' | 'team';

interface ReplyStore {
  /** `former` is the reply as it was shown, null for a new one. The team's is refused where another change came first. */
  readonly save: (id: string, reply: ReplyText, former: ReplyText | null) => Promise<unknown>;
  readonly remove: (id: string) => Promise<unknown>;
}

/** The requests of one scope. */
export function replyStore({ rest }: Pick<Supabase, 'rest'>, scope: ReplyScope): ReplyStore {
  if (scope === 'team') {
    return {
      save: (id, { shortcut, content }, former) => {
        const p_former = former && { shortcut: former.shortcut, content: former.content };
        const saved = { p_id: id, p_shortcut: shortcut, p_content: content, p_former };
        return unwrap(rest.rpc('save_team_reply', saved));
      },
      remove: (id) => unwrap(rest.rpc('delete_team_reply', { p_id: id })),
    };
  }
  return {
    save: (id, reply, former) =>
      unwrapOrNull(
        former === null
          ? rest.from('canned_replies').insert({ id, ...reply })
          : rest.from('canned_replies').update(reply).eq('id', id),
      ),
    remove: (id) => unwrapOrNull(rest.from('canned_replies').delete().eq('id', id)),
  };
}

/** The faults of a reply before it is saved, by field. */
export function validateReply(
  { shortcut, content }: ReplyText,
  usedShortcuts: ReadonlySet<string>,
): { readonly shortcut?: string; readonly content?: string } {
  const form = isReplyShortcut(shortcut)
    ? undefined
    : 'Use 1-24 lowercase letters, digits or hyphens. It can’t start with a hyphen.';
  const fault = form ?? (usedShortcuts.has(shortcut) ? 'Another reply has this shortcut.' : undefined);
  const isBlank = content.trim() === '';
  return { ...(fault && { shortcut: fault }), ...(isBlank && { content: 'Please write the reply.' }) };
}
