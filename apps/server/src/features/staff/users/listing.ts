/**
 * `list_users` and `find_user_ids`: a page of the people whom the caller reaches, their number, and how many of them each
 * value of a facet would leave. A facet counts what the others leave, so choosing a second value of the same one is seen
 * to add. Counts and page are of one moment.
 *
 * Known limitation: the counts read every row that is reached.
 */
import {
  type findUserIds,
  type listUsers,
  type SignedIn,
  type UserFilter,
  type userSorts,
  users,
} from '@fulcrum/contract';
import { bulkUsersMax } from '@fulcrum/domain';
import type { z } from 'zod';
import type { Database, Queryable } from '../../../platform/database/index.ts';
import { readScope } from '../../../platform/database/row-scope.ts';
import { inOneMoment } from '../moment.ts';
import { type FacetColumns, facetSql, Parameters, reachSql, userColumns } from './filter.ts';

export type UserList = z.output<typeof listUsers.result>;
type Sort = (typeof userSorts)[number];

const defaultPageSize = 25;
/** Managers of the facet: those with the most traders, and those who are asked for. */
const facetManagersMax = 50;

/** Of `app.users u`; `m` is the manager. */
const sortExpressions = {
  username: 'lower(u.username)',
  email: 'u.email',
  role: 'u.role',
  manager: 'lower(m.username)',
  created_at: 'u.created_at',
  last_login: 'u.last_login',
} as const satisfies Record<Sort, string>;

/** What may be absent. Of the others nothing is said about nulls, or the order would not be the one of their index. */
const nullable: ReadonlySet<Sort> = new Set(['manager', 'last_login']);

/** What is absent stands last in a descending order and first in an ascending one, so that one is the other reversed. */
function orderSql(sort: Sort, isAscending: boolean): string {
  const expression = sortExpressions[sort];
  if (!nullable.has(sort)) {
    const direction = isAscending ? 'asc' : 'desc';
    return `${expression} ${direction}, u.id ${direction}`;
  }
  return isAscending ? `${expression} asc nulls first, u.id asc` : `${expression} desc nulls last, u.id desc`;
}

const fromSql = (sort: Sort) =>
  sort === 'manager' ? 'app.users u left join app.users m on m.id = u.manager_id' : 'app.users u';

export async function listOf(
  db: Database,
  caller: SignedIn,
  args: z.output<typeof listUsers.args>,
): Promise<UserList> {
  return inOneMoment(db, async (tx) => ({
    ...(await countsOf(tx, caller, args)),
    users: await pageOf(tx, caller, args),
  }));
}

async function pageOf(
  db: Queryable,
  caller: SignedIn,
  args: z.output<typeof listUsers.args>,
): Promise<UserList['users']> {
  const sort = args.p_sort ?? 'created_at';
  const order = orderSql(sort, args.p_ascending ?? false);
  const size = args.p_page_size ?? defaultPageSize;
  const parameters = new Parameters();
  const where = whereSql(caller, args, parameters);
  const limit = parameters.place(size, 'bigint');
  const offset = parameters.place(((args.p_page ?? 1) - 1) * size, 'bigint');
  const { rows } = await db.query<{ row: UserList['users'][number] }>(
    `with page as (select u.id from ${fromSql(sort)} where ${where} order by ${order} limit ${limit} offset ${offset})
     select to_jsonb(a) || jsonb_build_object(
       'manager', case when m.id is not null then jsonb_build_object('id', m.id, 'username', m.username) end,
       'wallet', case when w.id is not null then
         jsonb_build_object('balance', w.balance, 'available_balance', w.available_balance) end) as row
     from page join app.users u on u.id = page.id join api.users a on a.id = u.id
       left join app.users m on m.id = u.manager_id left join app.wallets w on w.user_id = u.id
     order by ${order}`,
    parameters.values,
  );
  return rows.map(({ row }) => row);
}

function whereSql(caller: SignedIn, filter: UserFilter, parameters: Parameters): string {
  const reached = reachSql(caller, filter.p_search, parameters);
  return [reached, ...Object.values(facetSql(filter, userColumns, parameters))].join(' and ');
}

