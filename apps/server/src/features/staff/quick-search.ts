/**
 * `quick_search`: the few accounts and positions that somebody of staff most likely means by what they typed. Who is found is
 * the scope of the table, as in every list: a row outside it does not exist.
 *
 * Known limitation: a text is looked for in every name and address that is reached, because a part of one has no index.
 */
import { positions, type quickSearch, type SignedIn } from '@fulcrum/contract';
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/index.ts';
import { readScope, scopeSql } from '../../platform/database/row-scope.ts';
import type { StaffDependencies } from './index.ts';
import { idsBeginningWith, partPattern } from './search.ts';
import { Parameters, reachSql } from './users/filter.ts';

type Found = z.output<typeof quickSearch.result>;

const usersMax = 8;
/** Those whose ids begin alike: more than one is a rare accident. */
const positionsMax = 3;

// As the table API writes times.
const time = (column: string): string => `to_json(${column}) #>> '{}'`;

async function usersBy(
  db: Queryable,
  caller: SignedIn,
  parameters: Parameters,
  { where, order }: { readonly where: string; readonly order: string },
): Promise<Found['users']> {
  const reached = reachSql(caller, null, parameters);
  const limit = parameters.place(usersMax, 'bigint');
  const chat =
    caller.role === 'support'
      ? `(select c.id from app.chat_sessions c where c.user_id = u.id and c.status = 'open'
          order by c.created_at desc limit 1)`
      : 'null::uuid';
  const { rows } = await db.query<Found['users'][number]>(
    `with found as (
       select u.id, row_number() over (order by ${order}, lower(u.username), u.id) as place
       from app.users u where ${reached} and (${where}) order by place limit ${limit}
     )
     select u.id, u.username, u.email, u.role, u.kyc_status, ${time('u.restricted_at')} as restricted_at,
       m.username as manager, ${chat} as chat_session_id
     from found join app.users u on u.id = found.id left join app.users m on m.id = u.manager_id
     order by found.place`,
    parameters.values,
  );
  return rows;
}

function usersByText(db: Queryable, caller: SignedIn, text: string): Promise<Found['users']> {
  const parameters = new Parameters();
  const ids = idsBeginningWith(text);
  const byId =
    ids === null
      ? 'false'
      : `u.id between ${parameters.place(ids[0], 'uuid')} and ${parameters.place(ids[1], 'uuid')}`;
  const whole = parameters.place(text.toLowerCase(), 'text');
  const part = partPattern(text);
  const within = parameters.place(part, 'text');
  const first = parameters.place(part.slice(1), 'text');
  // Whoever is called so stands before those whose name only begins so, and these before those who have it somewhere.
  const order = `case when ${byId} or lower(u.username) = ${whole} or u.email = ${whole} then 0
    when lower(u.username) like ${first} then 1 when u.email like ${first} then 2 else 3 end`;
  const where = `lower(u.username) like ${within} or u.email like ${within} or ${byId}`;
  return usersBy(db, caller, parameters, { where, order });
}

function usersByIds(db: Queryable, caller: SignedIn, ids: readonly string[]): Promise<Found['users']> {
  const parameters = new Parameters();
  const asked = parameters.place(ids, 'uuid[]');
  return usersBy(db, caller, parameters, {
    where: `u.id = any(${asked})`,
    order: `array_position(${asked}, u.id)`,
  });
}

async function positionsById(db: Queryable, caller: SignedIn, text: string): Promise<Found['positions']> {
  const ids = idsBeginningWith(text);
  const scope = readScope(positions.access, caller);
  if (ids === null || scope === undefined) return [];
  const parameters = new Parameters();
  const [from, to] = ids.map((id) => parameters.place(id, 'uuid'));
  // PostgreSQL does not take a parameter that no expression mentions.
  const reached =
    scope === 'all' ? 'true' : scopeSql(scope, 'p.user_id', parameters.place(caller.userId, 'uuid'));
  const { rows } = await db.query<Found['positions'][number]>(
    `select p.id, p.user_id, u.username, p.symbol, p.side, p.status, ${time('coalesce(p.closed_at, p.created_at)')} as at
     from app.positions p join app.users u on u.id = p.user_id
     where p.id between ${from} and ${to} and ${reached} order by p.id limit ${parameters.place(positionsMax, 'bigint')}`,
    parameters.values,
  );
  return rows;
}

export function createQuickSearch({ db }: Pick<StaffDependencies, 'db'>) {
  return {
    async quick_search(caller: SignedIn, args: z.output<typeof quickSearch.args>): Promise<Found> {
      const text = args.p_text?.trim() ?? '';
      if (text !== '') {
        const [foundUsers, foundPositions] = await Promise.all([
          usersByText(db, caller, text),
          positionsById(db, caller, text),
        ]);
        return { users: foundUsers, positions: foundPositions };
      }
      const ids = args.p_user_ids ?? [];
      return { users: ids.length === 0 ? [] : await usersByIds(db, caller, ids), positions: [] };
    },
  };
}
