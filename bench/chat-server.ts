/**
 * The running product as its own process for `chat.ts`, with agents, traders and open conversations that contain earlier
 * messages. Only the limits per address differ from production, because all clients of a measurement share one address;
 * the limits per user stay.
 */
import type { Queryable } from '../apps/server/src/platform/database/index.ts';
import { withClient } from './cluster.ts';
import type { Endpoint } from './endpoint.ts';
import { onCommands, onJob } from './job.ts';
import { createTokens, endpointOf, limitsOf, startMeasured } from './measured-server.ts';
import { cpuReport } from './process-cost.ts';
import { statOf } from './process-stat.ts';

export interface ChatServerJob {
  readonly databaseUrl: string;
  readonly dataDir: string;
  readonly agents: number;
  readonly sessions: number;
  /** Messages of each session before the run. */
  readonly messagesPerSession: number;
}
export interface ChatUser {
  readonly token: string;
  readonly userId: string;
}
export interface ChatServerReady extends Endpoint {
  readonly agents: readonly ChatUser[];
  readonly traders: readonly (ChatUser & { readonly sessionId: string })[];
}
export interface ChatCheck {
  /** Messages of the run, and sessions whose numbers are not 1, 2, 3 … */
  readonly messages: number;
  readonly broken: number;
}
export interface ChatCost {
  /** User and system time of the server's process since its start. */
  readonly cpuS: number;
  /** Of the PostgreSQL processes behind its connections. */
  readonly databaseCpuS: number;
}
export type ChatServerCommand = 'check' | 'cost' | 'stop';

async function databaseCpuS(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = current_database()',
  );
  return rows.reduce((sum, { pid }) => {
    const stat = statOf(pid);
    if (!stat) throw new Error(`session ${pid} ended while it was measured`);
    return sum + stat.cpuS;
  }, 0);
}

async function serve(job: ChatServerJob): Promise<void> {
  const { databaseUrl, dataDir, agents, sessions, messagesPerSession } = job;
  const server = await startMeasured({ databaseUrl, dataDir }, {}, limitsOf(agents + sessions));
  const addUsers = async (role: 'support' | 'trader', count: number): Promise<string[]> => {
    const { rows } = await server.db.query<{ id: string }>(
      `insert into app.users (email, username, role)
       select $1 || '-' || n || '@example.test', $1 || '-' || n, $1 from generate_series(1, $2::integer) n returning id`,
      [role, count],
    );
    return rows.map(({ id }) => id);
  };
  const agentIds = await addUsers('support', agents);
  const traderIds = await addUsers('trader', sessions);
  const { rows: opened } = await server.db.query<{ id: string; user_id: string }>(
    `insert into app.chat_sessions (user_id, created_at, updated_at, last_seq, version)
     select id, now() - interval '1 hour', now() - interval '1 minute', $2::bigint, $2::bigint + 1 from unnest($1::uuid[]) as id
     returning id, user_id`,
    [traderIds, messagesPerSession],
  );
  await server.db.query(
    `insert into app.chat_messages (session_id, user_id, seq, sender_id, sender_role, content, created_at, read_at)
     select s.id, s.user_id, n, case when n % 2 = 1 then s.user_id else $2::uuid end,
            case when n % 2 = 1 then 'trader' else 'support' end, 'Earlier message, number ' || n,
            s.created_at + n * interval '1 second', now()
     from app.chat_sessions s, generate_series(1, $1::integer) n`,
    [messagesPerSession, agentIds[0]],
  );
  // As autovacuum would do after so many messages; only the owner may.
  await withClient(databaseUrl, (owner) => owner.query('vacuum analyze'));
  const tokenOf = createTokens(server);
  const toChatUser = (userId: string, role: 'support' | 'trader'): ChatUser => ({
    userId,
    token: tokenOf(userId, role),
  });
  process.send?.({
    ...endpointOf(server),
    agents: agentIds.map((id) => toChatUser(id, 'support')),
    traders: opened.map(({ id, user_id }) => ({ ...toChatUser(user_id, 'trader'), sessionId: id })),
  } satisfies ChatServerReady);

  const check = async (): Promise<ChatCheck> => {
    const { rows } = await server.db.query<{ messages: string; broken: string }>(
      `select coalesce(sum(m.count), 0) as messages, count(*) filter (where m.count <> s.last_seq or m.most <> s.last_seq) as broken
       from app.chat_sessions s
       join lateral (select count(*), max(seq) as most from app.chat_messages where session_id = s.id) m on true`,
    );
    const { messages = '0', broken = '0' } = rows[0] ?? {};
    return { messages: Number(messages) - messagesPerSession * sessions, broken: Number(broken) };
  };
  onCommands<ChatServerCommand>({
    check,
    cost: async () => ({ ...cpuReport(), databaseCpuS: await databaseCpuS(server.db) }) satisfies ChatCost,
    stop: () => server.close(),
  });
}

onJob(serve);
