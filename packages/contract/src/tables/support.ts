/** Conversations of traders with support, and the profiles of agents. */

import { chatStatuses, supportStatuses } from '@fulcrum/domain';
import {
  bigint,
  bool,
  date,
  int,
  json,
  nullable,
  numeric,
  oneOf,
  text,
  textList,
  timestamp,
  uuid,
  withDefault,
} from '../columns.ts';
import { chatSides } from '../roles.ts';
import { all, own, type Table } from './table.ts';

/** Chat sessions (ENT-31 … ENT-33). A trader has one open conversation at most. */
export const chatSessions = {
  name: 'chat_sessions',
  columns: {
    id: uuid,
    user_id: uuid,
    status: oneOf(...chatStatuses),
    created_at: timestamp,
    updated_at: timestamp,
    closed_at: nullable(timestamp),
    /** The agent who closed it. */
    support_id: nullable(uuid),
    /** `seq` of its last message, 0 without one. */
    last_seq: bigint,
    /** Counts every change of the row: a row with a lower version is older. */
    version: bigint,
    /** The last message that each side has seen (A64). */
    trader_seen_seq: bigint,
    trader_seen_at: nullable(timestamp),
    support_seen_seq: bigint,
    /** The trader's messages that no agent has read (CHAT-20). */
    unread_count: int,
    /** A64: support's messages beyond what the trader has seen. */
    trader_unread_count: int,
    /** Since when the trader waits for an answer; null without an unanswered message. */
    waiting_since: nullable(timestamp),
    last_message: nullable(text),
    last_message_at: nullable(timestamp),
    last_sender_role: nullable(oneOf(...chatSides)),
    /** The agent of the last answer. */
    last_agent_id: nullable(uuid),
    /** 1 to 5, given by the trader after the close. */
    rating: nullable(int),
    rating_comment: nullable(text),
    rated_at: nullable(timestamp),
    /** The agent who answers it: the first to answer, until it is transferred; null while it is everyone's. */
    assigned_to: nullable(uuid),
  },
  key: ['id'],
  owner: 'user_id',
  relations: [
    { name: 'user', table: 'users', column: 'user_id' },
    { name: 'support', table: 'users', column: 'support_id' },
  ],
  access: {
    trader: {
      ...own,
      /** The open one, or a new one (CALL-68). */
      insert: { by: 'command', columns: ['user_id', 'status'] },
      /** The open and empty ones (CALL-69, A65). */
      delete: { by: 'command', rows: 'own' },
    },
    support: {
      ...all,
      /** To closed, if it is still open (CALL-70). */
      update: {
        by: 'command',
        rows: 'all',
        columns: ['status', 'closed_at', 'updated_at', 'support_id'],
      },
    },
    admin: all,
  },
  realtime: true,
} as const satisfies Table;

/** Chat messages; only the time of reading ever changes (ENT-34). */
export const chatMessages = {
  name: 'chat_messages',
  columns: {
    id: uuid,
    session_id: uuid,
    /** The trader of the conversation. */
    user_id: uuid,
    /** 1, 2, 3 … in commit order. */
    seq: bigint,
    /** Null after that account was deleted. */
    sender_id: nullable(uuid),
    sender_role: oneOf(...chatSides),
    sender_name: nullable(text),
    content: text,
    created_at: timestamp,
    read_at: nullable(timestamp),
    /** Made by the sender, unique per session and sender: a repeat answers with the same message. */
    client_id: nullable(text),
    /** The version of a file in `chat-attachments`, of its sender's; null without a picture. */
    attachment_id: nullable(uuid),
  },
  key: ['id'],
  owner: 'user_id',
  relations: [],
  access: {
    trader: {
      ...own,
      insert: {
        by: 'command',
        columns: ['session_id', 'sender_id', 'content', 'read_at', 'client_id', 'attachment_id'],
      },
      /** The messages of the other side, as of now (CALL-73). */
      update: { by: 'command', rows: 'own', columns: ['read_at'] },
    },
    support: {
      ...all,
      insert: {
        by: 'command',
        columns: ['session_id', 'sender_id', 'content', 'read_at', 'client_id', 'attachment_id'],
      },
      update: { by: 'command', rows: 'all', columns: ['read_at'] },
    },
    admin: all,
  },
  realtime: true,
} as const satisfies Table;

