/** Conversations with support. */

import {
  chatLimits,
  chatStatuses,
  kycStatuses,
  presentSupportStatuses,
  supportStatuses,
} from '@fulcrum/domain';
import { z } from 'zod';
import { id, rowSchema } from '../columns.ts';
import { chatReaderRoles, chatSides } from '../roles.ts';
import { chatMessages, chatSessions, chatTriage } from '../tables/support.ts';
import { storableText } from './arguments.ts';
import { command, query } from './procedure.ts';
import { positionRow } from './trading.ts';

const instant = z.string();
const seconds = z.number();

/** Rows as the table API returns them. */
const chatSessionRow = rowSchema(chatSessions.columns);
export type ChatSessionRow = z.infer<typeof chatSessionRow>;

const chatMessageRow = rowSchema(chatMessages.columns);
export type ChatMessageRow = z.infer<typeof chatMessageRow>;

/**
 * Returns the latest open conversation with messages, else a single empty one; idempotent (CHAT-03 … CHAT-05, A65).
 */
export const openChatSession = command('open_chat_session', { roles: ['trader'], result: chatSessionRow });

export const chatPageMax = 200;
/**
 * The conversation and its messages after `p_after_seq` in one snapshot: oldest first, at most `chatPageMax`, and
 * whether there are more. With `p_before_seq` the last ones before that message, also oldest first.
 */
export const getChatUpdates = query('get_chat_updates', {
  roles: chatReaderRoles,
  whileImpersonating: 'allowed',
  args: z.strictObject({
    p_session_id: id,
    p_after_seq: z.coerce.number<number>().int().min(0),
    /** Messages before this one: an earlier page, with its newest; `p_after_seq` is 0 then. */
    p_before_seq: z.coerce.number<number>().int().min(1).nullish(),
  }),
  result: z.object({
    session: chatSessionRow,
    messages: z.array(chatMessageRow),
    has_more: z.boolean(),
  }),
});

const chatPicturesMax = 20;
/** Links to the pictures of messages, for the caller's own session and at most a minute. */
export const getChatPictures = query('get_chat_pictures', {
  roles: chatReaderRoles,
  args: z.strictObject({ p_session_id: id, p_message_ids: z.array(id).min(1).max(chatPicturesMax) }),
  result: z.object({
    pictures: z
      .array(z.object({ message_id: id, url: z.string(), content_type: z.string() }))
      .max(chatPicturesMax),
  }),
});

/**
 * Marks the messages up to `p_seq` as seen by the caller's side; the mark never goes back (CHAT-10, CHAT-11, A64).
 */
export const markChatRead = command('mark_chat_read', {
  roles: chatSides,
  args: z.strictObject({ p_session_id: id, p_seq: z.number().int().min(0) }),
  result: chatSessionRow,
});

/** Rates the caller's own closed conversation; a later rating within a day replaces it. */
export const rateChatSession = command('rate_chat_session', {
  roles: ['trader'],
  args: z.strictObject({
    p_session_id: id,
    p_score: z.number().int().min(1).max(5),
    p_comment: z.string().max(500).nullish(),
  }),
  result: chatSessionRow,
});

/** The presence of support, and the typical time to a first answer. */
export const getSupportPresence = query('get_support_presence', {
  roles: ['trader'],
  whileImpersonating: 'allowed',
  result: z.object({
    /** `available` when some agent is available, `busy` when all present agents are busy, else `offline`. */
    status: z.enum(supportStatuses),
    agents: z.array(z.object({ username: z.string(), status: z.enum(presentSupportStatuses) })).max(20),
    /** Median of the last 30 days; null without an answer. */
    typical_first_response_s: seconds.nullable(),
    /** The number of conversations in the median. */
    n: z.number().int(),
  }),
});

/** The trader of an open conversation, without the identity documents (A103). */
export const getAttendedTrader = query('get_attended_trader', {
  roles: ['support'],
  args: z.strictObject({ p_session_id: id }),
  result: z.object({
    user: z.object({
      id,
      username: z.string(),
      email: z.string(),
      created_at: instant,
      last_login: instant.nullable(),
      kyc_status: z.enum(kycStatuses),
      restricted_at: instant.nullable(),
    }),
    wallet: z.object({ balance: z.number(), available_balance: z.number(), currency: z.string() }).nullable(),
    /** Open ones. */
    positions: z.array(positionRow),
    /** The earlier conversations, the newest first. */
    earlier: z
      .array(
        z.object({
          id,
          created_at: instant,
          closed_at: instant.nullable(),
          messages: z.number().int(),
          rating: z.number().int().nullable(),
        }),
      )
      .max(20),
  }),
});

/** All support agents, with the number of open conversations that are assigned to each. */
export const getSupportTeam = query('get_support_team', {
  roles: ['support'],
  result: z.object({
    agents: z
      .array(
        z.object({
          id,
          username: z.string(),
          status: z.enum(supportStatuses),
          assigned: z.number().int(),
        }),
      )
      .max(500),
  }),
});

/**
 * Assigns an open conversation to an agent, or to none (null). It is refused when the conversation is not assigned to
 * `p_expected` any more. The change, with its words for colleagues, is an internal note whose id is `p_client_id`.
 */
export const assignChatSession = command('assign_chat_session', {
  roles: ['support'],
  args: z.strictObject({
    p_session_id: id,
    p_agent_id: id.nullable(),
    p_expected: id.nullable(),
    p_note: z.string().max(chatLimits.transferNoteChars).nullish(),
    p_client_id: id,
  }),
  result: chatSessionRow,
});

