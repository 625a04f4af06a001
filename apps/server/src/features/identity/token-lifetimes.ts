/** How long an access token is valid, in seconds. */
export const accessLifetimeS = 15 * 60;
