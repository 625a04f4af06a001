/** The coach (docs/coach.md): the review of a closed trade, loaded when it is opened. */
export { ReviewButton } from './ReviewButton.tsx';
