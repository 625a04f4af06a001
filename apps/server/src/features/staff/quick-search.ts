/**
 * `quick_search`: the few accounts and positions that a staff user most likely means by the typed text. The scope of the
 * table limits the results, as in every list: a row outside it does not exist.
 *
 * Known limitation: when too few names begin with the text, it reads every name, address and phone number, because an infix
 * has no index.
 */
import {
  type ArgsOf,
  positions,
  quickUsersMax,
  type ResultOf,
  type SignedIn,
  type TableName,
  tableByName,
} from '@fulcrum/contract';
import { isUuid } from '@fulcrum/domain';
import type { Queryable } from '../../platform/database/index.ts';
import { prefixPattern, substringPattern } from '../../platform/database/like-patterns.ts';
import { Parameters } from '../../platform/database/parameters.ts';
import { readScope, scopeSql } from '../../platform/database/row-scope.ts';
import type { StaffDependencies } from './dependencies.ts';
import { inListSnapshot } from './read-snapshot.ts';
import { idsBeginningWith } from './search.ts';
import { visibleToSql } from './users/filter.ts';

type Found = ResultOf<'quick_search'>;

/** Those whose ids begin alike: more than one is a rare accident. */
const rowsOfIdMax = 3;

const phone = /^\+?[\d\s().-]+$/;
/** The digits of what looks like a part of a phone number, as stored numbers have them; null for anything else. */
function toPhoneDigits(text: string): string | null {
  const digits = text.replace(/\D/g, '');
  return phone.test(text) && digits.length >= 4 ? digits : null;
}

// As the table API writes times.
const time = (column: string): string => `to_json(${column}) #>> '{}'`;

/** Which of `app.users u`, in which order, and how many at most. */
interface UserQuery {
  readonly where: string;
  readonly order: string;
  readonly most: number;
}

async function findUsers(
  tx: Queryable,
  caller: SignedIn,
  parameters: Parameters,
  { where, order, most }: UserQuery,
): Promise<Found['users']> {
  const reached = visibleToSql(caller, null, parameters);
  const limit = parameters.bind(most, 'bigint');
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

/** Exact names come first, then names with the prefix, then addresses with it. */
function usersBeginning(tx: Queryable, caller: SignedIn, text: string): Promise<Found['users']> {
  const parameters = new Parameters();
  const ids = idsBeginningWith(text);
  const byId =
    ids === null
      ? 'false'
      : `u.id between ${parameters.bind(ids[0], 'uuid')} and ${parameters.bind(ids[1], 'uuid')}`;
  const whole = parameters.bind(text.toLowerCase(), 'text');
  const beginning = parameters.bind(prefixPattern(text), 'text');
  const rank = `case when ${byId} or lower(u.username) = ${whole} or u.email = ${whole} then 0
    when lower(u.username) like ${beginning} then 1 else 2 end`;
  return findUsers(tx, caller, parameters, {
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
  const part = parameters.bind(substringPattern(text), 'text');
  const known = parameters.bind(
    first.map(({ id }) => id),
    'uuid[]',
  );
  const digits = toPhoneDigits(text);
  const byPhone =
    digits === null ? 'false' : `u.phone_number like ${parameters.bind(substringPattern(digits), 'text')}`;
  const others = await findUsers(tx, caller, parameters, {
    where: `(lower(u.username) like ${part} or u.email like ${part} or ${byPhone}) and u.id <> all(${known})`,
    order: byName,
    most: room,
  });
  return [...first, ...others];
}

function usersByIds(tx: Queryable, caller: SignedIn, ids: readonly string[]): Promise<Found['users']> {
  const parameters = new Parameters();
  const query = parameters.bind(ids, 'uuid[]');
  return findUsers(tx, caller, parameters, {
    where: `u.id = any(${query})`,
    order: `array_position(${query}, u.id)`,
    most: quickUsersMax,
  });
}

async function positionsById(tx: Queryable, caller: SignedIn, text: string): Promise<Found['positions']> {
  const ids = idsBeginningWith(text);
  const scope = readScope(positions.access, caller);
  if (ids === null || scope === undefined) return [];
  const parameters = new Parameters();
  const [from, to] = ids.map((id) => parameters.bind(id, 'uuid'));
  // PostgreSQL does not take a parameter that no expression mentions.
  const reached =
    scope === 'all' ? 'true' : scopeSql(scope, 'p.user_id', parameters.bind(caller.userId, 'uuid'));
  const { rows } = await tx.query<Found['positions'][number]>(
    `select p.id, p.user_id, u.username, p.symbol, p.side, p.status, ${time('coalesce(p.closed_at, p.created_at)')} as at
     from app.positions p join app.users u on u.id = p.user_id
     where p.id between ${from} and ${to} and ${reached} order by p.id limit ${parameters.bind(rowsOfIdMax, 'bigint')}`,
    parameters.values,
  );
  return rows;
}

const tableAccess = (name: TableName) => tableByName.get(name)?.access ?? {};

async function chatsById(tx: Queryable, caller: SignedIn, text: string): Promise<Found['chats']> {
  const ids = idsBeginningWith(text);
  if (ids === null || readScope(tableAccess('chat_sessions'), caller) !== 'all') return [];
  const { rows } = await tx.query<Found['chats'][number]>(
    `select c.id, c.user_id, u.username, c.status, ${time('c.created_at')} as created_at
     from app.chat_sessions c join app.users u on u.id = c.user_id
     where c.id between $1 and $2 order by c.id limit ${rowsOfIdMax}`,
    [...ids],
  );
  return rows;
}

async function messagesById(tx: Queryable, caller: SignedIn, text: string): Promise<Found['messages']> {
  const ids = idsBeginningWith(text);
  if (ids === null || readScope(tableAccess('contact_forms'), caller) !== 'all') return [];
  const { rows } = await tx.query<Found['messages'][number]>(
    `select id, name, subject, status, ${time('created_at')} as created_at
     from app.contact_forms where id between $1 and $2 order by id limit ${rowsOfIdMax}`,
    [...ids],
  );
  return rows;
}

const nothing: Found = { users: [], positions: [], chats: [], messages: [] };

export function createQuickSearch({ reader }: Pick<StaffDependencies, 'reader'>) {
  return {
    async quick_search(caller: SignedIn, args: ArgsOf<'quick_search'>): Promise<Found> {
      const text = args.p_text?.trim() ?? '';
      const ids = args.p_user_ids ?? [];
      if (text === '' && ids.length === 0) return nothing;
      return inListSnapshot(reader, async (tx) =>
        text === ''
          ? { ...nothing, users: await usersByIds(tx, caller, ids) }
          : {
              users: await usersByText(tx, caller, text),
              positions: await positionsById(tx, caller, text),
              chats: await chatsById(tx, caller, text),
              messages: await messagesById(tx, caller, text),
            },
      );
    },
  };
}
