/** Props of each section of the user page. */
export interface SectionProps {
  readonly userId: string;
  readonly username: string;
  /** From 1. */
  readonly page: number;
  readonly onPage: (page: number) => void;
}
