/**
 * Stored answers of commands with a client-made id (A18's retries): the same id with the same body gets the answer that
 * was stored with the change itself, in the same commit; with another body 409. A refused command changed nothing, so
 * nothing is stored and its repeat is decided again.
 */
import { AppError, type PositionRow } from '@fulcrum/contract';
import type { Queryable } from '../../../platform/database/index.ts';

export interface IdempotencyKey {
  readonly clientId: string;
  readonly procedure: string;
  /** SHA-256 of procedure and body, hex. */
  readonly bodyHash: string;
}

export interface StoredAnswer {
  readonly bodyHash: string;
  readonly answer: PositionRow;
}

export const idempotencyConflict = (): AppError =>
  new AppError('idempotency_conflict', 'This p_client_id was already used with different arguments.');

/** The user's id has a fixed length, so the two parts cannot run into each other. */
export const answerKey = (userId: string, clientId: string): string => `${userId} ${clientId}`;

/** Recent answers kept in memory; older ones are looked up. */
const rememberedMax = 10_000;

export class Answers {
  readonly #db: Queryable;
  readonly #recent = new Map<string, StoredAnswer>();

  constructor(db: Queryable) {
    this.#db = db;
  }

  /** The stored answers of these commands, by `answerKey`; one query for all that memory does not have. */
  async find(
    keys: readonly { readonly userId: string; readonly clientId: string }[],
  ): Promise<ReadonlyMap<string, StoredAnswer>> {
    const found = new Map<string, StoredAnswer>();
    const unknown = keys.filter(({ userId, clientId }) => {
      const key = answerKey(userId, clientId);
      const recent = this.#recent.get(key);
      if (recent) found.set(key, recent);
      return !recent;
    });
    if (unknown.length === 0) return found;
    const { rows } = await this.#db.query<{
      user_id: string;
      client_id: string;
      body_hash: string;
      answer: PositionRow;
    }>(
      `select c.user_id, c.client_id, encode(c.body_hash, 'hex') as body_hash, c.answer
       from unnest($1::uuid[], $2::text[]) as k (user_id, client_id)
       join app.commands c on c.user_id = k.user_id and c.client_id = k.client_id`,
      [unknown.map(({ userId }) => userId), unknown.map(({ clientId }) => clientId)],
      'engine_find_answers',
    );
    for (const row of rows) {
      const stored = { bodyHash: row.body_hash, answer: row.answer };
      found.set(answerKey(row.user_id, row.client_id), stored);
      this.remember(row.user_id, row.client_id, stored);
    }
    return found;
  }

  remember(userId: string, clientId: string, stored: StoredAnswer): void {
    const key = answerKey(userId, clientId);
    this.#recent.delete(key);
    this.#recent.set(key, stored);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= rememberedMax) break;
      this.#recent.delete(oldest);
    }
  }
}
