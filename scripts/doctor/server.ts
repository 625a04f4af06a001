/** Checks the address: whether it is free, used by this server or by another program, and the health of a running server. */
import { createServer } from 'node:net';
import type { Config } from '../../apps/server/src/platform/config/index.ts';
import { findSecrets } from '../../apps/server/src/platform/config/secrets.ts';
import type { Report } from './report.ts';

const answerWithinMs = 5000;
/** A server in trouble reports much; its beginning is enough for a line. */
const textMax = 1000;

/** `ownerPid`: who runs on the data directory of these settings. */
export async function examineServer(config: Config, ownerPid: number | null, report: Report): Promise<void> {
  const { host, port } = config;
  if (port === 0) return report.good('PORT=0 picks a free port at the start');
  const at = `port ${port} of ${host}`;
  const refusal = await whyNotListen(host, port);
  if (refusal === null) {
    if (ownerPid === null) return report.good(`${at} is free`);
    return report.hint(
      `process ${ownerPid} does not listen on ${at}`,
      'run the doctor with its PORT and HOST',
    );
  }
  if (refusal !== 'EADDRINUSE') {
    return report.bad(
      `the server cannot listen on ${at}: ${refusal}`,
      'set HOST and PORT to what this machine and user may use',
    );
  }
  const answer = await ask(host, port);
  if (answer === 'another') {
    return report.bad(`${at} is used by another program`, 'stop it or set PORT');
  }
  const secrets = existingSecretsOf(config.dataDir);
  if (secrets === null || answer.anonKey !== secrets.anonKey) {
    return report.bad(`${at} is used by another Fulcrum`, 'set PORT, or DATA_DIR to its own');
  }
  const { status, text } = answer.health;
  if (status === 'ready') report.good(`the server on ${at} is ready`);
  else report.bad(`the server on ${at} is ${status}: ${text}`, 'its log and postgres.log state why');
}

function existingSecretsOf(dataDir: string) {
  try {
    return findSecrets(dataDir);
  } catch {
    // Reported already.
    return null;
  }
}

/** Null when the address can be had; else the error's code. */
function whyNotListen(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', ({ code, message }: NodeJS.ErrnoException) => resolve(code ?? message));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(null)));
  });
}

type Answer = 'another' | { readonly anonKey: string; readonly health: { status: string; text: string } };

async function ask(host: string, port: number): Promise<Answer> {
  const name = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host;
  const read = async (path: string) => {
    const answer = await fetch(`http://${name}:${port}${path}`, {
      signal: AbortSignal.timeout(answerWithinMs),
    });
    return answer.text();
  };
  try {
    const { anonKey } = JSON.parse(await read('/config.json')) as { anonKey?: unknown };
    if (typeof anonKey !== 'string') return 'another';
    const text = await read('/health');
    const { status } = JSON.parse(text) as { status?: unknown };
    return {
      anonKey,
      health: { status: typeof status === 'string' ? status : 'unknown', text: text.slice(0, textMax) },
    };
  } catch {
    // No HTTP, no JSON, or silence: whatever it is, it is not a Fulcrum that serves.
    return 'another';
  }
}
