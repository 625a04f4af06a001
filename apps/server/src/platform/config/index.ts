/**
 * The configuration: every environment variable that the server reads, declared once with its unit, default and check.
 * Invariant: no other module reads the environment for settings. A wrong value stops the start with one line that names the
 * variable, its value and the allowed values. A secret is never shown, and may come from a file.
 */
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import {
  type MainRuleSetName,
  mainRuleSetNames,
  type RegistrationMode,
  registrationModes,
} from '@fulcrum/domain';
import { z } from 'zod';
import { type LimitSetting, type Limits, limitSettings, limitsWith } from '../limits/index.ts';
import { type LogLevel, logLevels } from '../log/index.ts';
import { classOf } from '../outbound/addresses.ts';
import { ConfigError } from './config-error.ts';
import { contactEmail, contactPhone } from './contact.ts';
import { hostNames, isLoopback, isPublicHttp } from './hosts.ts';
import { defaultMailFrom, type Mailbox, mailFrom, type SmtpServer, smtpUrl } from './mail.ts';
import { type NatsServers, natsUrl, type ProcessRole, processRoles, roleNames } from './nats.ts';
import { decimalBetween, integerBetween } from './numbers.ts';
import { type PriceFeed, type Providers, priceFeed, proxies, socketUrl, webUrl } from './prices.ts';
import { defaultPushHosts, pushHosts } from './push.ts';
import { withSecretFiles } from './secret-files.ts';

export { ConfigError } from './config-error.ts';
export type { NatsServers, ProcessRole } from './nats.ts';
export type { PriceFeed, Providers } from './prices.ts';
export { fileVariable } from './secret-files.ts';

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

interface Setting<Value> {
  /** One sentence with the unit. */
  readonly meaning: string;
  /** Completes 'allowed: …' in the error line and the table of the README. */
  readonly allowed: string;
  /** The value as the operator would write it, or a phrase where it depends on another setting. */
  readonly byDefault: string;
  /** Parses the variable's text. */
  readonly schema: z.ZodType<Value, string>;
  /** Never shown, and may come from the file that `<name>_FILE` names. */
  readonly isSecret?: true;
}

const setting = <Value>(declaration: Setting<Value>): Setting<Value> => declaration;

const flag = z.enum(['true', 'false']).transform((text) => text === 'true');

const amount = z
  .string()
  .regex(/^\d{1,12}(\.\d{1,8})?$/)
  .transform((text) => {
    const [whole = '0', fraction = ''] = text.split('.');
    return BigInt(whole + fraction.padEnd(8, '0'));
  });

/**
 * Half a per cent of the value. At the highest leverage that is more than half of the margin, at each of opening and close.
 */
/** In 1e-8: 0.5 %. */
export const tradingFeeRateMax = 500_000n;
const feeRate = amount.refine((rate) => rate <= tradingFeeRateMax);

/** `TRUST_PROXY`: a wrong value lets a client forge its address, so 'true' (trust every sender) is not accepted. */
const trustProxy = z.union([
  z.literal('false').transform(() => false),
  z
    .string()
    .regex(/^[1-9]$/)
    .transform(Number),
  z
    .string()
    .transform((text) => text.split(/,\s*/))
    .refine((networks) => networks.every(isNetwork)),
]);

/** Whether the text is an IP address or a network such as `10.0.0.0/8`; length 0 would match every address. */
function isNetwork(text: string): boolean {
  const [address = '', length] = text.split('/', 2);
  const version = isIP(address);
  if (version === 0 || length === undefined) return version !== 0;
  return integerBetween(1, version === 4 ? 32 : 128).safeParse(length).success;
}

const limitMax = 100_000;
const limitSetting = (name: LimitSetting) =>
  setting({
    meaning: limitSettings[name].meaning,
    allowed: `a whole number from 1 to ${limitMax}`,
    byDefault: String(limitSettings[name].byDefault),
    schema: integerBetween(1, limitMax),
  });

