/**
 * Search in the messages of all conversations, open and closed (index `chat_messages_words`). Each typed word has to be in
 * a message; the last one may be the beginning of a word. Pages go back in time and are keyed by their last message.
 *
 * Known limitation: a word that stands in very many messages is found by reading all of them, within the statement timeout.
 */
import { type ArgsOf, chatSearchPage, type ResultOf, type SignedIn } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';

type Result = ResultOf<'search_chats'>;
type Found = Result['messages'][number];

/** Words of letters and digits, quoted for `to_tsquery`; null without any. */
function toLabelQuery(text: string): string | null {
  const labels = text.normalize('NFC').match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  return labels.length === 0
    ? null
    : labels.map((label, at) => `'${label}'${at === labels.length - 1 ? ':*' : ''}`).join(' & ');
}

const messagesStatement = `
  select m.id, m.session_id, m.seq::int as seq, s.status, t.username, m.sender_role, a.username as sender_name, m.content,
         to_json(m.created_at) as created_at
  from app.chat_messages m
  join app.chat_sessions s on s.id = m.session_id
  join app.users t on t.id = m.user_id
  left join app.users a on a.id = m.sender_id
  where to_tsvector('simple', m.content) @@ to_tsquery('simple', $1)
    and ($2::uuid is null
      or (m.created_at, m.id) < (select b.created_at, b.id from app.chat_messages b where b.id = $2))
  order by m.created_at desc, m.id desc limit ${chatSearchPage + 1}`;

const sessionsStatement = `
  select s.id, u.username, to_json(s.created_at) as created_at, to_json(s.closed_at) as closed_at, s.last_seq::int as messages
  from app.users u join app.chat_sessions s on s.user_id = u.id
  where u.role = 'trader' and strpos(lower(u.username), lower($1)) > 0 and s.status = 'closed' and s.last_seq > 0
  order by s.created_at desc, s.id desc limit ${chatSearchPage}`;

export const createChatSearch =
  ({ db }: { readonly db: Database }) =>
  async (_caller: SignedIn, { p_text, p_before }: ArgsOf<'search_chats'>): Promise<Result> => {
    const text = p_text.trim();
    const query = toLabelQuery(text);
    const isFirstPage = p_before == null;
    const [{ rows: messages }, { rows: sessions }] = await Promise.all([
      query === null
        ? { rows: [] }
        : db.query<Found>(messagesStatement, [query, p_before ?? null], 'chat_search'),
      isFirstPage && text !== ''
        ? db.query<Result['sessions'][number]>(sessionsStatement, [text], 'chat_search_names')
        : { rows: [] },
    ]);
    return {
      messages: messages.slice(0, chatSearchPage),
      has_more: messages.length > chatSearchPage,
      sessions,
    };
  };
