/** Checks the settings: one line for each wrong one, and for combinations that are allowed but hardly intended. */
import {
  type Config,
  fileVariable,
  loadConfig,
  settings,
} from '../../apps/server/src/platform/config/index.ts';
import { messageOf, type Report } from './report.ts';

const loopback = /^(127\.\d+\.\d+\.\d+|\[?::1\]?|localhost)$/;
const isLoopback = (host: string) => loopback.test(host);

/** Whether other machines can reach this server, directly or through a proxy. */
export const isOpen = ({ host, publicUrl }: Config) =>
  !isLoopback(host) || !isLoopback(new URL(publicUrl).hostname);

/** The configuration; in place of a setting that is wrong its default, so that the rest can be examined. */
export function examineConfiguration(env: NodeJS.ProcessEnv, report: Report): Config {
  const usable = { ...env };
  const before = report.wrong;
  for (const name of Object.keys(settings)) {
    const file = fileVariable(name);
    try {
      // Single settings contradict no other one without the demo.
      loadConfig({ DEMO: 'false', [name]: env[name], [file]: env[file] });
    } catch (error) {
      report.bad(`the setting ${messageOf(error)}`, `correct or unset ${name}`);
      delete usable[name];
      delete usable[file];
    }
  }
  const config = load(usable, report);
  if (report.wrong === before) report.good(`the settings are valid (${config.publicUrl})`);
  examineExposure(config, report);
  return config;
}

function load(env: NodeJS.ProcessEnv, report: Report): Config {
  try {
    return loadConfig(env);
  } catch (error) {
    report.bad(`the settings contradict each other: ${messageOf(error)}`, 'set DEMO');
    return loadConfig({ ...env, DEMO: 'true' });
  }
}

function examineExposure(config: Config, report: Report): void {
  const { host, publicUrl, trustProxy, demo } = config;
  const url = new URL(publicUrl);
  if (isOpen(config) && demo) {
    report.hint(
      `the demo accounts, whose password is public, are open to other machines (HOST=${host}, ${publicUrl})`,
      'set DEMO=false and change or remove them, unless that is what you want',
    );
  }
  if (isOpen(config) && url.protocol === 'http:') {
    report.hint(
      `passwords travel unencrypted to ${publicUrl}`,
      'put a proxy with a certificate in front and set PUBLIC_URL=https://…',
    );
  }
  if (!isLoopback(host) && isLoopback(url.hostname)) {
    report.hint(
      `HOST=${host} is open to others, but PUBLIC_URL=${publicUrl} leads them to their own machine`,
      'set PUBLIC_URL to the address that browsers use',
    );
  }
  if (url.protocol === 'https:' && trustProxy === false) {
    report.hint(
      'PUBLIC_URL is https, so a proxy is in front, but TRUST_PROXY is false: all visitors count as one address',
      'set TRUST_PROXY to the number of proxies, or to their addresses',
    );
  }
  if (typeof trustProxy === 'number' && !isLoopback(host)) {
    report.hint(
      `TRUST_PROXY=${trustProxy} also trusts clients that connect to ${host} directly`,
      'let only the proxy reach the port, or set TRUST_PROXY to its addresses',
    );
  }
}
