/**
 * The one page that runs a foreign script: the frame of the third-party chart (A35). Invariant: it has no origin. `sandbox`
 * without `allow-same-origin` separates the script from this origin's storage, cookies and responses; only pages of this
 * server may frame it; the policy lists the hosts that it may load from.
 */
import type { FastifyInstance } from 'fastify';

const thirdPartyPage = '/third-party-chart.html';
/** Requested by a page without an origin, so it counts as a cross-origin request. */
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

/** Sets the page's policy; registered after the strict one. */
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
