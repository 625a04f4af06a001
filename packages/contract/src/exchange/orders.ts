/** Orders and conditional ("algo") orders of the key's account. */
export const orderRoutes = [] as const;
