/** Checks the surroundings of the server: the transport of its mails, and the browser of the tests. */
import { existsSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { Config } from '../../apps/server/src/platform/config/index.ts';
import type { Report } from './report.ts';

const connectWithinMs = 5000;
/** The largest number that the outbox stores. */
const outboxFull = 1000;

export async function examineMail({ smtp, dataDir }: Config, report: Report): Promise<void> {
  if (smtp !== null) {
    const failure = await whyNotConnected(smtp.host, smtp.port);
    if (failure === null) report.good(`the mail server ${smtp.host}:${smtp.port} can be reached`);
    else
      report.bad(`the mail server ${smtp.host}:${smtp.port} cannot be reached: ${failure}`, 'see SMTP_URL');
    return;
  }
  const outbox = join(dataDir, 'outbox');
  const mails = existsSync(outbox) ? readdirSync(outbox).length : 0;
  const line = `without SMTP_URL mails are files in ${outbox} (${mails} now)`;
  if (mails >= outboxFull) report.hint(line, 'the oldest are dropped; set SMTP_URL or read them');
  else report.good(line);
}

function whyNotConnected(host: string, port: number): Promise<string | null> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: connectWithinMs });
    const end = (failure: string | null) => {
      socket.destroy();
      resolve(failure);
    };
    socket.once('connect', () => end(null));
    socket.once('timeout', () => end('it does not answer'));
    socket.once('error', ({ message }) => end(message));
  });
}

const installed = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Only the project's own tests need one. */
export function examineBrowser(report: Report): void {
  const given = process.env.CHROMIUM_PATH;
  const path = [given, ...installed].find((candidate) => candidate !== undefined && existsSync(candidate));
  if (path !== undefined) {
    report.good(`the tests find a Chromium (${path})`);
    return;
  }
  try {
    createRequire(new URL('../../e2e/package.json', import.meta.url)).resolve('@sparticuz/chromium');
    report.good('the tests bring their own Chromium');
  } catch {
    report.hint('there is no Chromium for the browser tests', 'only npm test needs it, and installs it');
  }
}
