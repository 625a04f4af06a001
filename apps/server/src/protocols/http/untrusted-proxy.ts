/**
 * Detects an undeclared proxy: requests carry X-Forwarded-For while TRUST_PROXY is unset, so all visitors share the proxy's
 * address and its limits (SEC-F7). The log states it once, and `/health` reports it.
 *
 * Known limitation: any client can send the header, so a visitor can cause a false report.
 */
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../platform/config/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { type HealthPart, toHealthPart } from './health.ts';

const reason =
  'requests come with X-Forwarded-For and TRUST_PROXY is not set: all visitors of a proxy count as one address';

/** Observes the requests of `app`; the returned function reports whether its addresses are those of the visitors. */
export function detectUntrustedProxy(
  app: FastifyInstance,
  { trustProxy }: Pick<Config, 'trustProxy'>,
  log: Log,
): () => HealthPart {
  let isDetected = false;
  if (trustProxy === false) {
    app.addHook('onRequest', async ({ headers }) => {
      if (isDetected || headers['x-forwarded-for'] === undefined) return;
      isDetected = true;
      log.warn(`${reason}; set TRUST_PROXY if a proxy is in front`);
    });
  }
  return () => toHealthPart(!isDetected, reason);
}
