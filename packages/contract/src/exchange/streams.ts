/** Listen keys of the user data stream. */
export const streamRoutes = [] as const;
