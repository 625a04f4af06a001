/**
 * The configuration, read from the settings. A wrong value stops the start with one line that names the variable, its value and the allowed
 * values. A secret is never shown, and may come from a file.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import type { MainRuleSetName, RegistrationMode } from '@fulcrum/domain';
import { type LimitSetting, limitSettings } from '../limits/declarations.ts';
import { type Limits, limitsWith } from '../limits/index.ts';
import type { LogLevel } from '../log/index.ts';
import { classOf } from '../outbound/addresses.ts';
import { ConfigError } from './config-error.ts';
import { isLoopback, isPublicHttp } from './hosts.ts';
import { defaultMailFrom, type Mailbox, type SmtpServer } from './mail.ts';
import type { NatsServers, ProcessRole } from './nats.ts';
import type { PriceFeed, Providers } from './prices.ts';
import { withSecretFiles } from './secret-files.ts';
import { type Name, readGiven, readSetting, secretSettings } from './settings.ts';

export { ConfigError } from './config-error.ts';
export type { ProcessRole } from './nats.ts';
export type { PriceFeed } from './prices.ts';
export { fileVariable } from './secret-files.ts';
export { settings, tradingFeeRateMax } from './settings.ts';

export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absolute. */
  readonly dataDir: string;
  /** null: the embedded PostgreSQL. */
  readonly databaseUrl: string | null;
  /** A standby for reads that are no trader's own latest rows; null: there is none. */
  readonly replicaUrl: string | null;
  /** Engines side by side in this process. */
  readonly engineLanes: number;
  /** null: this process is no member of a cluster. */
  readonly nats: NatsServers | null;
  /** What this process does; without a cluster everything. */
  readonly roles: readonly ProcessRole[];
  /** Without a trailing slash. */
  readonly publicUrl: string;
  /** Names besides the one in `publicUrl`, in lowercase. */
  readonly hosts: readonly string[];
  /** As fastify's `trustProxy`: number of proxies in front, or their addresses. */
  readonly trustProxy: boolean | number | string[];
  readonly rules: MainRuleSetName;
  readonly registration: RegistrationMode;
  /** Mail domains of who registers; empty: all. */
  readonly registrationDomains: readonly string[];
  /** 1e-8 USDT. */
  readonly signupBalance: bigint;
  /** 1e-8 of the traded value, charged at the opening and at the close. */
  readonly tradingFeeRate: bigint;
  readonly allowReset: boolean;
  readonly priceFeed: PriceFeed;
  readonly providers: Providers;
  /** Days for which one-minute bars are stored; longer bars are never deleted. */
  readonly candleDays: number;
  /** null: live sources that are polled follow trading hours, all other sources trade around the clock. */
  readonly sessions: 'honour' | '24x7' | null;
  readonly priceTolerancePct: number;
  /** Seconds; null: 15 for crypto, 60 for every other market. */
  readonly staleAfterS: number | null;
  /** null: mails are written as files to the outbox of `dataDir`. */
  readonly smtp: SmtpServer | null;
  readonly mailFrom: Mailbox;
  /** Push services that are called, as `host`, `*.host` or `host:port`; empty: Web Push is off. */
  readonly pushHosts: readonly string[];
  /** Both are shown on the public pages; null: not shown. */
  readonly contactEmail: string | null;
  readonly contactPhone: string | null;
  /** Rate limits per address and per account, with the numbers that the operator set. */
  readonly limits: Limits;
  /** Age below which a reviewer of identity checks is warned; 0: no least age. */
  readonly minAge: number;
  /** Days after the decision for which the pictures of an identity check are stored; 0: for good. */
  readonly kycKeepDays: number;
  /** Scheduled backups; null: none. */
  readonly backups: {
    /** Absolute. */
    readonly dir: string;
    /** Minutes since midnight, UTC, in ascending order. */
    readonly times: readonly number[];
    readonly keepDays: number;
  } | null;
  /** Absolute; null: backups are not encrypted. */
  readonly backupKeyFile: string | null;
  /** Null: figures are for this machine only. */
  readonly metricsToken: string | null;
  readonly healthToken: string | null;
  readonly alertWebhook: { readonly url: string; readonly secret: string } | null;
  /** The language model of the assistant; null: there is none. */
  readonly languageModel: LanguageModel | null;
  readonly logLevel: LogLevel;
  readonly demo: boolean;
  /** Whether the demo comes with a past and with invented users (docs/demo.md). */
  readonly demoHistory: boolean;
}

