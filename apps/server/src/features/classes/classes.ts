/**
 * Makes and changes classes (A112). Invariants: the money, rules and leverage of a class with a member never change; a change of its limits
 * is read by the engine for every member after the commit; each action has an audit row.
 */
import { AppError, type ArgsOf, type ClassRow, managerOf, type SignedIn, texts } from '@fulcrum/contract';
import type { Queryable } from '../../platform/database/index.ts';
import { mapUniqueViolation } from '../../platform/database/unique-violation.ts';
import { requireManager } from '../identity/index.ts';
import type { ClassesDependencies } from './dependencies.ts';
import { checkTerms, saveTerms } from './save-terms.ts';

/** Classes of this server; the list shows all of them. */
export const classesMax = 500;

type SaveArgs = ArgsOf<'save_class'>;

const selectClass = `
  select c.id, c.name, c.begins_at, c.ends_at, c.start_balance::float8 as start_balance, c.rules, c.leverage_max, c.symbols,
         c.positions_max, c.members_see_each_other, c.version,
         coalesce((select json_agg(json_build_object('id', u.id, 'username', u.username) order by u.username)
                   from app.class_tutors t join app.users u on u.id = t.user_id where t.class_id = c.id), '[]') as tutors,
         (select count(*)::int from app.trading_accounts a where a.class_id = c.id and a.status = 'active') as members
  from app.classes c`;

type StoredClass = Omit<ClassRow, 'begins_at' | 'ends_at'> & {
  readonly begins_at: Date;
  readonly ends_at: Date;
};
const toRow = ({ begins_at, ends_at, ...row }: StoredClass): ClassRow => ({
  ...row,
  begins_at: begins_at.toISOString(),
  ends_at: ends_at.toISOString(),
});

export const classNotFound = () => new AppError('not_found', 'This class does not exist.');

async function readClass(tx: Queryable, id: string): Promise<ClassRow> {
  const { rows } = await tx.query<StoredClass>(`${selectClass} where c.id = $1`, [id], 'read_class');
  const [row] = rows;
  if (!row) throw classNotFound();
  return toRow(row);
}

/** What of a class is stored, checked. */
interface ClassTerms {
  readonly name: string;
  readonly startBalance: string;
  readonly begins: Date;
  readonly ends: Date;
}

export function createClassCommands({ db, clock, reload, market }: ClassesDependencies) {
  /** @throws AppError invalid_argument in words, unknown_symbol */
  function check(args: SaveArgs): ClassTerms {
    const { name, startBalance } = checkTerms(
      {
        ...{ name: args.p_name, startBalance: args.p_start_balance },
        ...{ leverageMax: args.p_leverage_max, symbols: args.p_symbols },
      },
      market,
    );
    const [begins, ends] = [new Date(args.p_begins_at), new Date(args.p_ends_at)];
    if (ends <= begins) throw new AppError('invalid_argument', 'A class ends after it begins.');
    return { name, startBalance, begins, ends };
  }

  async function setTutors(tx: Queryable, classId: string, tutorIds: readonly string[]): Promise<void> {
    for (const id of tutorIds) await requireManager(tx, id);
    await tx.query('delete from app.class_tutors where class_id = $1 and user_id <> all ($2::uuid[])', [
      classId,
      tutorIds,
    ]);
    await tx.query(
      `insert into app.class_tutors (class_id, user_id) select $1, unnest($2::uuid[]) on conflict do nothing`,
      [classId, tutorIds],
    );
  }

  async function create(tx: Queryable, caller: SignedIn, args: SaveArgs, terms: ClassTerms, at: Date) {
    const { rows } = await tx.query<{ id: string }>(
      `insert into app.classes (name, begins_at, ends_at, start_balance, rules, leverage_max, symbols, positions_max, created_by,
         client_id, created_at, updated_at, members_see_each_other)
       select $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $11, $12
       where (select count(*) from app.classes) < ${classesMax} returning id`,
      [
        ...[terms.name, terms.begins, terms.ends, terms.startBalance, args.p_rules, args.p_leverage_max],
        ...[args.p_symbols, args.p_positions_max, caller.userId, args.p_client_id ?? null, at],
        args.p_members_see_each_other ?? false,
      ],
    );
    const [created] = rows;
    if (!created) throw new AppError('conflict', `There are ${classesMax} classes.`);
    return created.id;
  }

  /** @throws AppError not_found, conflict for a changed class and for terms that are fixed */
  async function change(tx: Queryable, id: string, args: SaveArgs, terms: ClassTerms, at: Date) {
    await tx.query('select from app.classes where id = $1 for update', [id]);
    const before = await readClass(tx, id);
    if (before.version !== args.p_version) throw new AppError('conflict', texts.changedMeanwhile);
    const isFixed =
      before.start_balance !== Number(terms.startBalance) ||
      before.rules !== args.p_rules ||
      before.leverage_max !== args.p_leverage_max;
    const { rowCount: accounts } = await tx.query(
      'select from app.trading_accounts where class_id = $1 limit 1',
      [id],
    );
    if (isFixed && accounts > 0) {
      throw new AppError(
        'conflict',
        'Start balance, rules and leverage are fixed, because the class has had a member.',
      );
    }
    await tx.query(
      `update app.classes set name = $2, begins_at = $3, ends_at = $4, start_balance = $5, rules = $6, leverage_max = $7, symbols = $8,
         positions_max = $9, updated_at = $10, members_see_each_other = coalesce($11, members_see_each_other), version = version + 1
       where id = $1`,
      [
        ...[id, terms.name, terms.begins, terms.ends, terms.startBalance, args.p_rules],
        ...[args.p_leverage_max, args.p_symbols, args.p_positions_max, at],
        args.p_members_see_each_other ?? null,
      ],
    );
    return before;
  }

  return {
    /** @throws AppError invalid_argument, not_found, conflict; AccountError session_ended */
    save_class: async (caller: SignedIn, args: SaveArgs): Promise<ClassRow> => {
      const terms = check(args);
      const at = new Date(clock.now());
      const { row, accountIds } = await namedOnce(() =>
        saveTerms(db, caller, {
          ...{ object: 'class', at, args, toDetail },
          read: readClass,
          create: (tx) => create(tx, caller, args, terms, at),
          change: (tx, id) => change(tx, id, args, terms, at),
          afterwards: (tx, id) => setTutors(tx, id, args.p_tutor_ids),
        }),
      );
      if (accountIds.length > 0) reload(accountIds);
      return row;
    },

    list_classes: async (caller: SignedIn): Promise<ClassRow[]> => {
      const { rows } = await db.query<StoredClass>(
        `${selectClass}
         where $1::uuid is null or exists (select from app.class_tutors t where t.class_id = c.id and t.user_id = $1)
         order by c.ends_at desc, c.id limit ${classesMax}`,
        [managerOf(caller)],
        'list_classes',
      );
      return rows.map(toRow);
    },
  };
}

/** Names of tutors are not in the audit log. */
const toDetail = ({ tutors, members: _, version: __, id: ___, ...terms }: ClassRow) => ({
  ...terms,
  tutor_ids: tutors.map(({ id }) => id),
});

/** @throws AppError conflict when another class has the name */
const namedOnce = <T>(write: () => Promise<T>): Promise<T> =>
  mapUniqueViolation(
    {
      classes_name: () => new AppError('conflict', 'There is a class of this name. Choose another one.'),
    },
    write,
  );
