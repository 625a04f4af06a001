/** The most users that one bulk action accepts. */
export const bulkUsersMax = 500;
