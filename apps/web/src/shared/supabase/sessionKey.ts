/** Where auth-js keeps the session in this browser; alone in a module so that the landing page can look without the client. */
export const sessionKey = 'fulcrum-session';