/** Internal notes of support on a conversation: no trader reads them. */
export const chatNotes = {
  name: 'chat_notes',
  columns: {
    id: withDefault(uuid),
    session_id: uuid,
    author_id: uuid,
    author_name: nullable(text),
    content: text,
    /** The last message when it was written. */
    after_seq: bigint,
    created_at: timestamp,
  },
  key: ['id'],
  owner: 'author_id',
  relations: [],
  access: {
    support: {
      ...all,
      insert: { by: 'row', rows: 'own', columns: ['id', 'session_id', 'content'], upsert: false },
    },
    admin: all,
  },
  realtime: true,
} as const satisfies Table;

/** Tags and snooze of a conversation: what support notes in its list, and no trader reads. */
export const chatTriage = {
  name: 'chat_triage',
  columns: {
    session_id: uuid,
    /** The trader of the conversation. */
    user_id: uuid,
    tags: textList,
    /** Null or past: it is in the list. The trader's next message ends a snooze. */
    snoozed_until: nullable(timestamp),
    /** Whether the conversation is. */
    is_open: bool,
    updated_at: timestamp,
  },
  key: ['session_id'],
  owner: 'user_id',
  relations: [],
  access: { support: all },
  realtime: true,
} as const satisfies Table;

/** Internal notes that name an agent, until that agent opens the conversation. */
export const chatMentions = {
  name: 'chat_mentions',
  columns: { id: uuid, note_id: uuid, session_id: uuid, agent_id: uuid, created_at: timestamp },
  key: ['id'],
  owner: 'agent_id',
  relations: [],
  access: { support: { ...own, delete: { by: 'row', rows: 'own' } } },
  realtime: false,
} as const satisfies Table;

/** An agent's own replies, beside the default ones. */
export const cannedReplies = {
  name: 'canned_replies',
  columns: {
    id: withDefault(uuid),
    user_id: uuid,
    /** Typed after `/`. */
    shortcut: text,
    content: text,
    updated_at: timestamp,
  },
  key: ['id'],
  owner: 'user_id',
  relations: [],
  access: {
    support: {
      ...own,
      insert: { by: 'row', rows: 'own', columns: ['id', 'shortcut', 'content'], upsert: false },
      update: { by: 'row', rows: 'own', columns: ['shortcut', 'content'] },
      delete: { by: 'row', rows: 'own' },
    },
  },
  realtime: false,
} as const satisfies Table;

/** The profile of an agent; it exists as soon as a user has the role (ENT-36, ENT-37, A70). */
export const supportDetails = {
  name: 'support_details',
  columns: {
    user_id: uuid,
    status: oneOf(...supportStatuses),
    level: text,
    department: text,
    /** `{ start, end, timezone }`, such as 09:00, 17:00, UTC. */
    workingHours: json,
    specializations: textList,
  },
  key: ['user_id'],
  owner: 'user_id',
  relations: [{ name: 'user', table: 'users', column: 'user_id' }],
  access: {
    support: {
      ...all,
      /** An agent changes the status of their own row only (CALL-79). */
      update: { by: 'command', rows: 'own', columns: ['status'] },
    },
    admin: all,
  },
  realtime: true,
} as const satisfies Table;

/** Computed from events; null without any. Days are UTC (ENT-35, A69). */
export const supportMetrics = {
  name: 'support_metrics',
  columns: {
    date,
    totalSessions: int,
    /** Seconds. */
    averageResponseTime: nullable(numeric),
    /** Per cent. */
    resolutionRate: nullable(numeric),
    /** Per cent of ratings that are 4 or 5. */
    customerSatisfaction: nullable(numeric),
    activeChats: int,
    dailyInteractions: int,
  },
  key: ['date'],
  owner: null,
  relations: [],
  access: { support: all, admin: all },
  realtime: false,
} as const satisfies Table;