/** Minutes since midnight, in ascending order. */
const timesOfDay = z
  .string()
  .transform((text) => text.split(/,\s*/))
  .refine((times) => times.length <= 24 && times.every((time) => /^([01]\d|2[0-3]):[0-5]\d$/.test(time)))
  .transform((times) => {
    const minutes = times.map((time) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3)));
    return [...new Set(minutes)].sort((one, other) => one - other);
  });

const mailDomains = z
  .string()
  .transform((text) => text.toLowerCase().split(/,\s*/))
  .refine((domains) => domains.every((domain) => /^(\*\.)?([\w-]+\.)+[\w-]+$/.test(domain)));

/** Beyond it one PostgreSQL writes more for smaller batches, and the pool has too few connections left for reads. */
const engineLanesMax = 4;

/** RFC 6750, 2.1. */
const bearerToken = z.string().regex(/^[\w.~+/-]{20,}=*$/);

/** Every variable, in the order of the README's table. */
export const settings = {
  PORT: setting({
    meaning: 'TCP port of the web server.',
    allowed: 'a whole number from 0 to 65535 (0 picks a free one)',
    byDefault: '3000',
    schema: integerBetween(0, 65_535),
  }),
  HOST: setting({
    meaning:
      'Address to listen on. Away from this machine the known demo passwords need an explicit DEMO=true.',
    allowed: 'an IP address or host name',
    byDefault: '127.0.0.1',
    schema: z.string().regex(/^[\w.:-]+$/),
  }),
  DATA_DIR: setting({
    meaning: 'Folder of the embedded database and the secrets.',
    allowed: 'a path',
    byDefault: '.data',
    schema: z.string().min(1),
  }),
  DATABASE_URL: setting({
    meaning:
      'A PostgreSQL 15 or newer to use instead of the embedded one. Of several hosts the one that is the primary is used.',
    allowed: 'postgresql://user:password@host:port/database, or host:port,host:port in it',
    byDefault: 'none: the embedded PostgreSQL',
    schema: z.string().regex(/^postgres(ql)?:\/\/\S+$/),
    isSecret: true,
  }),
  DATABASE_REPLICA_URL: setting({
    meaning:
      'A standby of DATABASE_URL for lists and files of staff, analytics and older rows. It is used only when it has replayed all that was acknowledged.',
    allowed: 'postgresql://user:password@host:port/database, with DATABASE_URL',
    byDefault: 'none: all reads go to the primary',
    schema: z.string().regex(/^postgres(ql)?:\/\/\S+$/),
    isSecret: true,
  }),
  ENGINE_LANES: setting({
    meaning:
      'Engines side by side in this process, each with a share of the accounts: one decides while another one writes. 2 from four cores on; with fewer, or with few orders, 1 is best.',
    allowed: `a whole number from 1 to ${engineLanesMax}`,
    byDefault: '1',
    schema: integerBetween(1, engineLanesMax),
  }),
  NATS_URL: setting({
    meaning:
      'NATS servers that connect this process with others on the same database. Needs DATABASE_URL, SMTP_URL and the same secrets.json everywhere.',
    allowed:
      'nats://user:password@host:4222 or tls://…, several separated by commas; without user and password on this machine only',
    byDefault: 'none: one process',
    schema: natsUrl,
    isSecret: true,
  }),
  ROLES: setting({
    meaning: 'What this process does in a cluster.',
    allowed: `${processRoles.join(', ')}, or some of them, separated by commas`,
    byDefault: processRoles.join(','),
    schema: roleNames,
  }),
  PUBLIC_URL: setting({
    meaning: 'Address that browsers use, if a proxy is in front of the server.',
    allowed: 'an http:// or https:// address without query',
    byDefault: 'http://HOST:PORT',
    schema: webUrl,
  }),
  HOSTS: setting({
    meaning:
      'Further names of this server, when it is reached by others than the one in PUBLIC_URL. Addresses, names without a dot and names in .local need no mention.',
    allowed: 'host names without a port, separated by commas',
    byDefault: 'none',
    schema: hostNames,
  }),
  TRUST_PROXY: setting({
    meaning: 'Whose X-Forwarded-* headers to believe.',
    allowed: 'false, the number of proxies in front (1 to 9), or their addresses separated by commas',
    byDefault: 'false',
    schema: trustProxy,
  }),
  RULES: setting({
    meaning: 'Rule set of new positions.',
    allowed: 'standard or as-specified',
    byDefault: 'standard',
    schema: z.enum(mainRuleSetNames),
  }),
  REGISTRATION: setting({
    meaning:
      'Who may register: open is everybody, invited needs the code of an invitation, closed admits no one. Admins add and import users in every case.',
    allowed: 'open, invited or closed',
    byDefault: 'open',
    schema: z.enum(registrationModes),
  }),
  REGISTRATION_DOMAINS: setting({
    meaning:
      'Mail domains that who registers has to have, with an invitation too. The address is not verified (docs/staff.md).',
    allowed: 'domains separated by commas, *.name for all domains below it',
    byDefault: 'none: every domain',
    schema: mailDomains,
  }),
  SIGNUP_BALANCE: setting({
    meaning: 'Start balance of a trader who registers, in USDT.',
    allowed: 'a decimal number from 0, with at most 8 decimals',
    byDefault: '10000 in the demo with RULES=standard, else 0',
    schema: amount,
  }),
  TRADING_FEE_RATE: setting({
    meaning: 'Fee on the value of what is opened and of what is closed, as a fraction (0.0006 is 0.06 %).',
    allowed: 'a decimal number from 0 to 0.005, with at most 8 decimals',
    byDefault: '0',
    schema: feeRate,
  }),
  ALLOW_RESET: setting({
    meaning: 'Whether traders may reset their main account to SIGNUP_BALANCE; practice accounts they may.',
    allowed: 'true or false',
    byDefault: 'true in the demo, else false',
    schema: flag,
  }),
  PRICE_FEED: setting({
    meaning:
      'Source of prices. A <seed> is public, for lessons: whoever knows the seed knows the prices; without one they follow from a secret key. speed: recorded seconds per second, 1 to 3600, default 1; loop=1 starts over at the end; history: recorded minutes that charts show before the beginning, 0 to 1440, default 50; on_jump=gap goes on by itself where a recorded price jumps.',
    allowed:
      'simulated, simulated:<seed>, auto, auto:<seed>, live or replay:<folder>?speed=<n>&loop=<0|1>&history=<n>&on_jump=<pause|gap>',
    byDefault: 'simulated',
    schema: priceFeed,
  }),
  BINANCE_URL: setting({
    meaning: 'Crypto exchange that speaks the REST interface of Binance, for PRICE_FEED=auto and live.',
    allowed: 'an http:// or https:// address without query',
    byDefault: 'https://data-api.binance.vision',
    schema: webUrl,
  }),
  BINANCE_STREAM_URL: setting({
    meaning: 'Its websocket.',
    allowed: 'a ws:// or wss:// address without query',
    byDefault: 'wss://data-stream.binance.vision',
    schema: socketUrl,
  }),
  YAHOO_URL: setting({
    meaning:
      'Provider of all other quotes, with the chart interface of Yahoo; best effort, under its own terms of use.',
    allowed: 'an http:// or https:// address without query',
    byDefault: 'https://query1.finance.yahoo.com',
    schema: webUrl,
  }),
  QUOTES_PER_S: setting({
    meaning: 'Maximum requests per second to the quote provider.',
    allowed: 'a decimal number from 0.1 to 100',
    byDefault: '1',
    schema: decimalBetween(0.1, 100),
  }),
  MARKET_PROXIES: setting({
    meaning:
      'Proxies for requests to both, used in rotation: the requested address is appended, URL-encoded.',
    allowed: 'up to three http:// or https:// addresses separated by commas',
    byDefault: 'none',
    schema: proxies,
    isSecret: true,
  }),
  ALLOW_PRIVATE_PROVIDERS: setting({
    meaning: 'Whether the providers and proxies may have addresses of this machine or of a private network.',
    allowed: 'true or false',
    byDefault: 'false',
    schema: flag,
  }),
  CANDLE_DAYS: setting({
    meaning: 'Days for which one-minute bars of live sources are stored; longer bars stay.',
    allowed: 'a whole number from 1 to 3650',
    byDefault: '30',
    schema: integerBetween(1, 3650),
  }),
  SESSIONS: setting({
    meaning: 'Whether trading stops outside the hours of a market. Crypto never stops.',
    allowed: 'honour or 24x7',
    byDefault: 'honour for live quotes, 24x7 for crypto and for simulated and recorded prices',
    schema: z.enum(['honour', '24x7']),
  }),
  PRICE_TOLERANCE_PCT: setting({
    meaning: 'How far the market may have moved against the price that a client saw, in percent.',
    allowed: 'a decimal number from 0 to 100',
    byDefault: '0.5',
    schema: decimalBetween(0, 100),
  }),
  STALE_AFTER_S: setting({
    meaning: 'Age from which a price opens nothing, in seconds.',
    allowed: 'a whole number from 1 to 86400',
    byDefault: '15 for crypto, 60 for other markets',
    schema: integerBetween(1, 86_400),
  }),
  SMTP_URL: setting({
    meaning:
      'Mail server. smtps speaks TLS from the start; smtp demands STARTTLS, except on this machine or with tls=none.',
    allowed: 'smtp://user:password@host:587?tls=<required|none> or smtps://user:password@host:465',
    byDefault: 'none: mails are files in DATA_DIR/outbox',
    schema: smtpUrl,
    isSecret: true,
  }),
  MAIL_FROM: setting({
    meaning: 'Sender of the mails.',
    allowed: 'a mail address, or Name <address>',
    byDefault: 'Fulcrum <no-reply@host of PUBLIC_URL>',
    schema: mailFrom,
  }),
  PUSH_HOSTS: setting({
    meaning:
      'Push services of browsers that may be called, for notifications on devices (Web Push). Notifications leave this machine encrypted for the device.',
    allowed: 'host names separated by commas, *.name for all names below it, or none to turn it off',
    byDefault: defaultPushHosts.join(','),
    schema: pushHosts,
  }),
  CONTACT_EMAIL: setting({
    meaning: 'Mail address that the public pages show.',
    allowed: 'a mail address',
    byDefault: 'none: not shown',
    schema: contactEmail,
  }),
  CONTACT_PHONE: setting({
    meaning: 'Phone number that the public pages show.',
    allowed: 'a number in international format, as +12345678900',
    byDefault: 'none: not shown',
    schema: contactPhone,
  }),
  SIGNUPS_PER_ADDRESS_H: limitSetting('SIGNUPS_PER_ADDRESS_H'),
  RECOVERIES_PER_ADDRESS_H: limitSetting('RECOVERIES_PER_ADDRESS_H'),
  CONTACT_PER_ADDRESS_H: limitSetting('CONTACT_PER_ADDRESS_H'),
  SIGN_INS_WAITING_PER_ADDRESS: limitSetting('SIGN_INS_WAITING_PER_ADDRESS'),
  REQUESTS_PER_ADDRESS_S: limitSetting('REQUESTS_PER_ADDRESS_S'),
  SOCKETS_PER_ADDRESS: limitSetting('SOCKETS_PER_ADDRESS'),
  SOCKETS_PER_PERSON: limitSetting('SOCKETS_PER_PERSON'),
  MIN_AGE: setting({
    meaning: 'Age in years below which a reviewer of identity checks is warned; 0 for none.',
    allowed: 'a whole number from 0 to 99',
    byDefault: '18',
    schema: integerBetween(0, 99),
  }),
  KYC_KEEP_DAYS: setting({
    meaning:
      'Days for which the pictures of an identity check are stored, from the decision or, if never submitted, from the upload; 0 stores them for good. The decision always stays.',
    allowed: 'a whole number from 0 to 3650',
    byDefault: '0',
    schema: integerBetween(0, 3650),
  }),
  BACKUP_DIR: setting({
    meaning:
      'Folder that the server writes a backup of itself to, at the times of BACKUP_AT; outside DATA_DIR, best on another disk.',
    allowed: 'a path',
    byDefault: 'none: backups by npm run backup only',
    schema: z.string().min(1),
  }),
  BACKUP_AT: setting({
    meaning:
      'Times of the day in UTC at which it does; one that was missed while the server was off follows after the start.',
    allowed: 'up to 24 times of the form hh:mm, separated by commas',
    byDefault: '03:15',
    schema: timesOfDay,
  }),
  BACKUP_KEEP_DAYS: setting({
    meaning:
      'How many days of these backups stay; older ones are deleted after the next has been verified. Days without a backup do not count.',
    allowed: 'a whole number from 1 to 3650',
    byDefault: '14',
    schema: integerBetween(1, 3650),
  }),
  BACKUP_KEY_FILE: setting({
    meaning:
      'File with the key that backups are encrypted and restored with (npm run backup:key). A file with its public part alone encrypts, and does not decrypt.',
    allowed: 'a path',
    byDefault: 'none: backups are not encrypted',
    schema: z.string().min(1),
  }),
  METRICS_TOKEN: setting({
    meaning:
      'Password of /metrics for Prometheus on another machine, sent as Authorization: Bearer. Without it only this machine reads them.',
    allowed: 'at least 20 letters, digits and -._~+/=',
    byDefault: 'none',
    schema: bearerToken,
    isSecret: true,
  }),
  HEALTH_TOKEN: setting({
    meaning: 'Password for the figures of /health through a proxy or from another machine, sent likewise.',
    allowed: 'at least 20 letters, digits and -._~+/=',
    byDefault: 'none',
    schema: bearerToken,
    isSecret: true,
  }),
  ALERT_WEBHOOK: setting({
    meaning:
      'Address that gets a signed POST when trading halts, the ledger is broken, prices, the database or a backup fail, or the disk is nearly full, and when that is over.',
    allowed: 'an http:// or https:// address',
    byDefault: 'none',
    schema: z.url({ protocol: /^https?$/ }),
    isSecret: true,
  }),
  ALERT_WEBHOOK_SECRET: setting({
    meaning: 'Key of its signature; needed with ALERT_WEBHOOK.',
    allowed: 'at least 20 characters',
    byDefault: 'none',
    schema: z.string().min(20),
    isSecret: true,
  }),
  AI_URL: setting({
    meaning:
      'Language model that the assistant writes with: the base address of any API of the OpenAI shape. It gets questions with the facts that answer them (docs/assistant.md), and may be on a private network.',
    allowed: 'an http:// or https:// address without query, such as http://127.0.0.1:11434/v1 for Ollama',
    byDefault: 'none: answers come from rules and search alone',
    schema: webUrl,
  }),
  AI_MODEL: setting({
    meaning: 'Name of the model; needed with AI_URL.',
    allowed: 'at most 100 letters, digits and -._:/@',
    byDefault: 'none',
    schema: z.string().regex(/^[\w.:/@-]{1,100}$/),
  }),
  AI_KEY: setting({
    meaning: 'Key of that API, sent as Authorization: Bearer.',
    allowed: 'visible ASCII characters without spaces; on a public host only with https://',
    byDefault: 'none',
    schema: z.string().regex(/^[\x21-\x7e]+$/),
    isSecret: true,
  }),
  AI_ANSWERS_PER_PERSON_D: limitSetting('AI_ANSWERS_PER_PERSON_D'),
  LOG_LEVEL: setting({
    meaning: 'Least severity that is logged.',
    allowed: `one of ${logLevels.join(', ')}`,
    byDefault: 'info',
    schema: z.enum(logLevels),
  }),
  DEMO: setting({
    meaning: 'Whether to seed the demo accounts with their known password.',
    allowed: 'true or false',
    byDefault: 'true, unless NODE_ENV=production or NATS_URL is set',
    schema: flag,
  }),
  DEMO_HISTORY: setting({
    meaning:
      'Whether the demo comes with six weeks of trading, other users, chats, identity checks and messages, all invented; written after the start. Needs DEMO and simulated prices; refused with NODE_ENV=production.',
    allowed: 'true or false',
    byDefault: 'true in the demo with PRICE_FEED=simulated',
    schema: flag,
  }),
} as const;

