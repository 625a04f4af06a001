/**
 * The settings by which a cluster decides are the same at each of its processes. They are a row each, as a hash; whoever starts while
 * another process lives compares its own with them, and whoever starts alone writes its own. Invariant: two living processes have the
 * same rules, prices and secrets.
 */
import { createHash } from 'node:crypto';
import type { Config } from '../config/index.ts';
import type { Secrets } from '../config/secrets.ts';
import type { Database, Queryable } from '../database/index.ts';
import { StartError } from '../start-error.ts';

/** What is shared, by the names that an operator knows. */
const settingOf = {
  rules: 'RULES',
  tradingFeeRate: 'TRADING_FEE_RATE',
  signupBalance: 'SIGNUP_BALANCE',
  allowReset: 'ALLOW_RESET',
  priceFeed: 'PRICE_FEED',
  priceTolerancePct: 'PRICE_TOLERANCE_PCT',
  staleAfterS: 'STALE_AFTER_S',
  sessions: 'SESSIONS',
  candleDays: 'CANDLE_DAYS',
  registration: 'REGISTRATION',
  registrationDomains: 'REGISTRATION_DOMAINS',
  minAge: 'MIN_AGE',
} as const satisfies Partial<Record<keyof Config, string>>;
type Shared = Pick<Config, keyof typeof settingOf>;

/** A process that stopped answering longer ago lives no more. */
const livesFor = `interval '10 seconds'`;

const hashOf = (value: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? String(each) : each)))
    .digest('hex');

async function isAnotherAlive(tx: Queryable): Promise<boolean> {
  const { rows } = await tx.query<{ alive: boolean }>(
    `select exists (select from app.engines where ended_at is null and heard_at > clock_timestamp() - ${livesFor})
       or exists (select from app.duties where heard_at > clock_timestamp() - ${livesFor}) as alive`,
  );
  return rows[0]?.alive === true;
}

const toHashes = (config: Shared, secrets: Secrets): ReadonlyMap<string, string> =>
  new Map<string, string>([
    ...(Object.keys(settingOf) as (keyof Shared)[]).map((name): [string, string] => [
      settingOf[name],
      hashOf(config[name]),
    ]),
    ['secrets.json', hashOf(Object.entries(secrets).sort())],
  ]);

const findDifferent = async (db: Queryable, own: ReadonlyMap<string, string>): Promise<string | null> => {
  const { rows } = await db.query<{ name: string; hash: string }>(
    'select name, hash from app.cluster_settings',
  );
  return rows.find(({ name, hash }) => own.has(name) && own.get(name) !== hash)?.name ?? null;
};

const refuse = (name: string): never => {
  throw new StartError(
    `${name} is another one here than in the cluster that runs: give all processes the same, and stop all of them to change it`,
  );
};

/** Called once this process counts as living: two that differ may have begun at the same time. @throws StartError */
export async function verifySettings(db: Database, config: Shared, secrets: Secrets): Promise<void> {
  const different = await findDifferent(db, toHashes(config, secrets));
  if (different !== null) refuse(different);
}

/** @throws StartError which names the setting that differs */
export async function agreeOnSettings(db: Database, config: Shared, secrets: Secrets): Promise<void> {
  const own = toHashes(config, secrets);
  await db.transaction(async (tx) => {
    // One start at a time.
    await tx.query('lock table app.cluster_settings in exclusive mode');
    const different = await findDifferent(tx, own);
    if (different !== null && (await isAnotherAlive(tx))) refuse(different);
    await tx.query('delete from app.cluster_settings');
    await tx.query(
      'insert into app.cluster_settings (name, hash) select * from unnest($1::text[], $2::text[])',
      [[...own.keys()], [...own.values()]],
    );
  });
}