export interface LanguageModel {
  /** Of the API, without a trailing slash, such as `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly name: string;
  readonly key: string | null;
}

type Environment = Readonly<Record<string, string | undefined>>;

const demoStartBalance = 10_000n * 100_000_000n;

/** Parses the environment; unset and empty variables take their default. Throws a ConfigError of one line. */
export function loadConfig(environment: Environment): Config {
  const env = withSecretFiles(environment, secretSettings);
  const get = <N extends Name>(name: N) => readSetting(name, env[name]);
  const host = get('HOST');
  const port = get('PORT');
  const rules = get('RULES');
  const demoSetting = get('DEMO');
  const isMember = get('NATS_URL') !== undefined;
  const demo = demoSetting ?? (env.NODE_ENV !== 'production' && !isMember);
  if (demo && demoSetting === undefined && !isLoopback(host)) {
    throw new ConfigError(
      `HOST=${host} opens the server to other machines, where the demo accounts have a known password: set DEMO=false to do without them, or DEMO=true to keep them`,
    );
  }
  refusePrivateProviders(env, get('PRICE_FEED').kind, get('ALLOW_PRIVATE_PROVIDERS'));
  const priceFeed = get('PRICE_FEED');
  const mayHaveHistory = demo && priceFeed.kind === 'simulated' && env.NODE_ENV !== 'production';
  if (get('DEMO_HISTORY') === true && !mayHaveHistory) {
    throw new ConfigError(
      'DEMO_HISTORY=true needs the demo, PRICE_FEED=simulated and no NODE_ENV=production: leave it out or set DEMO_HISTORY=false',
    );
  }
  checkCluster(env);
  const publicUrl = get('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    host,
    port,
    dataDir: resolve(get('DATA_DIR')),
    databaseUrl: get('DATABASE_URL') ?? null,
    replicaUrl: readReplica(env),
    engineLanes: get('ENGINE_LANES'),
    nats: get('NATS_URL') ?? null,
    roles: get('ROLES'),
    publicUrl,
    hosts: get('HOSTS') ?? [],
    trustProxy: get('TRUST_PROXY'),
    rules,
    registration: get('REGISTRATION'),
    registrationDomains: get('REGISTRATION_DOMAINS') ?? [],
    signupBalance: get('SIGNUP_BALANCE') ?? (demo && rules === 'standard' ? demoStartBalance : 0n),
    tradingFeeRate: get('TRADING_FEE_RATE'),
    allowReset: get('ALLOW_RESET') ?? demo,
    priceFeed,
    providers: {
      binanceUrl: get('BINANCE_URL'),
      binanceStreamUrl: get('BINANCE_STREAM_URL'),
      yahooUrl: get('YAHOO_URL'),
      proxies: get('MARKET_PROXIES') ?? [],
      allowPrivate: get('ALLOW_PRIVATE_PROVIDERS'),
      quotesPerS: get('QUOTES_PER_S'),
    },
    candleDays: get('CANDLE_DAYS'),
    sessions: get('SESSIONS') ?? null,
    priceTolerancePct: get('PRICE_TOLERANCE_PCT'),
    staleAfterS: get('STALE_AFTER_S') ?? null,
    smtp: get('SMTP_URL') ?? null,
    mailFrom: get('MAIL_FROM') ?? defaultMailFrom(publicUrl),
    pushHosts: get('PUSH_HOSTS'),
    contactEmail: get('CONTACT_EMAIL') ?? null,
    contactPhone: get('CONTACT_PHONE') ?? null,
    limits: limitsWith(readLimitSettings(env)),
    minAge: get('MIN_AGE'),
    kycKeepDays: get('KYC_KEEP_DAYS'),
    backups: scheduledBackups(get('BACKUP_DIR'), {
      times: get('BACKUP_AT'),
      keepDays: get('BACKUP_KEEP_DAYS'),
    }),
    backupKeyFile: toPath(get('BACKUP_KEY_FILE')),
    metricsToken: get('METRICS_TOKEN') ?? null,
    healthToken: get('HEALTH_TOKEN') ?? null,
    alertWebhook: alertWebhook(get('ALERT_WEBHOOK'), get('ALERT_WEBHOOK_SECRET')),
    languageModel: languageModel(get('AI_URL'), get('AI_MODEL'), get('AI_KEY')),
    logLevel: get('LOG_LEVEL'),
    demo,
    demoHistory: mayHaveHistory && (get('DEMO_HISTORY') ?? true),
  };
}

const scheduledBackups = (
  dir: string | undefined,
  more: Omit<NonNullable<Config['backups']>, 'dir'>,
): Config['backups'] => (dir === undefined ? null : { dir: resolve(dir), ...more });

const toPath = (path: string | undefined): string | null => (path === undefined ? null : resolve(path));

/** @throws ConfigError without the key: a receiver could not tell its messages from forged ones */
function alertWebhook(url: string | undefined, secret: string | undefined): Config['alertWebhook'] {
  if (url === undefined) return null;
  if (secret === undefined) {
    throw new ConfigError(
      'ALERT_WEBHOOK needs ALERT_WEBHOOK_SECRET, the key that its messages are signed with: set it, for instance to the output of `openssl rand -hex 32`',
    );
  }
  return { url, secret };
}

/** @throws ConfigError for a part without the others */
function languageModel(
  url: string | undefined,
  name: string | undefined,
  key: string | undefined,
): Config['languageModel'] {
  if (url === undefined) {
    if (name === undefined) return null;
    throw new ConfigError('AI_MODEL needs AI_URL, the address of the API that has it');
  }
  if (name === undefined) throw new ConfigError('AI_URL needs AI_MODEL, the name of the model');
  if (key !== undefined && isPublicHttp(url))
    throw new ConfigError('AI_KEY would be sent in clear text: use an https:// address in AI_URL');
  return { url, name, key: key ?? null };
}

function readLimitSettings(env: Environment): Partial<Record<LimitSetting, number>> {
  const chosen: Partial<Record<LimitSetting, number>> = {};
  for (const name of Object.keys(limitSettings) as LimitSetting[]) {
    const figure = readGiven(name, env[name]);
    if (figure !== undefined) chosen[name] = figure;
  }
  return chosen;
}

/** @throws ConfigError */
function readReplica(env: Environment): string | null {
  const url = readGiven('DATABASE_REPLICA_URL', env.DATABASE_REPLICA_URL) ?? null;
  if (url === null || readGiven('DATABASE_URL', env.DATABASE_URL) !== undefined) return url;
  throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, the primary that it follows');
}

/** What a cluster needs besides `NATS_URL`: its processes share the database, and a mail written as a file would stay on one machine. */
const neededInCluster = ['DATABASE_URL', 'SMTP_URL'] as const;

/** The leader waits for the engines of its own process alone between two recorded instants. */
export const replaySpeedMaxInCluster = 60;

/** @throws ConfigError */
function checkCluster(env: Environment): void {
  if (readGiven('NATS_URL', env.NATS_URL) === undefined) {
    if (readGiven('ROLES', env.ROLES) === undefined) return;
    throw new ConfigError('ROLES needs NATS_URL: without it one process does everything');
  }
  const missing = neededInCluster.find((name) => readGiven(name, env[name]) === undefined);
  if (missing !== undefined) throw new ConfigError(`NATS_URL needs ${missing}, the same for every process`);
  if (readGiven('DEMO', env.DEMO))
    throw new ConfigError('NATS_URL has no demo: leave DEMO out or set it to false');
  const feed = readGiven('PRICE_FEED', env.PRICE_FEED);
  if (feed?.kind === 'replay' && feed.speed > replaySpeedMaxInCluster)
    throw new ConfigError(
      `a recording plays at most at ${replaySpeedMaxInCluster}x in a cluster: lower the speed of PRICE_FEED, or unset NATS_URL`,
    );
}

const providerNames = ['BINANCE_URL', 'BINANCE_STREAM_URL', 'YAHOO_URL', 'MARKET_PROXIES'] as const;

/**
 * Refuses a provider address that no request may ever reach: the start fails instead of a feed without prices. Names that
 * resolve to such an address are found only when they are called.
 * @throws ConfigError
 */
function refusePrivateProviders(env: Environment, kind: PriceFeed['kind'], isAllowed: boolean): void {
  if (isAllowed || (kind !== 'auto' && kind !== 'live')) return;
  for (const name of providerNames) {
    const value = readGiven(name, env[name]) ?? [];
    const hosts = [value].flat().map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
    const host = hosts.find((one) => one === 'localhost' || (isIP(one) !== 0 && classOf(one) === 'private'));
    if (host === undefined) continue;
    throw new ConfigError(
      `${name} has an address of this machine or of a private network (${host}), which is called only with ALLOW_PRIVATE_PROVIDERS=true`,
    );
  }
}