const chatTriageRow = rowSchema(chatTriage.columns);
export type ChatTriageRow = z.infer<typeof chatTriageRow>;
const chatTags = z.object({ tags: z.array(z.string()).max(chatLimits.tags) });

/** The team's tags, by name. */
export const getChatTags = query('get_chat_tags', { roles: ['support'], result: chatTags });

/** Puts a tag on an open conversation or takes it off; a new name joins the team's list. */
export const tagChatSession = command('tag_chat_session', {
  roles: ['support'],
  args: z.strictObject({ p_session_id: id, p_tag: z.string().max(24), p_is_on: z.boolean() }),
  result: chatTriageRow,
});

/** Hides an open conversation from the list until a time, or until its trader writes; null brings it back. */
export const snoozeChatSession = command('snooze_chat_session', {
  roles: ['support'],
  args: z.strictObject({ p_session_id: id, p_until: z.string().max(40).nullable() }),
  result: chatTriageRow,
});

/** Takes a tag off the team's list and off every conversation; a repeat changes nothing. */
export const deleteChatTag = command('delete_chat_tag', {
  roles: ['support'],
  args: z.strictObject({ p_tag: z.string().max(24) }),
  result: chatTags,
});

/** A message that a search found, of an open or a closed conversation. */
const foundMessage = z.object({
  id,
  session_id: id,
  seq: z.number().int(),
  status: z.enum(chatStatuses),
  /** The trader of the conversation. */
  username: z.string(),
  sender_role: z.enum(chatSides),
  sender_name: z.string().nullable(),
  content: z.string(),
  created_at: instant,
});
/** A closed conversation whose trader's name was searched for. */
const foundSession = z.object({
  id,
  username: z.string(),
  created_at: instant,
  closed_at: instant.nullable(),
  messages: z.number().int(),
});
export const chatSearchPage = 20;
/**
 * Messages that contain all words of `p_text`, the last one as the beginning of a word: the newest first, those before
 * the message `p_before`. The first page also has the newest closed conversations of traders with that name.
 */
export const searchChats = query('search_chats', {
  roles: ['support'],
  args: z.strictObject({ p_text: z.string().min(2).max(100), p_before: id.nullish() }),
  result: z.object({
    messages: z.array(foundMessage).max(chatSearchPage),
    has_more: z.boolean(),
    sessions: z.array(foundSession).max(chatSearchPage),
  }),
});

const teamReply = z.object({ id, shortcut: z.string(), content: z.string() });
export type TeamReply = z.infer<typeof teamReply>;
const teamReplies = z.object({ replies: z.array(teamReply) });

/** The canned replies of the team, by shortcut. */
export const getTeamReplies = query('get_team_replies', { roles: ['support', 'admin'], result: teamReplies });

const replyShortcut = z.string().max(24);
const replyContent = storableText(2_000);

/**
 * Adds a reply of the team, or changes the one of this id; a repeat changes nothing.
 * @throws `changed_meanwhile` when another change or the deletion of the reply came first
 */
export const saveTeamReply = command('save_team_reply', {
  roles: ['support', 'admin'],
  args: z.strictObject({
    /** Made by the client. */
    p_id: id,
    p_shortcut: replyShortcut,
    p_content: replyContent,
    /** The reply as it was shown; null for a new one. */
    p_former: z.strictObject({ shortcut: replyShortcut, content: replyContent }).nullable(),
  }),
  result: teamReplies,
});

export const deleteTeamReply = command('delete_team_reply', {
  roles: ['support', 'admin'],
  args: z.strictObject({ p_id: id }),
  result: teamReplies,
});

/** A measured duration in seconds; null without a measurement. */
export const measured = z.object({
  n: z.number().int(),
  mean: seconds.nullable(),
  median: seconds.nullable(),
  p90: seconds.nullable(),
});
export type Measured = z.infer<typeof measured>;
/** A share of `of`; `share` is 0 to 1, null when `of` is 0. */
export const rate = z.object({ n: z.number().int(), of: z.number().int(), share: z.number().nullable() });
export type Rate = z.infer<typeof rate>;

/**
 * The figures of support in [p_from, p_to), computed from messages, closes and ratings. Definitions: docs/support.md.
 */
export const getSupportMetrics = query('get_support_metrics', {
  roles: ['support', 'admin'],
  args: z.strictObject({
    p_from: z.string().max(40),
    p_to: z.string().max(40),
    /** Of one agent only. */
    p_support_id: id.nullish(),
  }),
  result: z.object({
    /** Conversations with a first message in the range. */
    sessions: z.number().int(),
    first_response: measured,
    response: measured,
    resolution: measured,
    /** Of the conversations opened in the range: closed by an agent after an answer. */
    resolved: rate,
    /** Closed without an answer. */
    abandoned: rate,
    /** Ratings of 4 and 5 of all ratings. */
    satisfied: rate,
    /** Ratings of all that were closed. */
    rated: rate,
    /** Open with a message of the last 24 hours, now. */
    active_chats: z.number().int(),
    /** Messages of both sides. */
    interactions: z.number().int(),
    /** Unanswered now, and the longest wait of them in seconds. */
    unanswered: z.number().int(),
    longest_wait_s: seconds.nullable(),
    as_of: instant,
  }),
});
export type SupportMetrics = z.output<typeof getSupportMetrics.result>;
