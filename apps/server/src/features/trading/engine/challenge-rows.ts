/** A step of a challenge as it is stored, and as the domain's values. */
import { type ChallengeRules, challengeStep } from '@fulcrum/contract';
import {
  type AccountChallenge,
  asMoney,
  asPercent,
  beginChallenge,
  type ChallengeState,
  type ChallengeStep,
  type Money,
  parseDecimal,
  toDecimalString,
} from '@fulcrum/domain';
import { epochMsSql } from '../../../platform/database/epoch-ms.ts';

/** Times in milliseconds since the epoch, amounts as decimals. */
export interface StoredStep {
  readonly programId: string;
  readonly step: unknown;
  readonly initial: string;
  readonly began: number;
  readonly ends: number;
  /** Null while the step is as it began. */
  readonly state: {
    readonly dayBegins: number;
    readonly dayBalance: string;
    readonly dayEquity: string;
    readonly highestDayEnd: string;
    readonly peak: string;
    readonly bestDay: string;
  } | null;
  readonly tradedOn: readonly number[];
  readonly changedAt: number;
}

/** As JSON, of an account and its program, by their aliases. */
export const challengeSql = ({
  account,
  program,
}: {
  readonly account: string;
  readonly program: string;
}) => `
  json_build_object(
    'programId', ${program}.id, 'step', ${program}.rules -> 'steps' -> (${account}.program_step - 1),
    'initial', ${account}.start_balance::text,
    'began', ${epochMsSql(`${account}.created_at`)}, 'ends', ${epochMsSql(`${program}.ends_at`)},
    'state', (select json_build_object('dayBegins', ${epochMsSql('s.day_begins')}, 'dayBalance', s.day_balance::text,
        'dayEquity', s.day_equity::text, 'highestDayEnd', s.highest_day_end::text, 'peak', s.peak::text, 'bestDay', s.best_day::text)
      from app.challenge_states s where s.account_id = ${account}.id),
    'tradedOn', (select coalesce(json_agg(distinct ${epochMsSql(`date_trunc('day', t.created_at, 'UTC')`)}), '[]')
      from app.positions t where t.user_id = ${account}.id and t.split_from is null),
    'changedAt', coalesce((select ${epochMsSql('w.last_updated')} from app.wallets w where w.user_id = ${account}.id), ${epochMsSql(`${account}.created_at`)}))`;

const money = (text: string): Money => asMoney(parseDecimal(text));
const percent = (given: string | number) => asPercent(parseDecimal(given));

export function toChallengeStep(of: ChallengeRules['steps'][number]): ChallengeStep {
  const { targetPct, dailyLoss, maxLoss, consistencyPct, daysMin, daysMax } = of;
  return {
    targetPct: percent(targetPct),
    dailyLoss: dailyLoss && { ...dailyLoss, pct: percent(dailyLoss.pct) },
    maxLoss: {
      mode: maxLoss.mode,
      pct: percent(maxLoss.pct),
      lockPct: maxLoss.lockPct === null ? null : percent(maxLoss.lockPct),
    },
    consistencyPct: consistencyPct === null ? null : percent(consistencyPct),
    ...{ daysMin, daysMax },
  };
}

export function challengeOf({
  programId,
  step: rules,
  initial,
  began,
  ends,
  state,
  tradedOn,
  changedAt,
}: StoredStep): AccountChallenge {
  const step = toChallengeStep(challengeStep.parse(rules));
  const begun = beginChallenge(step, { initial: money(initial), at: began, ends });
  if (!state) return { programId, step, state: begun, tradedOn, changedAt };
  return {
    ...{ programId, step, tradedOn, changedAt },
    state: {
      ...begun,
      day: { begins: state.dayBegins, balance: money(state.dayBalance), equity: money(state.dayEquity) },
      ...{
        highestDayEnd: money(state.highestDayEnd),
        peak: money(state.peak),
        bestDay: money(state.bestDay),
      },
    },
  };
}

/** The value as JSON, with amounts as decimals. */
export const amountsAsDecimals = (of: object): unknown =>
  JSON.parse(
    JSON.stringify(of, (_, value: unknown) => (typeof value === 'bigint' ? toDecimalString(value) : value)),
  );

interface StateOfAccount {
  readonly accountId: string;
  readonly state: ChallengeState;
}

/** Past the fence of a batch, as its write: of an engine that is over, or that has not the slot, nothing is stored. */
export const writeStatesStatement = (epoch: number, states: readonly StateOfAccount[], at: number) => ({
  name: 'engine_write_challenge_states',
  text: `
    with living as (select id from app.engines where id = $1 and ended_at is null for key share)
    insert into app.challenge_states (account_id, day_begins, day_balance, day_equity, highest_day_end, peak, best_day, updated_at)
    select s.*, $9 from unnest($2::uuid[], $3::timestamptz[], $4::numeric[], $5::numeric[], $6::numeric[], $7::numeric[], $8::numeric[])
      as s (account_id, day_begins, day_balance, day_equity, highest_day_end, peak, best_day)
      join app.engine_slots o on o.slot = app.slot_of(s.account_id) join living on living.id = o.engine
    where exists (select from app.trading_accounts a where a.id = s.account_id and a.status = 'active')
    on conflict (account_id) do update set day_begins = excluded.day_begins, day_balance = excluded.day_balance,
      day_equity = excluded.day_equity, highest_day_end = excluded.highest_day_end, peak = excluded.peak,
      best_day = excluded.best_day, updated_at = excluded.updated_at`,
  values: [
    ...[epoch, states.map(({ accountId }) => accountId)],
    states.map(({ state }) => new Date(state.day.begins)),
    ...(
      [
        ({ day }) => day.balance,
        ({ day }) => day.equity,
        ({ highestDayEnd }) => highestDayEnd,
        ({ peak }) => peak,
        ({ bestDay }) => bestDay,
      ] satisfies ((state: ChallengeState) => Money)[]
    ).map((of) => states.map(({ state }) => toDecimalString(of(state)))),
    new Date(at),
  ],
});
