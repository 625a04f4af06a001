/** The coach (docs/coach.md): the review of a closed trade and the habits of a week. Both load when they are shown. */
export { Week } from './parts.tsx';
export { ReviewButton } from './ReviewButton.tsx';
