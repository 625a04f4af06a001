/** The canned replies that an agent stores for their own use (table `canned_replies`). */

import type { Database } from '@fulcrum/contract/database';
import { cannedReplyLimits } from '@fulcrum/domain';
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

export type ReplyText = Pick<OwnReply, 'shortcut' | 'content'>;

export const addReply = (supabase: Supabase, id: string, reply: ReplyText) =>
  unwrapOrNull(supabase.rest.from('canned_replies').insert({ id, ...reply }));
export const changeReply = (supabase: Supabase, id: string, reply: ReplyText) =>
  unwrapOrNull(supabase.rest.from('canned_replies').update(reply).eq('id', id));
export const deleteReply = (supabase: Supabase, id: string) =>
  unwrapOrNull(supabase.rest.from('canned_replies').delete().eq('id', id));

const shortcutForm = /^[a-z0-9][a-z0-9-]{0,23}$/;

/** The faults of a reply before it is saved, by field. */
export function validateReply(
  { shortcut, content }: ReplyText,
  usedShortcuts: ReadonlySet<string>,
): { readonly shortcut?: string; readonly content?: string } {
  const form = shortcutForm.test(shortcut)
    ? undefined
    : 'Use 1-24 lowercase letters, digits or hyphens. It can’t start with a hyphen.';
  const fault =
    form ?? (usedShortcuts.has(shortcut) ? 'Another reply of yours has this shortcut.' : undefined);
  const isBlank = content.trim() === '';
  return { ...(fault && { shortcut: fault }), ...(isBlank && { content: 'Please write the reply.' }) };
}
