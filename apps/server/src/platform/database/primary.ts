/**
 * Which of several PostgreSQL servers is the primary. `DATABASE_URL` may name several hosts, of which one accepts writes at a time; its manager
 * (Patroni, a provider, a person) decides which. Invariant: this module decides nothing, it asks `pg_is_in_recovery()`.
 *
 * Known limitation: an old primary that was cut off from the others and still answers here stays ours. It can acknowledge nothing where commits
 * wait for a standby.
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

/** Resolves with null when the server accepts writes, else with the reason why it is no primary. */
async function reasonAgainst(url: string, withinMs: number): Promise<string | null> {
  const client = new pg.Client({
    connectionString: url,
    connectionTimeoutMillis: withinMs,
    query_timeout: withinMs,
  });
  // A connection that breaks fails the query, too.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby');
    return rows[0]?.standby === false ? null : 'it is a standby';
  } catch (error) {
    return (error as Error).message;
  } finally {
    void client.end().catch(() => undefined);
  }
}

/** Returns the URL of the primary; a single one is not asked. @throws StartError when none of several is */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  const [first = '', ...others] = urls;
  if (others.length === 0) return first;
  const reasons = await Promise.all(urls.map((url) => reasonAgainst(url, firstAnswerWithinMs)));
  const primary = urls.find((_url, index) => reasons[index] === null);
  if (primary !== undefined) return primary;
  // Hosts stand in the order of the setting; their addresses stay out of the log.
  const list = reasons.map((reason, index) => `${index + 1}. ${reason}`).join('; ');
  throw new StartError(`none of the ${urls.length} hosts of DATABASE_URL is a primary: ${list}`);
}

/** Where connections lead to. */
export interface Address {
  url(): string;
  /** Calls `listener` when connections that lead to it are to be cut off. Returns the end of that. */
  onLeave(listener: () => void): () => void;
}

export interface ChangingAddress extends Address {
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

  async function askOnce(): Promise<void> {
    const current = address.url();
    if ((await reasonAgainst(current, answerWithinMs)) === null) return;
    const others = urls.filter((url) => url !== current);
    const reasons = await Promise.all(others.map((url) => reasonAgainst(url, answerWithinMs)));
    const next = others.find((_url, index) => reasons[index] === null);
    if (next === undefined || isStopped) return;
    log.warn({ host: urls.indexOf(next) + 1 }, 'another PostgreSQL host has become the primary');
    address.leaveFor(next);
  }

  async function follow(): Promise<void> {
    while (!isStopped) {
      await sleep(askEveryMs, undefined, { ref: false });
      if (!isStopped) await askOnce();
    }
  }
  if (urls.length > 1) void follow();
  return () => {
    isStopped = true;
  };
}
