/**
 * `list_users` and `find_user_ids`: a page of the users in the caller's scope, their number, and the number for each facet
 * value. A facet's numbers apply the other facets only, so choosing a second value of the same one visibly adds rows.
 * Numbers and page come from one snapshot.
 *
 * Known limitation: the numbers read every row in scope.
 */
import {
  type ArgsOf,
  type ResultOf,
  type SignedIn,
  type UserFilter,
  userRoles,
  type userSorts,
  users,
} from '@fulcrum/contract';
import { bulkUsersMax, kycStatuses } from '@fulcrum/domain';
import type { Queryable, Reader } from '../../../platform/database/index.ts';
import { Parameters } from '../../../platform/database/parameters.ts';
import { readScope } from '../../../platform/database/row-scope.ts';
import type { StaffDependencies } from '../dependencies.ts';
import { inListSnapshot } from '../read-snapshot.ts';
import { type FacetColumns, facetSql, userColumns, visibleToSql } from './filter.ts';

type UserList = ResultOf<'list_users'>;
type Sort = (typeof userSorts)[number];

const defaultPageSize = 25;
/** Managers of the facet: those with the most traders, and the requested ones. */
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

/** Nullable columns. The others get no nulls clause, so that the order matches their index. */
const nullable: ReadonlySet<Sort> = new Set(['manager', 'last_login']);

/** Nulls come last in a descending order and first in an ascending one, so that one is the reverse of the other. */
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

export const createUserLists = ({ reader }: Pick<StaffDependencies, 'reader'>) => ({
  /** Lists users with their manager, newest first; a manager gets assigned traders only (ADMIN-32, MGR-08). */
  list_users: (caller: SignedIn, args: ArgsOf<'list_users'>): Promise<UserList> =>
    inListSnapshot(reader, async (tx) => ({
      ...(await readFacetCounts(tx, caller, args)),
      users: await readPage(tx, caller, args),
    })),
  find_user_ids: (caller: SignedIn, args: ArgsOf<'find_user_ids'>) => readUserIds(reader, caller, args),
});

async function readPage(
  db: Queryable,
  caller: SignedIn,
  args: ArgsOf<'list_users'>,
): Promise<UserList['users']> {
  const sort = args.p_sort ?? 'created_at';
  const order = orderSql(sort, args.p_ascending ?? false);
  const size = args.p_page_size ?? defaultPageSize;
  const parameters = new Parameters();
  const where = whereSql(caller, args, parameters);
  const limit = parameters.bind(size, 'bigint');
  const offset = parameters.bind(((args.p_page ?? 1) - 1) * size, 'bigint');
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
  const reached = visibleToSql(caller, filter.p_search, parameters);
  return [reached, ...Object.values(facetSql(filter, userColumns, parameters))].join(' and ');
}

const groupColumns: FacetColumns = {
  role: 'g.role',
  kyc: 'g.kyc_status',
  manager: 'g.manager_id',
  isRestricted: 'g.restricted',
};

async function readFacetCounts(
  db: Queryable,
  caller: SignedIn,
  filter: UserFilter,
): Promise<Pick<UserList, 'total' | 'facets'>> {
  const parameters = new Parameters();
  const reached = visibleToSql(caller, filter.p_search, parameters);
  const selected = facetSql(filter, groupColumns, parameters);
  // A manager's name goes only to callers who may read that user: a manager sees no colleague's name.
  const named = parameters.bind(
    readScope(users.access, caller) === 'all' ? (filter.p_managers?.filter((id) => id !== 'none') ?? []) : [],
    'uuid[]',
  );
  const most = parameters.bind(facetManagersMax, 'bigint');
  const among = (condition: string) => `coalesce(sum(users) filter (where ${condition}), 0)::int`;
  const values = (column: string, others: string, names: readonly string[]) =>
    names.map((name) => `'${name}', ${among(`${others} and ${column} = '${name}'`)}`).join(', ');
  // Grouped first: every facet is then counted over a few hundred groups, not over all users.
  const { rows } = await db.query<Pick<UserList, 'total' | 'facets'>>(
    `with g as materialized (
       select u.role, u.kyc_status, u.manager_id, u.restricted_at is not null as restricted, count(*) as users
       from app.users u where ${reached} group by 1, 2, 3, 4
     ), marked as (
       select g.*, ${selected.roles} as of_role, ${selected.kyc} as of_kyc, ${selected.managers} as of_manager,
         ${selected.restricted} as of_restriction
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
         'roles', json_build_object(${values('role', 'of_kyc and of_manager and of_restriction', userRoles)}),
         'kyc', json_build_object(${values('kyc_status', 'of_role and of_manager and of_restriction', kycStatuses)}),
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

/** Returns the newest ids, at most as many as one bulk action takes, and the total number. */
async function readUserIds(
  reader: Reader,
  caller: SignedIn,
  filter: UserFilter,
): Promise<ResultOf<'find_user_ids'>> {
  const parameters = new Parameters();
  const where = whereSql(caller, filter, parameters);
  const most = parameters.bind(bulkUsersMax, 'bigint');
  const { rows } = await inListSnapshot(reader, (tx) =>
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