const groupColumns: FacetColumns = {
  role: 'g.role',
  kyc: 'g.kyc_status',
  manager: 'g.manager_id',
  isRestricted: 'g.restricted',
};

async function countsOf(
  db: Queryable,
  caller: SignedIn,
  filter: UserFilter,
): Promise<Pick<UserList, 'total' | 'facets'>> {
  const parameters = new Parameters();
  const reached = reachSql(caller, filter.p_search, parameters);
  const asked = facetSql(filter, groupColumns, parameters);
  // A name is told to whoever may read the person: a manager is told of no colleague, and of nobody's trader.
  const named = parameters.place(
    readScope(users.access, caller) === 'all' ? (filter.p_managers?.filter((id) => id !== 'none') ?? []) : [],
    'uuid[]',
  );
  const most = parameters.place(facetManagersMax, 'bigint');
  const among = (condition: string) => `coalesce(sum(users) filter (where ${condition}), 0)::int`;
  const values = (column: string, others: string, names: readonly string[]) =>
    names.map((name) => `'${name}', ${among(`${others} and ${column} = '${name}'`)}`).join(', ');
  // Grouped first: every facet is then counted over a few hundred groups, not over each person again.
  const { rows } = await db.query<Pick<UserList, 'total' | 'facets'>>(
    `with g as materialized (
       select u.role, u.kyc_status, u.manager_id, u.restricted_at is not null as restricted, count(*) as users
       from app.users u where ${reached} group by 1, 2, 3, 4
     ), marked as (
       select g.*, ${asked.roles} as of_role, ${asked.kyc} as of_kyc, ${asked.managers} as of_manager,
         ${asked.restricted} as of_restriction
       from g
     ), by_manager as (
       select manager_id, sum(users)::int as users from marked
       where of_role and of_kyc and of_restriction and role = 'trader' group by manager_id
     ), shown as (
       (select * from by_manager where manager_id is not null order by users desc, manager_id limit ${most})
       union (select * from by_manager where manager_id = any(${named}))
       union (select n.id, 0 from unnest(${named}) as n (id)
              where not exists (select from by_manager b where b.manager_id = n.id))
     )
     select ${among('of_role and of_kyc and of_manager and of_restriction')} as total,
       json_build_object(
         'roles', json_build_object(${values('role', 'of_kyc and of_manager and of_restriction', ['trader', 'manager', 'support', 'admin'])}),
         'kyc', json_build_object(${values('kyc_status', 'of_role and of_manager and of_restriction', ['unverified', 'pending', 'verified', 'rejected'])}),
         'managers', (
           select coalesce(json_agg(json_build_object('id', coalesce(s.id::text, 'none'), 'username', s.username,
             'users', s.users) order by s.id is null, s.users desc, s.username), '[]')
           from (
             select m.id, m.username, shown.users from shown join app.users m on m.id = shown.manager_id
             union all
             select null, null, coalesce(sum(users), 0)::int from by_manager where manager_id is null
           ) s),
         'restricted', json_build_object(
           'yes', ${among('of_role and of_kyc and of_manager and restricted')},
           'no', ${among('of_role and of_kyc and of_manager and not restricted')})
       ) as facets
     from marked`,
    parameters.values,
  );
  const [counts] = rows;
  if (!counts) throw new Error('a count has one row');
  return counts;
}

/** The newest first; at most as many as one bulk act takes, beside how many there are. */
export async function idsOf(
  db: Database,
  caller: SignedIn,
  filter: UserFilter,
): Promise<z.output<typeof findUserIds.result>> {
  const parameters = new Parameters();
  const where = whereSql(caller, filter, parameters);
  const most = parameters.place(bulkUsersMax, 'bigint');
  const { rows } = await inOneMoment(db, (tx) =>
    // Everybody's names are read once, for the count and the ids.
    tx.query<{ total: number; ids: string[] }>(
      `with found as materialized (select u.id, u.created_at from app.users u where ${where})
       select (select count(*)::int from found) as total,
         array(select u.id::text from found u order by ${orderSql('created_at', false)} limit ${most}) as ids`,
      parameters.values,
    ),
  );
  const [found] = rows;
  if (!found) throw new Error('a count has one row');
  return found;
}
