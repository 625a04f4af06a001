/** The HTTP server without its routes: limits of a request, known hosts, ids, upgrades to sockets, how errors are answered, where it listens. */
import { AppError, texts } from '@fulcrum/contract';
import fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify';
import type { Config } from './platform/config/index.ts';
import type { Log } from './platform/log/index.ts';
import { newRequestId } from './platform/request/index.ts';
import { StartError } from './platform/start-error.ts';
import { isStreamPath } from './protocols/exchange/index.ts';
import { toLoggedPath } from './protocols/hooks/index.ts';
import { createHostCheck, detectUntrustedProxy, requireKnownHost } from './protocols/http/index.ts';
import { identifyRequests } from './protocols/http/request-ids.ts';
import { answerUnreadableUrl } from './protocols/http/unreadable-urls.ts';
import { isRealtimePath } from './protocols/realtime/index.ts';
import { routeUpgrades, takesUpgradeAt } from './protocols/sockets/upgrades.ts';

const bodyLimitBytes = 64 * 1024;
const takesUpgrade = takesUpgradeAt((path) => isRealtimePath(path) || isStreamPath(path));

/** TRUST_PROXY in fastify's form: a number is the count of proxies between the server and the client. */
function trustedHops(trust: Config['trustProxy']) {
  return typeof trust === 'number' ? (_address: string, hop: number) => hop < trust : trust;
}

export function createHttpApp(config: Config, log: Log) {
  const logger: FastifyBaseLogger = log;
  const app = fastify({
    loggerInstance: logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: newRequestId,
    frameworkErrors: answerUnreadableUrl,
    // The log itself adds the request of a line.
    childLoggerFactory: (all) => all,
    trustProxy: trustedHops(config.trustProxy),
    bodyLimit: bodyLimitBytes,
    forceCloseConnections: 'idle',
    // Allows the largest picture over a slow line; other bodies are small.
    requestTimeout: 120_000,
    // For a client that does not read its response; realtime sockets have left HTTP and use heartbeats.
    connectionTimeout: 120_000,
    http: {
      headersTimeout: 15_000,
      connectionsCheckingInterval: 5_000,
      shouldUpgradeCallback: takesUpgrade,
    },
  });
  identifyRequests(app);
  requireKnownHost(app, createHostCheck(config.publicUrl, config.hosts));
  const addresses = detectUntrustedProxy(app, config, log);
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string }, request, reply) => {
    if (error instanceof AppError) {
      return reply
        .code(error.status)
        .send({ code: error.code, message: error.message, details: error.details, hint: error.hint });
    }
    const status = error.statusCode ?? 500;
    if (status >= 500)
      log.error({ err: error, request_id: request.id, path: toLoggedPath(request.url) }, 'request failed');
    return reply.code(status).send({
      code: status >= 500 ? 'internal' : (error.code ?? 'invalid_request'),
      message: status >= 500 ? texts.unexpectedError : error.message,
      details: null,
      hint: null,
    });
  });
  return { app, upgrades: routeUpgrades(app, takesUpgrade), addresses };
}

/** @throws StartError when HOST and PORT are not available */
export async function listen(app: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new StartError(
      code === 'EADDRINUSE'
        ? `port ${port} of ${host} is in use; stop what uses it or set PORT`
        : `cannot listen on HOST=${host} PORT=${port}: ${message}`,
      { cause: error },
    );
  }
}
