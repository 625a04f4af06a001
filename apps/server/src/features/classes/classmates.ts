/**
 * What the members of a class see of each other: names and returns, where the class lets them. Invariant: without that setting, and for who
 * is no active member, there is no answer. A class is read whole, in a slot of the read limiter that is the class's own, as the answer is shared: a
 * member whose queue is full keeps it from no other one; it is answered in pages.
 */
import type { ArgsOf, ClassmateRow, ResultOf, SignedIn } from '@fulcrum/contract';
import { NO_MONEY, toNumber } from '@fulcrum/domain';
import { createTtlCache } from '../../platform/cache/ttl-cache.ts';
import { inReadSnapshot } from '../../platform/database/read-snapshot.ts';
import { readReturns } from '../analytics/index.ts';
import { marksOf, readEquities } from '../trading/index.ts';
import { classesMax } from './classes.ts';
import type { ClassesDependencies } from './dependencies.ts';

type Classmates = ResultOf<'list_classmates'>;

interface Ranked {
  readonly accountId: string;
  readonly username: string;
  readonly returnPct: number;
}

/** Every member reads the same list. */
const cachedForMs = 5_000;
const shownByDefault = 100;

export function createClassmates({
  db,
  clock,
  market,
  withReadSlot,
}: Pick<ClassesDependencies, 'db' | 'clock' | 'market' | 'withReadSlot'>) {
  const ranked = createTtlCache<readonly Ranked[]>(clock, { ttlMs: cachedForMs, max: classesMax });

  const readRanked = (classId: string): Promise<readonly Ranked[]> =>
    inReadSnapshot(db, async (tx) => {
      const { rows } = await tx.query<{ id: string; username: string }>(
        `select a.id, u.username
         from app.trading_accounts a join app.users u on u.id = a.owner_id
         where a.class_id = $1 and a.status = 'active'`,
        [classId],
        'list_classmates',
      );
      const ids = rows.map(({ id }) => id);
      const equities = await readEquities(tx, ids, marksOf(market));
      const returns = await readReturns(tx, ids);
      return rows
        .map(({ id, username }) => {
          const returned = returns.of(id, equities.get(id)?.equity ?? NO_MONEY);
          return { accountId: id, username, returnPct: toNumber(returned) };
        })
        .toSorted((a, b) => b.returnPct - a.returnPct || a.username.localeCompare(b.username));
    });

  return {
    list_classmates: async (
      caller: SignedIn,
      { p_offset, p_limit }: ArgsOf<'list_classmates'>,
    ): Promise<Classmates> => {
      const { rows } = await db.query<{ id: string; name: string }>(
        `select c.id, c.name from app.trading_accounts a join app.classes c on c.id = a.class_id
         where a.id = $1 and a.owner_id = $2 and a.status = 'active' and c.members_see_each_other`,
        [caller.accountId, caller.userId],
        'class_of_account',
      );
      const [found] = rows;
      if (!found) return null;
      const members = await ranked.get(found.id, () => withReadSlot(found.id, () => readRanked(found.id)));
      const toRow = ({ accountId, username, returnPct }: Ranked): ClassmateRow => ({
        ...{ username, return_pct: returnPct, is_self: accountId === caller.accountId },
      });
      const own = members.find(({ accountId }) => accountId === caller.accountId);
      const from = p_offset ?? 0;
      return {
        ...{ class_name: found.name, total: members.length },
        members: members.slice(from, from + (p_limit ?? shownByDefault)).map(toRow),
        own: own ? toRow(own) : null,
      };
    },
  };
}
