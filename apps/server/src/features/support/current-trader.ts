/**
 * The trader data that support sees (A103). Invariants: only while the conversation is open, and an unknown one answers
 * like a closed one; never a document; one statement reads everything, so it is one snapshot.
 */
import { AppError, type ArgsOf, type ResultOf, type SignedIn } from '@fulcrum/contract';
import type { Database } from '../../platform/database/index.ts';

type CurrentTrader = ResultOf<'get_attended_trader'>;

const earlierMax = 20;

const currentTraderStatement = `
  select json_build_object(
    'user', json_build_object('id', u.id, 'username', u.username, 'email', u.email, 'created_at', u.created_at,
      'last_login', u.last_login, 'kyc_status', u.kyc_status, 'restricted_at', u.restricted_at),
    'wallet', (select json_build_object('balance', w.balance, 'available_balance', w.available_balance,
      'currency', w.currency) from api.wallets w where w.user_id = u.id),
    'positions', (select coalesce(json_agg(to_json(p) order by p.created_at desc, p.id), '[]')
      from api.positions p where p.user_id = u.id and p.status = 'open'),
    'earlier', (select coalesce(json_agg(json_build_object('id', e.id, 'created_at', e.created_at,
        'closed_at', e.closed_at, 'messages', e.last_seq, 'rating', e.rating) order by e.created_at desc, e.id), '[]')
      from (select * from app.chat_sessions e
            where e.user_id = u.id and e.id <> s.id and e.last_seq > 0
            order by e.created_at desc, e.id limit ${earlierMax}) e)
  ) as attended
  from app.chat_sessions s join app.users u on u.id = s.user_id
  where s.id = $1 and s.status = 'open'`;

export const createCurrentTrader =
  ({ db }: { readonly db: Database }) =>
  async (_caller: SignedIn, { p_session_id }: ArgsOf<'get_attended_trader'>): Promise<CurrentTrader> => {
    const { rows } = await db.query<{ attended: CurrentTrader }>(
      currentTraderStatement,
      [p_session_id],
      'attended_trader',
    );
    const [row] = rows;
    if (!row) throw new AppError('not_found', 'There is no open conversation of that id.');
    return row.attended;
  };
