/**
 * Stored answers of commands with a client id (A18's retries). The same id with the same body gets the answer that
 * was committed with the change; with another body 409. A refused command changes nothing, so nothing is stored and
 * its repeat is decided again.
 */
import { AppError, texts } from '@fulcrum/contract';
import type { IdempotencyKey, Store, StoredAnswer } from './store.ts';

export const idempotencyConflict = (): AppError => new AppError('idempotency_conflict', texts.clientIdUsed);

/** The owner's id has a fixed length, so the two parts cannot run into each other. */
export const answerKey = ({ ownerId, clientId }: Pick<IdempotencyKey, 'ownerId' | 'clientId'>): string =>
  `${ownerId} ${clientId}`;

/** Recent answers in memory; older ones are looked up. */
const cachedAnswersMax = 10_000;

export class AnswerCache {
  readonly #store: Store;
  readonly #recent = new Map<string, StoredAnswer>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** The answer of this id in memory. */
  recent(key: IdempotencyKey): StoredAnswer | undefined {
    return this.#recent.get(answerKey(key));
  }

  /** Loads the stored answers of these ids; one query for all that are missing. */
  async lookUp(keys: readonly IdempotencyKey[]): Promise<void> {
    const unknown = keys.filter((key) => !this.recent(key));
    if (unknown.length === 0) return;
    for (const { ownerId, clientId, stored } of await this.#store.readAnswers(unknown)) {
      this.remember({ ownerId, clientId }, stored);
    }
  }

  remember(owner: Pick<IdempotencyKey, 'ownerId' | 'clientId'>, stored: StoredAnswer): void {
    const key = answerKey(owner);
    this.#recent.delete(key);
    this.#recent.set(key, stored);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= cachedAnswersMax) break;
      this.#recent.delete(oldest);
    }
  }

  /** Removes the answers of a deleted account. */
  forget(ownerId: string): void {
    for (const key of this.#recent.keys()) if (key.startsWith(`${ownerId} `)) this.#recent.delete(key);
  }
}
