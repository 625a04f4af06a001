/** What other public pages take from here: the frame of a page of plain text. */
export { Article } from './Article.tsx';
