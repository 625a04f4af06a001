/**
 * Reads claims from the page's own access token. The signature is not checked: a forged token would change what this page shows
 * and nothing on the server.
 */
export interface Claims {
  readonly sub?: unknown;
  readonly act?: { readonly sub?: unknown; readonly until?: unknown } | null;
}

/** Returns an empty object for an invalid token. */
export function parseClaims(accessToken: string): Claims {
  const payload = accessToken.split('.')[1] ?? '';
  try {
    const binary = atob(payload.replaceAll('-', '+').replaceAll('_', '/'));
    const claims: unknown = JSON.parse(binary);
    return typeof claims === 'object' && claims !== null ? claims : {};
  } catch {
    // Not one of our tokens; the server will refuse it.
    return {};
  }
}

/** The user id that the token is for, '' when it has none. */
export function parseSubject(accessToken: string): string {
  const { sub } = parseClaims(accessToken);
  return typeof sub === 'string' ? sub : '';
}