type Settings = typeof settings;
type Name = keyof Settings;
type ValueOf<N extends Name> = Settings[N]['schema'] extends z.ZodType<infer Value, string> ? Value : never;

/** A setting as declared, whatever its value is. */
const declared = (name: Name): Setting<unknown> => settings[name];
const secretSettings = (Object.keys(settings) as Name[]).filter((name) => declared(name).isSecret);

const demoStartBalance = 10_000n * 100_000_000n;

/** Parses the environment; unset and empty variables take their default. Throws a ConfigError of one line. */
export function loadConfig(environment: Environment): Config {
  const env = withSecretFiles(environment, secretSettings);
  const readSetting = <N extends Name>(name: N): ValueOf<N> | undefined => read(name, env[name]);
  const host = readSetting('HOST') ?? '127.0.0.1';
  const port = readSetting('PORT') ?? 3000;
  const rules = readSetting('RULES') ?? 'standard';
  const demoSetting = readSetting('DEMO');
  const isMember = read('NATS_URL', env.NATS_URL) !== undefined;
  const demo = demoSetting ?? (env.NODE_ENV !== 'production' && !isMember);
  if (demo && demoSetting === undefined && !isLoopback(host)) {
    throw new ConfigError(
      `HOST=${host} opens the server to other machines, where the demo accounts have a known password: set DEMO=false to do without them, or DEMO=true to keep them`,
    );
  }
  refusePrivateProviders(
    env,
    readSetting('PRICE_FEED')?.kind,
    readSetting('ALLOW_PRIVATE_PROVIDERS') ?? false,
  );
  const priceFeed = readSetting('PRICE_FEED') ?? { kind: 'simulated', seed: null };
  const mayHaveHistory = demo && priceFeed.kind === 'simulated' && env.NODE_ENV !== 'production';
  if (readSetting('DEMO_HISTORY') === true && !mayHaveHistory) {
    throw new ConfigError(
      'DEMO_HISTORY=true needs the demo, PRICE_FEED=simulated and no NODE_ENV=production: leave it out or set DEMO_HISTORY=false',
    );
  }
  checkCluster(env);
  const publicUrl = readSetting('PUBLIC_URL') ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    host,
    port,
    dataDir: resolve(readSetting('DATA_DIR') ?? '.data'),
    databaseUrl: readSetting('DATABASE_URL') ?? null,
    replicaUrl: readReplica(env),
    engineLanes: readSetting('ENGINE_LANES') ?? 1,
    nats: readSetting('NATS_URL') ?? null,
    roles: readSetting('ROLES') ?? processRoles,
    publicUrl,
    hosts: readSetting('HOSTS') ?? [],
    trustProxy: readSetting('TRUST_PROXY') ?? false,
    rules,
    registration: readSetting('REGISTRATION') ?? 'open',
    registrationDomains: readSetting('REGISTRATION_DOMAINS') ?? [],
    signupBalance: readSetting('SIGNUP_BALANCE') ?? (demo && rules === 'standard' ? demoStartBalance : 0n),
    tradingFeeRate: readSetting('TRADING_FEE_RATE') ?? 0n,
    allowReset: readSetting('ALLOW_RESET') ?? demo,
    priceFeed,
    providers: {
      binanceUrl: readSetting('BINANCE_URL') ?? 'https://data-api.binance.vision',
      binanceStreamUrl: readSetting('BINANCE_STREAM_URL') ?? 'wss://data-stream.binance.vision',
      yahooUrl: readSetting('YAHOO_URL') ?? 'https://query1.finance.yahoo.com',
      proxies: readSetting('MARKET_PROXIES') ?? [],
      allowPrivate: readSetting('ALLOW_PRIVATE_PROVIDERS') ?? false,
      quotesPerS: readSetting('QUOTES_PER_S') ?? 1,
    },
    candleDays: readSetting('CANDLE_DAYS') ?? 30,
    sessions: readSetting('SESSIONS') ?? null,
    priceTolerancePct: readSetting('PRICE_TOLERANCE_PCT') ?? 0.5,
    staleAfterS: readSetting('STALE_AFTER_S') ?? null,
    smtp: readSetting('SMTP_URL') ?? null,
    mailFrom: readSetting('MAIL_FROM') ?? defaultMailFrom(publicUrl),
    pushHosts: readSetting('PUSH_HOSTS') ?? defaultPushHosts,
    contactEmail: readSetting('CONTACT_EMAIL') ?? null,
    contactPhone: readSetting('CONTACT_PHONE') ?? null,
    limits: limitsWith(readLimitSettings(env)),
    minAge: readSetting('MIN_AGE') ?? 18,
    kycKeepDays: readSetting('KYC_KEEP_DAYS') ?? 0,
    backups: scheduledBackups(readSetting('BACKUP_DIR'), {
      times: readSetting('BACKUP_AT') ?? [3 * 60 + 15],
      keepDays: readSetting('BACKUP_KEEP_DAYS') ?? 14,
    }),
    backupKeyFile: toPath(readSetting('BACKUP_KEY_FILE')),
    metricsToken: readSetting('METRICS_TOKEN') ?? null,
    healthToken: readSetting('HEALTH_TOKEN') ?? null,
    alertWebhook: alertWebhook(readSetting('ALERT_WEBHOOK'), readSetting('ALERT_WEBHOOK_SECRET')),
    languageModel: languageModel(readSetting('AI_URL'), readSetting('AI_MODEL'), readSetting('AI_KEY')),
    logLevel: readSetting('LOG_LEVEL') ?? 'info',
    demo,
    demoHistory: mayHaveHistory && (readSetting('DEMO_HISTORY') ?? true),
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
    const figure = read(name, env[name]);
    if (figure !== undefined) chosen[name] = figure;
  }
  return chosen;
}

