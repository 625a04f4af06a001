/**
 * Finds that messages of other processes about committed rows were lost, in a cluster alone. Every ten seconds the versions of the
 * accounts that have a channel here are compared with those that came as hints; one that is behind twice in a row has missed
 * something, and its channels end so that the client joins again and reads. After the connection to NATS was away all channels end, because
 * rows without a version may have changed as well. A conversation that was deleted has no row: channels of those that are gone end for good.
 * Invariant: ten seconds after a loss, and one check, a client knows of it.
 *
 * Known limitations: a loss within a second of the join, and what staff follow of others, shows with their next read.
 */
import type { RowChange } from '@fulcrum/contract';
import type { Timers } from '../../platform/clock/index.ts';
import type { ClusterLink } from '../../platform/cluster/link.ts';
import type { Database } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import type { Services } from '../../platform/services.ts';

const checkEveryMs = 10_000;
/** How soon the version of an account that joins is known. */
const baselineEveryMs = 1_000;

interface LostHintDependencies extends Pick<Services, 'bus'> {
  readonly db: Database;
  readonly link: Pick<ClusterLink, 'onConnection' | 'isConnected'>;
  readonly timers: Timers;
  readonly log: Log;
  /** The accounts that have a channel here. */
  readonly joined: () => ReadonlySet<string>;
  /** The conversations that have a channel here. */
  readonly conversations: () => ReadonlySet<string>;
  /** Ends the channels of conversations that are gone. */
  readonly remove: (sessionIds: ReadonlySet<string>) => void;
  /** Ends the channels of these accounts; of all with null. */
  readonly fail: (accountIds: ReadonlySet<string> | null) => void;
}

/** The account's version after this change; null for a row that has none. */
function versionOf({ table, record }: RowChange): number | null {
  const version = table === 'wallets' ? record?.version : record?.account_version;
  return typeof version === 'number' ? version : null;
}

/** Begins; the returned function ends it. */
export function findLostHints(deps: LostHintDependencies): () => void {
  const { bus, db, link, timers, log, joined, conversations, remove, fail } = deps;
  /** The highest version that has come of each joined account. */
  let seen = new Map<string, number>();
  /** Accounts that were behind at the last check, with PostgreSQL's version of then. */
  let behind = new Map<string, number>();
  let isChecking = false;
  let wasConnected = link.isConnected();

  async function readVersions(accountIds: readonly string[]) {
    const { rows } = await db.query<{ account_id: string; version: string }>(
      'select user_id as account_id, version from app.wallets where user_id = any($1::uuid[])',
      [accountIds],
      'versions_of_joined',
    );
    return rows;
  }

  /** Of accounts that have joined since the last check. */
  async function readBaselines(): Promise<void> {
    const unknown = [...joined()].filter((id) => !seen.has(id));
    if (unknown.length === 0) return;
    const stored = new Map((await readVersions(unknown)).map(({ account_id: id, version }) => [id, version]));
    // Staff have no wallet, and are not asked for each second.
    for (const id of unknown) seen.set(id, Number(stored.get(id) ?? 0));
  }

  async function check(): Promise<void> {
    const rows = await readVersions([...joined()]);
    const stillBehind = new Map<string, number>();
    const lost = new Set<string>();
    const next = new Map<string, number>();
    for (const { account_id: id, version } of rows) {
      const stored = Number(version);
      const known = seen.get(id);
      const wasAt = behind.get(id);
      const isLost = known !== undefined && wasAt !== undefined && known < wasAt;
      if (isLost) lost.add(id);
      // Its hint may be on its way.
      else if (known !== undefined && known < stored) stillBehind.set(id, stored);
      next.set(id, isLost ? stored : (known ?? stored));
    }
    [seen, behind] = [next, stillBehind];
    if (lost.size === 0) return;
    log.warn({ accounts: lost.size }, 'changes of accounts did not arrive; their clients read again');
    fail(lost);
  }

  async function endGone(): Promise<void> {
    const open = [...conversations()];
    if (open.length === 0) return;
    const { rows } = await db.query<{ id: string }>(
      `select o.id from unnest($1::uuid[]) o (id)
       where not exists (select from app.chat_sessions s where s.id = o.id)`,
      [open],
      'conversations_gone',
    );
    if (rows.length > 0) remove(new Set(rows.map(({ id }) => id)));
  }

  function run(work: () => Promise<void>): void {
    if (isChecking) return;
    isChecking = true;
    work()
      .catch((error: unknown) => log.debug({ err: error }, 'the versions of accounts could not be read'))
      .finally(() => {
        isChecking = false;
      });
  }

  const stops = [
    bus.subscribe('account.changed', ({ changes }) => {
      for (const change of changes) {
        const known = change.userId === null ? undefined : seen.get(change.userId);
        const version = versionOf(change);
        if (change.userId !== null && known !== undefined && version !== null && version > known)
          seen.set(change.userId, version);
      }
    }),
    link.onConnection((isConnected) => {
      if (isConnected && !wasConnected) fail(null);
      wasConnected = isConnected;
    }),
    timers.every(baselineEveryMs, () => run(readBaselines)),
    timers.every(checkEveryMs, () => run(() => Promise.all([check(), endGone()]).then(() => undefined))),
  ];
  return () => {
    for (const stop of stops.splice(0)) stop();
  };
}
