/** The audit row of a user whom staff or the operator created; email and name are in it as pseudonyms. */
import { toNumber } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { createPseudonymizer, recordAuditEntry } from '../audit/index.ts';
import type { User } from './users.ts';

interface UserCreation {
  /** Null: the operator of the machine. */
  readonly actorId: string | null;
  readonly user: User;
  /** In 1e-8 USDT. */
  readonly initialBalance: bigint;
  readonly at: Date;
  /** The import that the user came with; absent for a user added alone. */
  readonly importId?: string;
}

export async function recordUserCreation(
  tx: Queryable,
  { actorId, user, initialBalance, at, importId }: UserCreation,
): Promise<void> {
  const pseudonymize = await createPseudonymizer(tx, user.id);
  await recordAuditEntry(tx, {
    ...{ at, actorId, subjectId: user.id, action: 'user.create' },
    detail: {
      email: pseudonymize(user.email),
      username: pseudonymize(user.username),
      role: user.role,
      manager_id: user.managerId,
      initial_balance: toNumber(initialBalance),
      ...(importId !== undefined && { import_id: importId }),
    },
  });
}
