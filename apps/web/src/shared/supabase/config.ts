/**
 * The server's public configuration, `/config.json`, read once before any other request. After a failure the next call tries
 * again.
 */
import type { PublicConfig } from '@fulcrum/contract';

const timeoutMs = 10_000;

async function fetchConfig(): Promise<PublicConfig> {
  const answer = await fetch('/config.json', { signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`HTTP error! status: ${answer.status}`);
  const config: PublicConfig = await answer.json();
  return config;
}

let configRequest: Promise<PublicConfig> | undefined;

export function loadServerConfig(): Promise<PublicConfig> {
  configRequest ??= fetchConfig().catch((cause: unknown) => {
    configRequest = undefined;
    throw cause;
  });
  return configRequest;
}
