/** How staff name somebody who is gone (A84). */
export const unknownUser = 'Unknown User';
