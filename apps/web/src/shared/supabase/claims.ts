/**
 * What this page reads from its own access token. The signature is not checked here: a forged token would change what
 * this page shows and nothing on the server.
 */
export interface Claims {
  readonly sub?: unknown;
  readonly act?: { readonly sub?: unknown; readonly until?: unknown } | null;
}

/** Empty for what is no token. */
export function claimsOf(accessToken: string): Claims {
  const payload = accessToken.split('.')[1] ?? '';
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const claims: unknown = JSON.parse(binary);
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    // Not one of ours: it names nobody, and the server will refuse it.
    return {};
  }
}

/** Whom the token acts as, '' when it does not say. */
export function subjectOf(accessToken: string): string {
  const { sub } = claimsOf(accessToken);
  return typeof sub === 'string' ? sub : '';
}
