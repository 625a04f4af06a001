/** The navigation state that leads from the landing page to the demo account: the login signs in by itself. */
export const demoLogin = { from: '/dashboard', demoLogin: true } as const;

/** Reads it from a location's untyped state. */
export const isDemoLogin = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'demoLogin' in state && state.demoLogin === true;
