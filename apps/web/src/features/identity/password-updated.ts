/** The navigation state that leads from a new password to the login (AUTH-40). */
export const passwordUpdated = { passwordUpdated: true } as const;

/** Reads it from a location's untyped state. */
export const isPasswordUpdated = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'passwordUpdated' in state && state.passwordUpdated === true;
