/**
 * Which of several PostgreSQL servers is the primary. `DATABASE_URL` may name several hosts, of which one accepts writes at a time; its manager
 * (Patroni, a provider, a person) decides which. Invariant: this module decides nothing; of several that accept writes, as after an old primary has come
 * back, the one on the latest timeline is meant, because each promotion begins a timeline.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { Log } from '../log/index.ts';
import { StartError } from '../start-error.ts';

const askEveryMs = 1_000;
const answerWithinMs = 1_000;
/** At the start nothing else is lost by waiting. */
const firstAnswerWithinMs = 10_000;

/** One URL for each host that `databaseUrl` names (`host:port,host:port`). */
export function splitHosts(databaseUrl: string): readonly string[] {
  const [, scheme = '', user = '', hosts = '', rest = ''] =
    /^(postgres(?:ql)?:\/\/)([^@/?]*@)?([^/?]*)(.*)$/.exec(databaseUrl) ?? [];
  if (!hosts.includes(',')) return [databaseUrl];
  return hosts.split(',').map((host) => `${scheme}${user}${host}${rest}`);
}

/** The timeline of a server that accepts writes, or why it is no primary. */
type Answer = { readonly timeline: number } | { readonly reason: string };

/** Hosts stand in the order of the setting; their addresses stay out of the log. */
function reasonOf(error: unknown): string {
  if (error instanceof pg.DatabaseError) return error.message;
  return error instanceof Error && 'code' in error ? String(error.code) : 'it does not answer';
}

async function ask(url: string, withinMs: number): Promise<Answer> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  // A connection that breaks fails the query, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    // The name of a file of the log begins with its timeline.
    const { rows } = await client.query<{ timeline: string | null }>(
      `select case when not pg_is_in_recovery() then left(pg_walfile_name(pg_current_wal_lsn()), 8) end as timeline`,
    );
    const timeline = rows[0]?.timeline ?? null;
    return timeline === null ? { reason: 'it is a standby' } : { timeline: Number.parseInt(timeline, 16) };
  } catch (error) {
    return { reason: reasonOf(error) };
  } finally {
    void client.end().catch(() => undefined);
  }
}

interface Found {
  readonly url: string;
  readonly timeline: number;
}

/** Those that accept writes, the latest timeline first. */
const primariesOf = (urls: readonly string[], answers: readonly Answer[]): readonly Found[] =>
  urls
    .flatMap((url, index): Found[] => {
      const answer = answers[index];
      return answer && 'timeline' in answer ? [{ url, timeline: answer.timeline }] : [];
    })
    .toSorted((one, other) => other.timeline - one.timeline);

/** Returns the URL of the primary; a single one is not asked. @throws StartError when none of several is */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  const [only = '', ...others] = urls;
  if (others.length === 0) return only;
  const answers = await Promise.all(urls.map((url) => ask(url, firstAnswerWithinMs)));
  const [primary] = primariesOf(urls, answers);
  if (primary !== undefined) return primary.url;
  const list = answers.map((answer, index) => `${index + 1}. ${'reason' in answer ? answer.reason : ''}`);
  throw new StartError(`none of the ${urls.length} hosts of DATABASE_URL is a primary: ${list.join('; ')}`);
}

/** Where connections lead to. */
export interface Address {
  url(): string;
  /** Calls `listener` when connections that lead to it are to be cut off. Returns the end of that. */
  onLeave(listener: () => void): () => void;
}

interface ChangingAddress extends Address {
  /** Cuts off the connections; later ones lead to `url`. */
  leaveFor(url: string): void;
}

export function createAddress(first: string): ChangingAddress {
  let current = first;
  const listeners = new Set<() => void>();
  return {
    url: () => current,
    onLeave(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    leaveFor(url) {
      current = url;
      for (const listener of [...listeners]) listener();
    },
  };
}

/** Moves `address` to the host among `urls` that is the primary, each time that another one has become it. Returns the end of that. */
export function followPrimary(urls: readonly string[], address: ChangingAddress, log: Log): () => void {
  let isStopped = false;
  let timeline = 0;

  async function askAll(): Promise<void> {
    const answers = await Promise.all(urls.map((url) => ask(url, answerWithinMs)));
    const [primary, ...others] = primariesOf(urls, answers);
    // Never back to an earlier timeline: what was acknowledged since is not there.
    if (isStopped || primary === undefined || primary.timeline < timeline) return;
    timeline = primary.timeline;
    if (primary.url === address.url()) return;
    const host = urls.indexOf(primary.url) + 1;
    log.warn({ host, others: others.length }, 'another PostgreSQL host has become the primary');
    address.leaveFor(primary.url);
  }

  async function follow(): Promise<void> {
    while (!isStopped) {
      await askAll();
      await sleep(askEveryMs, undefined, { ref: false });
    }
  }
  if (urls.length > 1) void follow();
  return () => {
    isStopped = true;
  };
}
