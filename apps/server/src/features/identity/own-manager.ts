/** Returns the name of the caller's manager (A102), whom a trader may ask for funds; no other data of the account. */
import type { ResultOf, SignedIn } from '@fulcrum/contract';
import type { Context } from './context.ts';

export const createOwnManager =
  ({ db }: Pick<Context, 'db'>) =>
  async (caller: SignedIn): Promise<ResultOf<'get_my_manager'>> => {
    const { rows } = await db.query<{ username: string }>(
      `select m.username from app.users u join app.users m on m.id = u.manager_id and m.role = 'manager' where u.id = $1`,
      [caller.userId],
      'own_manager',
    );
    return rows[0] ?? null;
  };
