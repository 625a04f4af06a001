/**
 * The one page on which a foreign script runs: the frame of the third-party chart (A35). Invariant: it has no origin.
 * `sandbox` without `allow-same-origin` keeps the script from this origin's storage, cookies and answers; only pages of
 * this server may frame it; and the policy names the hosts it may load from. Every other page keeps the strict policy.
 */
import type { FastifyInstance } from 'fastify';

const thirdPartyPage = '/third-party-chart.html';
/** Asked for by a page without an origin, so it is a stranger's request to a file of ours. */
const thirdPartyScript = '/third-party-chart.js';

const scriptHost = 'https://s3.tradingview.com';
/** Where the widgets take their frames from. */
const frameHosts = [
  scriptHost,
  'https://s.tradingview.com',
  'https://www.tradingview.com',
  'https://www.tradingview-widget.com',
];

const thirdPartyPolicy = [
  'sandbox allow-scripts allow-popups',
  "default-src 'none'",
  `script-src 'self' ${scriptHost}`,
  // The page and the widgets bring inline styles.
  "style-src 'self' 'unsafe-inline'",
  `img-src 'self' data: ${scriptHost}`,
  `frame-src ${frameHosts.join(' ')}`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join(';');

/** Gives the page its policy; to be called after the strict one is in place. */
export function registerThirdPartyPolicy(pages: FastifyInstance): void {
  pages.addHook('onSend', async (request, reply) => {
    const path = request.url.split('?', 1)[0];
    if (path === thirdPartyPage) {
      // Without an origin there is nothing that an agent cluster could be keyed by.
      reply.header('content-security-policy', thirdPartyPolicy).removeHeader('origin-agent-cluster');
    }
    if (path === thirdPartyScript) reply.header('cross-origin-resource-policy', 'cross-origin');
  });
}
