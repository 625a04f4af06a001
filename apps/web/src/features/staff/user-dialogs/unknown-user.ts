/** The name that staff see for a deleted user (A84). */
export const unknownUser = 'Unknown User';
