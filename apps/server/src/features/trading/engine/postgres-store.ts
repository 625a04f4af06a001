/**
 * The engine's store in PostgreSQL. Every batch is one call of `app.engine_write_v<n>`, so it is written whole or not at
 * all, and only past its fence. All writes of an engine use one session, in order.
 */
import { type AccountTerms, type ChallengeState, InvariantViolation } from '@fulcrum/domain';
import pg from 'pg';
import { type Database, isOverload, refusedWrite } from '../../../platform/database/index.ts';
import type { Log } from '../../../platform/log/index.ts';
import { writeStatesStatement } from './challenge-rows.ts';
import type { StoredRow } from './columns/codec.ts';
import { laneLock, memberLock } from './locks.ts';
import { beginEngines, beginMember, type MemberIdentity } from './registration.ts';
import {
  type AccountRow,
  accountOf,
  accountsQuery,
  hasWallet,
  namedOrdersQuery,
  namedPositionsQuery,
  orderOf,
  positionOf,
  waitingOrdersQuery,
  waitingPositionsQuery,
} from './rows.ts';
import { EngineSession } from './session.ts';
import {
  type Answer,
  AuthorityLost,
  type Batch,
  CommitFailed,
  CommitRefused,
  CommitUnknown,
  EpochExpired,
  HaltInForce,
  RepeatedCommand,
  type RowReference,
  type Store,
  type StoredAccount,
  StoreUnreachable,
  type WaitingPage,
  WritesRefused,
} from './store.ts';
import { writeStatement } from './write.ts';

/** What `app.engine_write_v<n>` raises; the detail of `halted` is the cause. */
const sqlStates = { epochOver: 'ZE001', authorityLost: 'ZE003', halted: 'ZE004' } as const;
const answersKey = 'commands_pkey';
/** Positions or orders per page while everything is armed, and while commands are taken beside it: a page of those takes some 30 ms. */
const waitingPageSize = 5_000;
const memberPageSize = 1_000;
const challengesPageSize = 500;
/** $1 slots, $2 the last account of the former page. */
const challengeIds = `
  select a.id from app.trading_accounts a
  where a.kind = 'challenge' and a.status = 'active' and app.slot_of(a.id) = any ($1::smallint[])`;
const challengeAccountsQuery = `${challengeIds} and ($2::uuid is null or a.id > $2::uuid)
  order by a.id limit ${challengesPageSize}`;
/** That many in a row are not the fault of one batch. */
const refusalsMin = 3;

/** The stores of the engines of this process, one per lane. The first that starts begins all of them. */
export function createPostgresStores(
  db: Database,
  log: Log,
  lanes: number,
  mainTerms: AccountTerms,
): readonly [PostgresStore, ...PostgresStore[]] {
  const sessions = Array.from({ length: lanes }, (_, lane) => new EngineSession(db, log, laneLock(lane)));
  let beginning: Promise<void> | undefined;
  const begin = (): Promise<void> => {
    beginning ??= beginEngines(sessions).catch((error: unknown) => {
      // A later start tries again.
      beginning = undefined;
      throw error;
    });
    return beginning;
  };
  const [first, ...others] = sessions.map((session) => new PostgresStore(db, session, begin, mainTerms));
  if (!first) throw new RangeError('an engine has at least one lane');
  return [first, ...others];
}

/** The store of an engine of a cluster, for one start of it. */
export function createMemberStore(
  db: Database,
  log: Log,
  identity: MemberIdentity,
  mainTerms: AccountTerms,
): PostgresStore {
  const session = new EngineSession(db, log, memberLock);
  return new PostgresStore(db, session, () => beginMember(session, identity), mainTerms, memberPageSize);
}

export class PostgresStore implements Store {
  readonly #db: Database;
  readonly #session: EngineSession;
  readonly #begin: () => Promise<void>;
  readonly #mainTerms: AccountTerms;
  readonly #pageSize: number;
  /** Batches that PostgreSQL could not write since the last successful one. */
  #refusals = 0;
  #refusal: string | null = null;

  constructor(
    db: Database,
    session: EngineSession,
    begin: () => Promise<void>,
    mainTerms: AccountTerms,
    pageSize = waitingPageSize,
  ) {
    this.#db = db;
    this.#session = session;
    this.#begin = begin;
    this.#mainTerms = mainTerms;
    this.#pageSize = pageSize;
  }

  get epoch(): number {
    return this.#session.epoch;
  }

  /** How long the writing session has stood, in milliseconds; null while it is lost. */
  get sessionAgeMs(): number | null {
    return this.#session.ageMs;
  }

