/** The stored answer of an executed command, for procedures with further steps beside the command. */
import type { Database, Queryable } from '../../platform/database/index.ts';
import { idempotencyConflict } from './engine/answer-cache.ts';
import type { Answer, IdempotencyKey } from './engine/store.ts';

/** Undefined for a command that is new. @throws AppError `idempotency_conflict` for another body */
export async function findStoredAnswer(
  db: Database,
  key: IdempotencyKey | null,
): Promise<Answer | undefined> {
  if (!key) return undefined;
  const { rows } = await db.query<{ answer: Answer; bodyHash: string }>(
    `select answer, encode(body_hash, 'hex') as "bodyHash" from app.commands where user_id = $1 and client_id = $2`,
    [key.ownerId, key.clientId],
    'stored_answer',
  );
  const [stored] = rows;
  if (stored && stored.bodyHash !== key.bodyHash) throw idempotencyConflict();
  return stored?.answer;
}

/** The stored answers of these client ids of an account, by client id. */
export async function readStoredAnswers(
  db: Queryable,
  accountId: string,
  clientIds: readonly string[],
): Promise<ReadonlyMap<string, Answer>> {
  const { rows } = await db.query<{ clientId: string; answer: Answer }>(
    `select client_id as "clientId", answer from app.commands where user_id = $1 and client_id = any ($2::text[])`,
    [accountId, clientIds],
    'stored_answers',
  );
  return new Map(rows.map(({ clientId, answer }) => [clientId, answer]));
}
