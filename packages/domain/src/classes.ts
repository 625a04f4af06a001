/** Classes of traders (A112): their bounds, and what a tutor looks at. */

/** Members who trade in one class. */
export const classMembersMax = 2000;
export const classTutorsMax = 20;
export const classSymbolsMax = 100;
