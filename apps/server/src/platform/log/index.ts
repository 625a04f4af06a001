/**
 * The log: one JSON line per event on standard output, with the id of its request. Invariant: secrets are redacted by their
 * usual names, up to two levels deep.
 */
import pino from 'pino';
import { currentRequestId } from '../request/index.ts';

export type Log = pino.Logger;
export const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof logLevels)[number];

const secretNames = [
  'authorization',
  'apikey',
  '["x-mbx-apikey"]',
  '["X-MBX-APIKEY"]',
  'api_key',
  'apiKey',
  'secret',
  'signature',
  'cookie',
  '["set-cookie"]',
  'password',
  'token',
  'access_token',
  'refresh_token',
  'jwtSecret',
];
const redactPathsAt = (depth: number) =>
  secretNames.map((name) => '*.'.repeat(depth).slice(0, name.startsWith('[') ? -1 : undefined) + name);

export function createLog(
  options: { readonly logLevel: LogLevel },
  destination?: pino.DestinationStream,
): Log {
  const settings: pino.LoggerOptions = {
    level: options.logLevel,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label) => ({ level: label }) },
    mixin: () => {
      const id = currentRequestId();
      return id === null ? {} : { request_id: id };
    },
    redact: { paths: [0, 1, 2].flatMap(redactPathsAt), censor: '[redacted]' },
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}