  /** Why nothing can be written, for every reader; null again after the next successful batch. */
  get refusal(): string | null {
    return this.#refusals < refusalsMin ? null : this.#refusal;
  }

  start(): Promise<void> {
    return this.#begin();
  }

  async stop(): Promise<void> {
    this.#session.release();
  }

  ready(): Promise<void> {
    return this.#session.ready();
  }

  async take(slots: readonly number[]): Promise<void> {
    // The lock on the engine's row keeps a slot from an engine that is ended meanwhile.
    const taken = await this.#write({
      text: `with living as (select id from app.engines where id = $1 and ended_at is null for key share)
             update app.engine_slots s set engine = l.id from living l
             where s.slot = any ($2::smallint[]) and (s.engine is null or s.engine = l.id)`,
      values: [this.epoch, slots],
    });
    if (taken === slots.length) return;
    throw new CommitRefused(`engine epoch ${this.epoch} gets ${taken} of ${slots.length} slots`);
  }

  async give(slots: readonly number[]): Promise<void> {
    await this.#write({
      text: 'update app.engine_slots set engine = null where engine = $1 and slot = any ($2::smallint[])',
      values: [this.epoch, slots],
    });
  }

  async commit(batch: Batch): Promise<void> {
    await this.#write(writeStatement(batch, this.epoch));
    this.#refusals = 0;
  }

  /** One statement that is a transaction, on the engine's session. Returns the number of its rows. */
  async #write(statement: pg.QueryConfig): Promise<number> {
    const session = this.#session.client;
    // Lost since `ready`: nothing was sent, and the commands can be tried again.
    if (!session) throw new StoreUnreachable('the engine has no connection');
    const { rowCount } = await session.query(statement).catch(async (cause: Error) => {
      if (!(await this.#session.isUsable(session))) {
        this.#session.release(cause);
        throw new CommitUnknown(cause.message, { cause });
      }
      throw this.#toStoreError(cause);
    });
    if (!this.#session.isConfirmed(session)) {
      this.#session.release();
      throw new CommitUnknown('no standby has confirmed the commit');
    }
    return rowCount ?? 0;
  }

  #toStoreError(cause: Error): Error {
    if (!(cause instanceof pg.DatabaseError)) return new CommitRefused(cause.message, { cause });
    if (cause.code === sqlStates.epochOver) return new EpochExpired(cause.message, { cause });
    if (cause.code === sqlStates.halted)
      return new HaltInForce(cause.detail === 'ledger' ? 'ledger' : 'staff', cause.message, { cause });
    if (cause.code === sqlStates.authorityLost) return new AuthorityLost(cause.message, { cause });
    if (cause.constraint === answersKey) return new RepeatedCommand(cause.message, { cause });
    const refusal = refusedWrite(cause);
    if (refusal !== null) {
      this.#refusals += 1;
      this.#refusal = refusal.reason;
      if (refusal.concernsAll) return new WritesRefused(cause.message, { cause });
    }
    if (isOverload(cause)) return new CommitFailed(cause.message, { cause });
    return new CommitRefused(cause.message, { cause });
  }

  async isWritten(batchId: string): Promise<boolean> {
    const rows = await this.#query('select from app.engine_batches where id = $1', [batchId]);
    return rows.length === 1;
  }

  async readAccounts(accountIds: readonly string[], now: number): Promise<readonly StoredAccount[]> {
    const read = () =>
      this.#query<AccountRow>(accountsQuery, [accountIds, new Date(now)], 'engine_read_accounts');
    let rows = await read();
    const walletless = rows.filter((row) => row.wallet === null).map((row) => row.user_id);
    if (walletless.length > 0) {
      await this.#query(
        'insert into app.wallets (user_id) select unnest($1::uuid[]) on conflict (user_id) do nothing',
        [walletless],
      );
      rows = await read();
    }
    return rows.map((row) => {
      const account = accountOf(row, this.#mainTerms);
      if (!hasWallet(account)) throw new InvariantViolation(`user ${row.user_id} has a wallet`);
      return account;
    });
  }

  async readAccountIds(ownerId: string): Promise<readonly string[]> {
    const rows = await this.#query<{ id: string }>(
      'select id from app.trading_accounts where owner_id = $1 order by id <> owner_id, id',
      [ownerId],
      'engine_accounts_of',
    );
    return rows.map(({ id }) => id);
  }

  async readPositions(named: readonly RowReference[]) {
    const rows = await this.#query<{ position: StoredRow }>(
      namedPositionsQuery,
      idsOf(named),
      'engine_named_positions',
    );
    return rows.map(({ position }) => positionOf(position));
  }

  async readOrders(named: readonly RowReference[]) {
    const rows = await this.#query<{ order: StoredRow }>(
      namedOrdersQuery,
      idsOf(named),
      'engine_named_orders',
    );
    return rows.map(({ order }) => orderOf(order));
  }

  async readAnswers(named: readonly { readonly ownerId: string; readonly clientId: string }[]) {
    const rows = await this.#query<{
      user_id: string;
      client_id: string;
      body_hash: string;
      answer: Answer;
    }>(
      `select c.user_id, c.client_id, encode(c.body_hash, 'hex') as body_hash, c.answer
       from unnest($1::uuid[], $2::text[]) as k (user_id, client_id)
       join app.commands c on c.user_id = k.user_id and c.client_id = k.client_id`,
      [named.map(({ ownerId }) => ownerId), named.map(({ clientId }) => clientId)],
      'engine_look_up_answers',
    );
    return rows.map(({ user_id: ownerId, client_id: clientId, body_hash: bodyHash, answer }) => ({
      ownerId,
      clientId,
      stored: { bodyHash, answer },
    }));
  }

  async writeChallenges(
    states: readonly { readonly accountId: string; readonly state: ChallengeState }[],
    at: number,
  ): Promise<void> {
    await this.#write(writeStatesStatement(this.epoch, states, at));
  }

  async readChallengeIds(slots: readonly number[]): Promise<readonly string[]> {
    const { rows } = await this.#db.query<{ id: string }>(challengeIds, [slots]);
    return rows.map(({ id }) => id);
  }

  /** All positions first, then all orders, then the accounts in challenges; `from` names the table and its last row. */
  async readWaiting(slots: readonly number[], from: string | null): Promise<WaitingPage> {
    const [table, accountId = null, id = null] = from?.split(' ') ?? ['positions'];
    const values = [accountId, id, this.#pageSize, slots];
    // Over the pool: the engine's own session plans every statement for a lookup by key.
    if (table === 'positions') {
      const { rows } = await this.#db.query<{ position: StoredRow; apart: boolean }>(
        waitingPositionsQuery,
        values,
      );
      const last = rows.length < this.#pageSize ? undefined : rows.at(-1)?.position;
      const next = last ? `positions ${last.user_id} ${last.id}` : 'orders';
      const positions = rows.map(({ position }) => positionOf(position));
      return { positions, orders: [], apart: apartOf(positions, rows), next };
    }
    if (table === 'challenges') return this.#readChallenges(slots, accountId);
    const { rows } = await this.#db.query<{ order: StoredRow; apart: boolean }>(waitingOrdersQuery, values);
    const last = rows.length < this.#pageSize ? undefined : rows.at(-1)?.order;
    const next = last ? `orders ${last.user_id} ${last.id}` : 'challenges';
    const orders = rows.map(({ order }) => orderOf(order));
    return { positions: [], orders, apart: apartOf(orders, rows), next };
  }

  async #readChallenges(slots: readonly number[], from: string | null): Promise<WaitingPage> {
    const { rows } = await this.#db.query<{ id: string }>(challengeAccountsQuery, [slots, from]);
    const ids = rows.map(({ id }) => id);
    const accounts = await this.#db.query<AccountRow>(accountsQuery, [ids, null]);
    const challenges = accounts.rows.map((row) => accountOf(row, this.#mainTerms)).filter(hasWallet);
    const last = ids.length < challengesPageSize ? undefined : ids.at(-1);
    return {
      ...{ positions: [], orders: [], apart: new Set(), challenges },
      next: last === undefined ? null : `challenges ${last}`,
    };
  }

  /** A read between two batches. @throws Error when the connection is lost; `ready` then gets a new one. */
  async #query<Row extends pg.QueryResultRow>(
    text: string,
    values: readonly unknown[],
    name?: string,
  ): Promise<Row[]> {
    const session = this.#session.client;
    if (!session) throw new Error('the engine has no connection');
    const { rows } = await session.query<Row>({
      text,
      values: [...values],
      ...(name === undefined ? {} : { name }),
    });
    return rows;
  }
}

const apartOf = (
  waiting: readonly { readonly accountId: string }[],
  rows: readonly { readonly apart: boolean }[],
): ReadonlySet<string> => new Set(waiting.filter((_, i) => rows[i]?.apart).map(({ accountId }) => accountId));

const idsOf = (named: readonly RowReference[]): [string[], string[]] => [
  named.map(({ id }) => id),
  named.map(({ accountId }) => accountId),
];
