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

  /** The stored answer of this id, as far as memory knows. */
  recent(userId: string, key: IdempotencyKey): StoredAnswer | undefined {
    return this.#recent.get(answerKey(userId, key.clientId));
  }

  /** Brings stored answers of these commands into memory; one query for all that are not there. */
  async lookUp(
    commands: readonly { readonly userId: string; readonly key: IdempotencyKey | null }[],
  ): Promise<void> {
    const unknown = commands.flatMap(({ userId, key }) =>
      key && !this.recent(userId, key) ? [{ userId, clientId: key.clientId }] : [],
    );
    if (unknown.length === 0) return;
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
      'engine_look_up_answers',
    );
    for (const { user_id: userId, client_id: clientId, body_hash: bodyHash, answer } of rows) {
      this.remember(userId, { clientId }, { bodyHash, answer });
    }
  }

  remember(userId: string, { clientId }: Pick<IdempotencyKey, 'clientId'>, stored: StoredAnswer): void {
    const key = answerKey(userId, clientId);
    this.#recent.delete(key);
    this.#recent.set(key, stored);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= rememberedMax) break;
      this.#recent.delete(oldest);
    }
  }
}
