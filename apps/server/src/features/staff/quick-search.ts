/**
 * `quick_search`: the few accounts and positions that somebody of staff most likely means by what they typed. Who is found is
 * the scope of the table, as in every list: a row outside it does not exist.
 *
 * Known limitation: where too few begin with the text, it is looked for in every name and address, because a part of one has no
 * index.
 */
import { positions, type quickSearch, quickUsersMax, type SignedIn } from '@fulcrum/contract';
import { isUuid } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Queryable } from '../../platform/database/index.ts';
import { readScope, scopeSql } from '../../platform/database/row-scope.ts';
import type { StaffDependencies } from './index.ts';
import { inOneMoment } from './moment.ts';
import { beginningPattern, idsBeginningWith, partPattern } from './search.ts';
import { Parameters, reachSql } from './users/filter.ts';

type Found = z.output<typeof quickSearch.result>;

/** Those whose ids begin alike: more than one is a rare accident. */
const positionsMax = 3;

// As the table API writes times.
const time = (column: string): string => `to_json(${column}) #>> '{}'`;

/** Which of `app.users u`, in which order, and how many at most. */
interface Asked {
  readonly where: string;
  readonly order: string;
  readonly most: number;
}

async function usersBy(
  tx: Queryable,
  caller: SignedIn,
  parameters: Parameters,
  { where, order, most }: Asked,
): Promise<Found['users']> {
  const reached = reachSql(caller, null, parameters);
  const limit = parameters.place(most, 'bigint');
  const chat =
    caller.role === 'support'
      ? `(select c.id from app.chat_sessions c where c.user_id = u.id and c.status = 'open'
          order by c.created_at desc limit 1)`
      : 'null::uuid';
  const { rows } = await tx.query<Found['users'][number]>(
    // First by what the index of names holds; of thousands who are found only these few are looked at.
    `with found as materialized (
       select u.id from app.users u where ${reached} and (${where}) order by ${order} limit ${limit}
     )
     select u.id, u.username, u.email, u.role, u.kyc_status, ${time('u.restricted_at')} as restricted_at,
       m.username as manager, ${chat} as chat_session_id
     from found join app.users u on u.id = found.id left join app.users m on m.id = u.manager_id
     order by ${order}`,
    parameters.values,
  );
  return rows;
}

const byName = 'lower(u.username), u.id';

/** Whoever is called so stands before those whose name begins so, and these before those whose address does. */
function usersBeginning(tx: Queryable, caller: SignedIn, text: string): Promise<Found['users']> {
  const parameters = new Parameters();
  const ids = idsBeginningWith(text);
  const byId =
    ids === null
      ? 'false'
      : `u.id between ${parameters.place(ids[0], 'uuid')} and ${parameters.place(ids[1], 'uuid')}`;
  const whole = parameters.place(text.toLowerCase(), 'text');
  const beginning = parameters.place(beginningPattern(text), 'text');
  const rank = `case when ${byId} or lower(u.username) = ${whole} or u.email = ${whole} then 0
    when lower(u.username) like ${beginning} then 1 else 2 end`;
  return usersBy(tx, caller, parameters, {
    where: `lower(u.username) like ${beginning} or u.email like ${beginning} or ${byId}`,
    order: `${rank}, ${byName}`,
    most: quickUsersMax,
  });
}

/** Those first who begin with the text, and where that leaves room those who have it anywhere. */
async function usersByText(tx: Queryable, caller: SignedIn, text: string): Promise<Found['users']> {
  const first = await usersBeginning(tx, caller, text);
  const room = quickUsersMax - first.length;
  // A whole id is looked for among ids alone, as in the list of users.
  if (room === 0 || isUuid(text)) return first;
  const parameters = new Parameters();
  const part = parameters.place(partPattern(text), 'text');
  const known = parameters.place(
    first.map(({ id }) => id),
    'uuid[]',
  );
  const others = await usersBy(tx, caller, parameters, {
    where: `(lower(u.username) like ${part} or u.email like ${part}) and u.id <> all(${known})`,
    order: byName,
    most: room,
  });
  return [...first, ...others];
}

function usersByIds(tx: Queryable, caller: SignedIn, ids: readonly string[]): Promise<Found['users']> {
  const parameters = new Parameters();
  const asked = parameters.place(ids, 'uuid[]');
  return usersBy(tx, caller, parameters, {
    where: `u.id = any(${asked})`,
    order: `array_position(${asked}, u.id)`,
    most: quickUsersMax,
  });
}

async function positionsById(tx: Queryable, caller: SignedIn, text: string): Promise<Found['positions']> {
  const ids = idsBeginningWith(text);
  const scope = readScope(positions.access, caller);
  if (ids === null || scope === undefined) return [];
  const parameters = new Parameters();
  const [from, to] = ids.map((id) => parameters.place(id, 'uuid'));
  // PostgreSQL does not take a parameter that no expression mentions.
  const reached =
    scope === 'all' ? 'true' : scopeSql(scope, 'p.user_id', parameters.place(caller.userId, 'uuid'));
  const { rows } = await tx.query<Found['positions'][number]>(
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
      const ids = args.p_user_ids ?? [];
      if (text === '' && ids.length === 0) return { users: [], positions: [] };
      return inOneMoment(db, async (tx) =>
        text === ''
          ? { users: await usersByIds(tx, caller, ids), positions: [] }
          : { users: await usersByText(tx, caller, text), positions: await positionsById(tx, caller, text) },
      );
    },
  };
}
