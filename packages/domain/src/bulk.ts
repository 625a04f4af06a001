/** People that one act about many may name; more than that is several acts. */
export const bulkUsersMax = 500;
