/**
 * The local storage key of the auth-js session; a module of its own so that the landing page can check it without the client.
 */
export const sessionKey = 'fulcrum-session';
