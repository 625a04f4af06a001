/**
 * The settings: every environment variable that the server reads, declared once with its unit, default and check. Invariant: no other
 * module reads the environment for settings.
 */
import { isIP } from 'node:net';
import { mainRuleSetNames, registrationModes } from '@fulcrum/domain';
import { z } from 'zod';
import { type LimitSetting, limitSettings } from '../limits/declarations.ts';
import { logLevels } from '../log/index.ts';
import { ConfigError } from './config-error.ts';
import { contactEmail, contactPhone } from './contact.ts';
import { hostNames } from './hosts.ts';
import { mailFrom, smtpUrl } from './mail.ts';
import { natsUrl, processRoles, roleNames } from './nats.ts';
import { decimalBetween, integerBetween } from './numbers.ts';
import { priceFeed, proxies, socketUrl, webUrl } from './prices.ts';
import { defaultPushHosts, pushHosts } from './push.ts';

interface Setting<Value> {
  /** One sentence with the unit. */
  readonly meaning: string;
  /** Completes 'allowed: …' in the error line and the table of the README. */
  readonly allowed: string;
  /** The value as the operator would write it; of an optional setting a phrase. */
  readonly byDefault: string;
  /** Parses the variable's text. */
  readonly schema: z.ZodType<Value, string>;
  /** Never shown, and may come from the file that `<name>_FILE` names. */
  readonly isSecret?: true;
}

