/** The public interface for other public pages: the frame of a page of plain text. */
export { Article } from './Article.tsx';