/** @throws ConfigError */
function readReplica(env: Environment): string | null {
  const url = read('DATABASE_REPLICA_URL', env.DATABASE_REPLICA_URL) ?? null;
  if (url === null || read('DATABASE_URL', env.DATABASE_URL) !== undefined) return url;
  throw new ConfigError('DATABASE_REPLICA_URL needs DATABASE_URL, the primary that it follows');
}

/** What a cluster needs besides `NATS_URL`: its processes share the database, and a mail written as a file would stay on one machine. */
const neededInCluster = ['DATABASE_URL', 'SMTP_URL'] as const;

/** The leader waits for the engines of its own process alone between two recorded instants. */
export const replaySpeedMaxInCluster = 60;

/** @throws ConfigError */
function checkCluster(env: Environment): void {
  if (read('NATS_URL', env.NATS_URL) === undefined) {
    if (read('ROLES', env.ROLES) === undefined) return;
    throw new ConfigError('ROLES needs NATS_URL: without it one process does everything');
  }
  const missing = neededInCluster.find((name) => read(name, env[name]) === undefined);
  if (missing !== undefined) throw new ConfigError(`NATS_URL needs ${missing}, the same for every process`);
  if (read('DEMO', env.DEMO))
    throw new ConfigError('NATS_URL has no demo: leave DEMO out or set it to false');
  const feed = read('PRICE_FEED', env.PRICE_FEED);
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
function refusePrivateProviders(
  env: Environment,
  kind: PriceFeed['kind'] = 'simulated',
  isAllowed: boolean,
): void {
  if (isAllowed || (kind !== 'auto' && kind !== 'live')) return;
  for (const name of providerNames) {
    const value = read(name, env[name]) ?? [];
    const hosts = [value].flat().map((url) => new URL(url).hostname.replace(/^\[|\]$/g, ''));
    const host = hosts.find((one) => one === 'localhost' || (isIP(one) !== 0 && classOf(one) === 'private'));
    if (host === undefined) continue;
    throw new ConfigError(
      `${name} has an address of this machine or of a private network (${host}), which is called only with ALLOW_PRIVATE_PROVIDERS=true`,
    );
  }
}

function read<N extends Name>(name: N, text: string | undefined): ValueOf<N> | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  const parsed = settings[name].schema.safeParse(trimmed);
  if (parsed.success) return parsed.data as ValueOf<N>;
  const { isSecret, allowed } = declared(name);
  throw new ConfigError(`${name}=${isSecret ? '(not shown)' : trimmed} is not valid; allowed: ${allowed}`);
}