/** One that has a value always. */
const setting = <Value>(declaration: Setting<Value>) => ({ ...declaration, isOptional: false }) as const;
/** One without a value of its own where it is unset. */
const optional = <Value>(declaration: Setting<Value>) => ({ ...declaration, isOptional: true }) as const;

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
  DATABASE_URL: optional({
    meaning:
      'A PostgreSQL 15 or newer to use instead of the embedded one. Of several hosts the one that is the primary is used.',
    allowed: 'postgresql://user:password@host:port/database, or host:port,host:port in it',
    byDefault: 'none: the embedded PostgreSQL',
    schema: z.string().regex(/^postgres(ql)?:\/\/\S+$/),
    isSecret: true,
  }),
  DATABASE_REPLICA_URL: optional({
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
  NATS_URL: optional({
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
  PUBLIC_URL: optional({
    meaning: 'Address that browsers use, if a proxy is in front of the server.',
    allowed: 'an http:// or https:// address without query',
    byDefault: 'http://HOST:PORT',
    schema: webUrl,
  }),
  HOSTS: optional({
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
  REGISTRATION_DOMAINS: optional({
    meaning:
      'Mail domains that who registers has to have, with an invitation too. The address is not verified (docs/staff.md).',
    allowed: 'domains separated by commas, *.name for all domains below it',
    byDefault: 'none: every domain',
    schema: mailDomains,
  }),
  SIGNUP_BALANCE: optional({
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
  ALLOW_RESET: optional({
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
  MARKET_PROXIES: optional({
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
  SESSIONS: optional({
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
  STALE_AFTER_S: optional({
    meaning: 'Age from which a price opens nothing, in seconds.',
    allowed: 'a whole number from 1 to 86400',
    byDefault: '15 for crypto, 60 for other markets',
    schema: integerBetween(1, 86_400),
  }),
  SMTP_URL: optional({
    meaning:
      'Mail server. smtps speaks TLS from the start; smtp demands STARTTLS, except on this machine or with tls=none.',
    allowed: 'smtp://user:password@host:587?tls=<required|none> or smtps://user:password@host:465',
    byDefault: 'none: mails are files in DATA_DIR/outbox',
    schema: smtpUrl,
    isSecret: true,
  }),
  MAIL_FROM: optional({
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
  CONTACT_EMAIL: optional({
    meaning: 'Mail address that the public pages show.',
    allowed: 'a mail address',
    byDefault: 'none: not shown',
    schema: contactEmail,
  }),
  CONTACT_PHONE: optional({
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
  SOCKETS_PER_USER: limitSetting('SOCKETS_PER_USER'),
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
  BACKUP_DIR: optional({
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
  BACKUP_KEY_FILE: optional({
    meaning:
      'File with the key that backups are encrypted and restored with (npm run backup:key). A file with its public part alone encrypts, and does not decrypt.',
    allowed: 'a path',
    byDefault: 'none: backups are not encrypted',
    schema: z.string().min(1),
  }),
  METRICS_TOKEN: optional({
    meaning:
      'Password of /metrics for Prometheus on another machine, sent as Authorization: Bearer. Without it only this machine reads them.',
    allowed: 'at least 20 letters, digits and -._~+/=',
    byDefault: 'none',
    schema: bearerToken,
    isSecret: true,
  }),
  HEALTH_TOKEN: optional({
    meaning: 'Password for the figures of /health through a proxy or from another machine, sent likewise.',
    allowed: 'at least 20 letters, digits and -._~+/=',
    byDefault: 'none',
    schema: bearerToken,
    isSecret: true,
  }),
  ALERT_WEBHOOK: optional({
    meaning:
      'Address that gets a signed POST when trading halts, the ledger is broken, prices, the database or a backup fail, or the disk is nearly full, and when that is over.',
    allowed: 'an http:// or https:// address',
    byDefault: 'none',
    schema: z.url({ protocol: /^https?$/ }),
    isSecret: true,
  }),
  ALERT_WEBHOOK_SECRET: optional({
    meaning: 'Key of its signature; needed with ALERT_WEBHOOK.',
    allowed: 'at least 20 characters',
    byDefault: 'none',
    schema: z.string().min(20),
    isSecret: true,
  }),
  AI_URL: optional({
    meaning:
      'Language model that the assistant writes with: the base address of any API of the OpenAI shape. It gets questions with the facts that answer them (docs/assistant.md), and may be on a private network.',
    allowed: 'an http:// or https:// address without query, such as http://127.0.0.1:11434/v1 for Ollama',
    byDefault: 'none: answers come from rules and search alone',
    schema: webUrl,
  }),
  AI_MODEL: optional({
    meaning: 'Name of the model; needed with AI_URL.',
    allowed: 'at most 100 letters, digits and -._:/@',
    byDefault: 'none',
    schema: z.string().regex(/^[\w.:/@-]{1,100}$/),
  }),
  AI_KEY: optional({
    meaning: 'Key of that API, sent as Authorization: Bearer.',
    allowed: 'visible ASCII characters without spaces; on a public host only with https://',
    byDefault: 'none',
    schema: z.string().regex(/^[\x21-\x7e]+$/),
    isSecret: true,
  }),
  AI_ANSWERS_PER_USER_D: limitSetting('AI_ANSWERS_PER_USER_D'),
  LOG_LEVEL: setting({
    meaning: 'Least severity that is logged.',
    allowed: `one of ${logLevels.join(', ')}`,
    byDefault: 'info',
    schema: z.enum(logLevels),
  }),
  DEMO: optional({
    meaning: 'Whether to seed the demo accounts with their known password.',
    allowed: 'true or false',
    byDefault: 'true, unless NODE_ENV=production or NATS_URL is set',
    schema: flag,
  }),
  DEMO_HISTORY: optional({
    meaning:
      'Whether the demo comes with six weeks of trading, other users, chats, identity checks and messages, all invented; written after the start. Needs DEMO and simulated prices; refused with NODE_ENV=production.',
    allowed: 'true or false',
    byDefault: 'true in the demo with PRICE_FEED=simulated',
    schema: flag,
  }),
} as const;

type Settings = typeof settings;
export type Name = keyof Settings;
type ValueOf<N extends Name> = Settings[N]['schema'] extends z.ZodType<infer Value, string> ? Value : never;

/** A setting as declared, whatever its value is. */
const declared = (name: Name): Setting<unknown> => settings[name];
export const secretSettings = (Object.keys(settings) as Name[]).filter((name) => declared(name).isSecret);

/** Undefined for one that is unset. @throws ConfigError */
export function readGiven<N extends Name>(name: N, text: string | undefined): ValueOf<N> | undefined {
  const trimmed = text?.trim() ?? '';
  if (trimmed === '') return undefined;
  const parsed = settings[name].schema.safeParse(trimmed);
  if (parsed.success) return parsed.data as ValueOf<N>;
  const { isSecret, allowed } = declared(name);
  throw new ConfigError(`${name}=${isSecret ? '(not shown)' : trimmed} is not valid; allowed: ${allowed}`);
}

type ReadOf<N extends Name> = Settings[N]['isOptional'] extends false ? ValueOf<N> : ValueOf<N> | undefined;

/** With its default. @throws ConfigError */
export function readSetting<N extends Name>(name: N, text: string | undefined): ReadOf<N> {
  const { isOptional, byDefault } = settings[name];
  return readGiven(name, isOptional || text?.trim() ? text : byDefault) as ReadOf<N>;
}
